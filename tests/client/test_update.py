"""Compare-and-set with retries."""

from __future__ import annotations

from typing import Any

import pytest
from tests.client.scripted import scripted, slot, written

from memslot.errors import RevisionMismatch, SlotExists, SlotNotFound, Unavailable


def test_the_new_value_is_written_at_the_revision_that_was_read() -> None:
    """Update writes only if nobody came between."""
    memory, transport = scripted(slot(b'{"n":1}', "application/json", 5), written(revision=6))
    assert memory.update("a", lambda value: {"n": value["n"] + 1}).revision == 6
    write = transport.requests[1]
    assert (write.body, write.precondition.if_revision, write.content_type) == (b'{"n":2}', 5, "application/json")


def test_a_lost_race_is_run_again_on_the_new_value() -> None:
    """The change is decided anew from what the other writer left, after a pause, under a new request id."""
    memory, transport = scripted(slot(b"a", revision=1), RevisionMismatch(), slot(b"ab", revision=2), written())
    memory.update("a", lambda value: value + "c")
    assert [transport.requests[i].body for i in (1, 3)] == [b"ac", b"abc"]
    assert transport.requests[1].request_id != transport.requests[3].request_id
    assert len(transport.pauses) == 1


def test_attempts_are_bounded() -> None:
    """After the last attempt the caller gets the mismatch; pauses grow but stay below half a second."""
    memory, transport = scripted(*[slot(b"a"), RevisionMismatch()] * 12)
    with pytest.raises(RevisionMismatch):
        memory.update("a", str.upper, attempts=12)
    assert len(transport.pauses) == 11
    assert all(0 <= pause <= 0.5 for pause in transport.pauses)


def test_a_missing_slot_is_created_only_if_it_is_still_missing() -> None:
    """With an initial value two creators cannot both win."""
    memory, transport = scripted(SlotNotFound(), SlotExists(), slot(b"[1]", "application/json", 4), written())
    memory.update("a", lambda value: [*value, 2], initial=[])
    assert transport.requests[1].precondition.if_absent
    assert transport.requests[1].body == b"[2]"
    assert (transport.requests[3].body, transport.requests[3].precondition.if_revision) == (b"[1,2]", 4)


def test_a_missing_slot_without_an_initial_value_is_an_error() -> None:
    """Nothing is created by accident; None is an initial value like others."""
    memory, _ = scripted(SlotNotFound(), SlotNotFound(), written())
    with pytest.raises(SlotNotFound):
        memory.update("a", str.upper)
    memory.update("a", lambda value: value, initial=None)


@pytest.mark.parametrize(
    ("old_type", "new_value", "new_type", "body"),
    [
        ("text/markdown", "# b", "text/markdown", b"# b"),
        ("application/json", "b", "application/json", b'"b"'),
        ("application/vnd.x+json", [1], "application/vnd.x+json", b"[1]"),
        ("text/plain", {"b": 1}, "application/json", b'{"b":1}'),
        ("text/plain", b"\x00", "application/octet-stream", b"\x00"),
        ("image/png", b"\x00", "image/png", b"\x00"),
        ("image/png", "b", "text/plain", b"b"),
    ],
)
def test_the_content_type_stays_where_the_value_fits(old_type: str, new_value: Any, new_type: str, body: bytes) -> None:
    """Markdown stays Markdown, JSON stays JSON; a value of another kind brings its own type."""
    memory, transport = scripted(slot(b'"a"', old_type), written())
    memory.update("a", lambda _: new_value)
    assert (transport.requests[1].content_type, transport.requests[1].body) == (new_type, body)


def test_other_errors_end_an_update() -> None:
    """Only a lost race is tried again."""
    memory, transport = scripted(Unavailable("gone"))
    with pytest.raises(Unavailable):
        memory.update("a", str.upper)
    assert transport.pauses == []
