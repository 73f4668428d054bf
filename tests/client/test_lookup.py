"""Names in pages, and several slots at once."""

from __future__ import annotations

import pytest
from tests.client.scripted import scripted, status

from memslot import Order, SlotNotFound, where
from memslot.errors import InvalidName, ReplyBudget, Unavailable
from memslot.v1.slot_pb2 import Slot, SlotInfo
from memslot.v1.slot_service_pb2 import (
    BatchReadResponse,
    BatchReadResult,
    DescribeResponse,
    DescribeResult,
    ListVersionsResponse,
    LookupResponse,
    VersionInfo,
)


def _page(*names: str, token: str = "", **fields: int) -> LookupResponse:
    return LookupResponse(slots=[SlotInfo(name=name) for name in names], next_page_token=token, **fields)  # type: ignore[arg-type]


def test_a_lookup_goes_through_all_pages() -> None:
    """The iterator asks for the next page when it is needed, with the same query and the token."""
    memory, transport = scripted(_page("a", "b", token="t1"), _page(token="t2"), _page("c"))
    entries = memory.lookup("x", where=where.tags.any("t"), order=Order.NAME, page_size=2)
    assert transport.asked == []
    assert next(entries).name == "a"
    assert len(transport.asked) == 1
    assert [entry.name for entry in entries] == ["b", "c"]
    assert [request.page_token for request in transport.requests] == ["", "t1", "t2"]
    for request in transport.requests:
        request.page_token = ""
    assert transport.requests[0] == transport.requests[1] == transport.requests[2]


def test_a_limit_bounds_what_is_asked_and_what_is_yielded() -> None:
    """No more than `limit` slots come, and the last page is no larger than needed."""
    memory, transport = scripted(_page("a", "b", token="t"), _page("c", "d", token="u"))
    assert [entry.name for entry in memory.lookup(limit=3, page_size=2)] == ["a", "b", "c"]
    assert [request.page_size for request in transport.requests] == [2, 1]
    assert list(memory.lookup(limit=0)) == []
    with pytest.raises(ValueError, match="no fewer than 0"):
        list(memory.lookup(limit=-1))


def test_an_entry_knows_its_namespace_and_its_info_only_when_asked() -> None:
    """Names come without information, and with the client's namespace unless the server says another."""
    found = LookupResponse(slots=[SlotInfo(name="a"), SlotInfo(name="b", namespace="acme/x", body_bytes=3)])
    memory, _ = scripted(found, found)
    assert [(entry.name, entry.namespace, entry.info) for entry in memory.lookup(recursive=True)] == [
        ("a", "acme", None),
        ("b", "acme/x", None),
    ]
    assert [entry.info.body_bytes for entry in memory.lookup(info=True) if entry.info] == [0, 3]


def test_one_page_tells_where_it_ended() -> None:
    """The one-page form gives the token, the total where it was asked for, and the revision."""
    memory, transport = scripted(_page("a", token="t", total=10_000, total_is_lower_bound=True, revision=9), _page("b"))
    first = memory.lookup_page(total=True, max_bytes=100)
    assert (first.next_page_token, first.total, first.total_is_lower_bound, first.revision) == ("t", 10_000, True, 9)
    assert (transport.requests[0].total, transport.requests[0].max_bytes) == (True, 100)
    assert memory.lookup_page(page_token="t").total is None


def test_an_error_in_the_middle_reaches_the_consumer() -> None:
    """What was found so far is yielded, then the error is raised."""
    memory, _ = scripted(_page("a", token="t"), Unavailable("gone"))
    entries = memory.lookup()
    assert next(entries).name == "a"
    with pytest.raises(Unavailable):
        next(entries)


def _body(name: str) -> BatchReadResult:
    return BatchReadResult(slot=Slot(info=SlotInfo(name=name, content_type="text/plain"), body=name.encode()))


def test_what_did_not_fit_into_a_reply_is_asked_for_again() -> None:
    """Read_many makes as many calls as the bodies take, leaves out what is missing, and asks for each name once."""
    missing, budget = (
        BatchReadResult(status=status(5, "SLOT_NOT_FOUND")),
        BatchReadResult(status=status(8, "REPLY_BUDGET")),
    )
    memory, transport = scripted(
        BatchReadResponse(results=[_body("a"), missing, budget]), BatchReadResponse(results=[_body("c")])
    )
    assert {name: slot.text for name, slot in memory.read_many(iter(["a", "b", "c", "a"])).items()} == {
        "a": "a",
        "c": "c",
    }
    assert [list(request.names) for request in transport.requests] == [["a", "b", "c"], ["c"]]


def test_a_slot_that_fits_only_alone_is_asked_for_alone() -> None:
    """When nothing fits beside what is said of the other names, the first name is asked for by itself, then the rest."""
    budget = BatchReadResult(status=status(8, "REPLY_BUDGET"))
    memory, transport = scripted(
        BatchReadResponse(results=[budget, budget, budget]),
        BatchReadResponse(results=[_body("a")]),
        BatchReadResponse(results=[_body("b"), _body("c")]),
    )
    assert list(memory.read_many(["a", "b", "c"])) == ["a", "b", "c"]
    assert [list(request.names) for request in transport.requests] == [["a", "b", "c"], ["a"], ["b", "c"]]


def test_a_slot_that_fits_into_no_reply_is_an_error() -> None:
    """Asking again ends when nothing more comes."""
    budget = BatchReadResult(status=status(8, "REPLY_BUDGET"))
    memory, _ = scripted(BatchReadResponse(results=[budget, budget]), BatchReadResponse(results=[budget]))
    with pytest.raises(ReplyBudget):
        memory.read_many(["a", "b"])


def test_names_are_asked_for_by_the_thousand() -> None:
    """Any number of names can be described."""
    memory, transport = scripted(
        *[
            lambda request: DescribeResponse(
                results=[DescribeResult(info=SlotInfo(name=name)) for name in request.names]
            )
        ]
        * 3
    )
    assert len(memory.describe_many([f"n{i}" for i in range(2500)])) == 2500
    assert [len(request.names) for request in transport.requests] == [1000, 1000, 500]


def test_describe_of_one_slot_raises_what_there_is_to_say() -> None:
    """A missing slot is SlotNotFound, as for read."""
    memory, _ = scripted(DescribeResponse(results=[DescribeResult(status=status(5, "SLOT_NOT_FOUND", "no such slot"))]))
    with pytest.raises(SlotNotFound, match="no such slot"):
        memory.describe("a")


def test_another_failure_of_one_name_is_raised() -> None:
    """Only missing slots are left out silently."""
    memory, _ = scripted(DescribeResponse(results=[DescribeResult(status=status(3, "INVALID_NAME"))]))
    with pytest.raises(InvalidName):
        memory.describe_many([" a"])


def test_one_string_is_not_taken_for_several() -> None:
    """A forgotten list is an error, not a call for each letter."""
    memory, _ = scripted()
    with pytest.raises(TypeError, match="names"):
        memory.read_many("abc")
    with pytest.raises(TypeError, match="tags"):
        memory.write("a", "b", tags="abc")


def test_versions_come_from_all_pages() -> None:
    """However many versions are kept, they are one list."""
    memory, _ = scripted(
        ListVersionsResponse(versions=[VersionInfo(revision=9)], next_page_token="t"),
        ListVersionsResponse(versions=[VersionInfo(revision=4)]),
    )
    assert [version.revision for version in memory.versions("a")] == [9, 4]
