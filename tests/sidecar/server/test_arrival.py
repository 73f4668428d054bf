"""What is recorded of a caller's metadata."""

from __future__ import annotations

import time

import pytest

from memslot_sidecar.interceptors.arrival import arrive

TRACE = "0af7651916cd43dd8448eb211c80319c"


def test_what_a_caller_says_is_recorded() -> None:
    """Agent, conversation, turn and trace are kept as said; other metadata is not."""
    call = arrive(
        "Write",
        [
            ("user-agent", "grpc"),
            ("memslot-agent", "planner"),
            ("memslot-conversation", "c-1"),
            ("memslot-turn", "7"),
            ("traceparent", f"00-{TRACE}-b7ad6b7169203331-01"),
        ],
    )
    assert (call.operation, call.agent, call.conversation, call.turn) == ("Write", "planner", "c-1", "7")
    assert call.trace_id == TRACE
    assert (call.caller.id, call.caller.verified) == ("anonymous", False)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "00",
        b"\xff\xfe",
        f"00-{TRACE}-b7ad6b7169203331",
        f"ff-{TRACE}-b7ad6b7169203331-01",
        f"00-{TRACE.upper()}-b7ad6b7169203331-01",
        f"00-{'0' * 32}-b7ad6b7169203331-01",
        f"00-{TRACE}-b7ad6b7169203331-01" + "-x" * 5000,
    ],
)
def test_invalid_traceparent_is_no_trace(value: str | bytes) -> None:
    """A traceparent that is none is left out and does no harm."""
    assert arrive("Read", [("traceparent", value)]).trace_id == ""


@pytest.mark.parametrize("value", ["a" * 9000, "長" * 9000, b"\xff" * 9000, "x\n\x00" * 500, "\ud800" * 9000])
def test_what_is_said_is_bounded_printable_text(value: str | bytes) -> None:
    """Whatever comes as agent, at most 128 bytes of printable text are kept."""
    agent = arrive("Read", [("memslot-agent", value)]).agent
    assert len(agent.encode()) <= 128
    assert agent.isprintable()


def test_deadline_is_kept() -> None:
    """How long the caller waits becomes a point in time."""
    call = arrive("Read", [], 5.0)
    assert call.deadline_s == pytest.approx(time.monotonic() + 5.0, abs=1.0)
    assert arrive("Read", []).deadline_s is None
