"""Summaries that stand for bodies, asked for one by one or beside what is known of several slots."""

from __future__ import annotations

import pytest
from tests.client.scripted import scripted, status

from memslot import Origin, SlotNotFound, Summary, SummarySource
from memslot.v1.slot_pb2 import SlotInfo
from memslot.v1.slot_pb2 import Summary as Message
from memslot.v1.slot_service_pb2 import READ_VIEW_SUMMARY, DescribeResponse, DescribeResult, ReadRequest, ReadResponse

SENT = Message(text="secret", source=3, origin=2, revision=7)  # type: ignore[arg-type]
SUMMARY = Summary("secret", SummarySource.MODEL, Origin.MODEL, 7)


def test_a_slot_is_read_by_its_summary() -> None:
    """The view is asked for, and what comes says how it was made and how far it can be trusted."""
    memory, transport = scripted(ReadResponse(summary=SENT), ReadResponse())
    assert memory.summary("a") == SUMMARY
    assert transport.requests[0] == ReadRequest(namespace="acme", name="a", view=READ_VIEW_SUMMARY)
    assert memory.summary("picture") is None


def test_a_summary_of_no_slot_is_not_found() -> None:
    """As when the body is read."""
    memory, _ = scripted(SlotNotFound("no slot"))
    with pytest.raises(SlotNotFound):
        memory.summary("a")


def test_summaries_stand_beside_what_is_known_where_they_are_wanted() -> None:
    """Describing one or many slots brings those at hand, and none that was not asked for."""
    known = DescribeResult(info=SlotInfo(name="a", has_summary=True), summary=SENT)
    other = DescribeResult(info=SlotInfo(name="b"))
    missing = DescribeResult(status=status(5, "SLOT_NOT_FOUND"))
    memory, transport = scripted(
        DescribeResponse(results=[known, other, missing]),
        DescribeResponse(results=[known]),
        DescribeResponse(results=[other]),
    )
    described = memory.describe_many(["a", "b", "c"], summaries=True)
    assert {name: info.summary for name, info in described.items()} == {"a": SUMMARY, "b": None}
    assert memory.describe("a", summaries=True).summary == SUMMARY
    assert memory.describe("b").summary is None
    assert [request.summaries for request in transport.requests] == [True, True, False]
    assert "secret" not in repr(described)
