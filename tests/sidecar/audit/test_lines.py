"""What one event's lines look like."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.audit.harness import call, created, events_in, forgotten, operations_in

from memslot_sidecar.audit.event import Answered, Recorded, bounded
from memslot_sidecar.audit.lines import Lines
from memslot_sidecar.model import Caller, CallInfo, Change, FeedRecord, SlotChange

NASTY = ["用户偏好", "a'b\"c", "50%_x", "😀", "a-b.c#d", "back\\slash", "tab\there", "\u2028"]
ANY_NAME = st.text(st.characters(codec="utf-8"), min_size=1, max_size=128)


def lines() -> Lines:
    """A renderer at its start."""
    return Lines("a" * 32, "b" * 32)


def record(*changes: SlotChange, outcome: str, revision: int = 5, event_id: str = "e" * 32) -> FeedRecord:
    """A revision."""
    info = CallInfo(event_id, "Commit", Caller("alice", "none", False), 1_000_000)
    return FeedRecord(revision, 1_000_500, "acme/task", info, changes, outcome)


def test_a_read_tells_who_read_what_and_how_long_it_took() -> None:
    """An event of a read names the slot, the revision, the caller, what the caller said, and the duration."""
    made = call("Read", "plan", revision=9, outcome="READ", body_bytes=1024, agent="planner", turn="3")
    (event,) = events_in(lines().render(Answered(made, "OK", 215)))
    assert event["operation"] == "Read"
    assert event["names"] == ["plan"]
    assert (event["revision"], event["outcome"], event["code"]) == (9, "READ", "OK")
    assert event["caller"] == {"id": "alice", "source": "none", "verified": False}
    assert (event["agent"], event["turn"], event["duration_us"], event["body_bytes"]) == ("planner", "3", 215, 1024)
    assert "mutation" not in event
    assert "conversation" not in event


def test_a_failure_tells_its_code_whatever_was_noted_before() -> None:
    """A call that failed is FAILED, with its code."""
    (event,) = events_in(lines().render(Answered(call("Read", "plan", outcome="READ"), "UNAVAILABLE", 3)))
    assert (event["outcome"], event["code"]) == ("FAILED", "UNAVAILABLE")


def test_an_overwrite_can_be_counted() -> None:
    """Overwriting one slot tells the revision that was overwritten."""
    entry = Recorded(record(SlotChange("plan", Change.OVERWRITTEN, 3, 7), outcome="OVERWRITTEN"), code="OK")
    (event,) = events_in(lines().render(entry))
    assert (event["revision"], event["overwritten_revision"], event["mutation"]) == (5, 3, True)
    assert "changes" not in event


def test_what_happened_to_each_slot_is_told_where_the_outcome_does_not() -> None:
    """An eviction stands in the event of the write that caused it, under its own name."""
    changes = (SlotChange("old", Change.EVICTED, 1, 7), created("new"))
    (event,) = events_in(lines().render(Recorded(record(*changes, outcome="CREATED"), code="OK")))
    assert event["names"] == ["old", "new"]
    assert event["changes"] == [{"name": "old", "change": "EVICTED"}, {"name": "new", "change": "CREATED"}]


def test_names_survive_unchanged() -> None:
    """Names in any script and with any punctuation are read back as they were."""
    (event,) = events_in(lines().render(Answered(call("BatchRead", *NASTY), "OK", 3)))
    assert event["names"] == NASTY


def test_what_a_caller_says_is_cut() -> None:
    """No caller can make a line long: what it says about itself is cut to 256 bytes, at a whole character."""
    made = call("Read", "plan", agent="😀" * 1000, turn="\x00" * 1000, request_id="r" * 10_000)
    (event,) = events_in(lines().render(Answered(made, "INVALID_ARGUMENT", 3)))
    assert event["agent"] == "😀" * 64
    assert event["turn"] == "\x00" * 256
    assert len(event["request_id"]) == 256


def test_the_longest_namespace_and_sayings_fit_in_a_line() -> None:
    """A line keeps room for names, however long all the rest is and however it is escaped."""
    long = dict.fromkeys(("agent", "conversation", "turn", "request_id", "trace_id"), "\x01" * 300)
    made = call("BatchRead", *(f"{n:0128}" for n in range(1000)), namespace="\\" * 2000, **long)
    made.caller = Caller("\x01" * 300, "\x01" * 300, True)
    events = events_in(lines().render(Answered(made, "OK", 3)))
    assert [name for event in events for name in event["names"]] == list(made.names)


def test_lone_surrogates_do_not_keep_an_event_from_being_told() -> None:
    """What cannot be written in JSON is replaced, and the event is told."""
    made = call("Read", "plan", agent="\ud800")
    (event,) = events_in(lines().render(Answered(made, "OK", 3)))
    assert event["agent"] == "?"


def test_ten_thousand_names_are_all_told() -> None:
    """An event over many names is told in numbered parts under one id; code and duration stand in the last one."""
    names = [f"slot-{number:05}" for number in range(10_000)]
    entry = Recorded(record(*forgotten(names), outcome="FORGOTTEN"), call("ForgetMatching", count=10_000), "OK", 99)
    events = events_in(lines().render(entry))
    assert [name for event in events for name in event["names"]] == names
    assert len(operations_in(events)) == 1
    assert [event["part"] for event in events] == list(range(1, len(events) + 1))
    assert [(event["code"], event["duration_us"], event.get("count")) for event in events[:-1]] == (
        [(None, None, None)] * (len(events) - 1)
    )
    assert (events[-1]["code"], events[-1]["duration_us"], events[-1]["count"]) == ("OK", 99, 10_000)


def test_an_event_goes_on_over_several_revisions() -> None:
    """Parts are numbered through, also when an earlier process told the first ones."""
    render = lines()
    render.goes_on("e" * 32, 4)
    first = render.render(Recorded(record(created("a"), outcome="CREATED"), last=False))
    other = render.render(Answered(call("Read", "x"), "OK", 1))
    second = render.render(Recorded(record(created("b"), outcome="CREATED", revision=6), code="OK"))
    after = render.render(Answered(call("Read", "x"), "OK", 1))
    events = events_in(first + other + second + after)
    assert [event.get("part") for event in events] == [5, None, 6, None]
    assert [event.get("last_part") for event in events] == [False, None, True, None]


def test_time_never_runs_backwards_in_the_trail() -> None:
    """A line is not dated before the line above it, whatever the clock does."""
    render = Lines("a" * 32, "b" * 32, 5_000_000_000_000)
    data = render.render(Answered(call("Read", "x", started_ms=7_000_000_000_123), "OK", 1))
    data += render.render(Answered(call("Read", "x", started_ms=1_000), "OK", 1))
    assert [event["time"] for event in events_in(data)] == ["2191-10-27T12:26:40.123Z"] * 2


@given(st.lists(ANY_NAME, min_size=1, max_size=300), st.integers(0, 3))
def test_any_names_make_valid_lines(names: list[str], repeat: int) -> None:
    """Whatever the names are, each line is valid, short enough, and all names are told in order."""
    many = names * 10**repeat if len(names) * 10**repeat < 20_000 else names
    events = events_in(lines().render(Answered(call("BatchRead", *many), "OK", 3)))
    assert [name for event in events for name in event["names"]] == [bounded(name) for name in many]


@pytest.mark.parametrize("text", ["", "short", "é" * 128, "é" * 129, "😀" * 64 + "x", "a" * 255 + "é"])
def test_bounded_text_is_the_longest_start_that_fits(text: str) -> None:
    """Text is cut by bytes, never within a character."""
    cut = bounded(text)
    assert text.startswith(cut)
    assert len(cut.encode()) <= 256
    assert cut == text or len(text[: len(cut) + 1].encode()) > 256


def test_a_line_is_compact_json() -> None:
    """A line is one object without spaces between its tokens, ended by a newline."""
    line = lines().render(Answered(call("Read", "plan"), "OK", 3))
    assert line == json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
