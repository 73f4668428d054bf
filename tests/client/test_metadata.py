"""Who asks, as it is said beside each request."""

from __future__ import annotations

import threading

import pytest
from tests.client.scripted import scripted, written

from memslot._core.binding import Said
from memslot_sidecar.interceptors.arrival import arrive

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_nothing_is_said_unless_it_was_given() -> None:
    """A plain client sends no metadata."""
    memory, transport = scripted(written())
    memory.write("a", "b")
    assert transport.asked[0].metadata == ()


def test_agent_conversation_turn_and_trace_go_with_each_call() -> None:
    """The server understands all four, in any script."""
    memory, transport = scripted(written(), said=Said("助手", "c-1", "7", lambda: TRACE))
    memory.write("a", "b")
    assert dict(transport.asked[0].metadata) == {
        "memslot-agent-bin": "助手".encode(),
        "memslot-conversation": "c-1",
        "memslot-turn": "7",
        "traceparent": TRACE,
    }
    call = arrive("Write", transport.asked[0].metadata)
    assert (call.agent, call.conversation, call.turn, call.trace_id) == ("助手", "c-1", "7", TRACE[3:35])


def test_a_turn_lasts_as_long_as_its_context_and_nests() -> None:
    """Calls within belong to the turn, also those of clients bound to other namespaces; afterwards the client's own holds again."""
    memory, transport = scripted(*[written()] * 4, said=Said(turn="0"))
    with memory.turn("1", traceparent=TRACE):
        memory.namespace("acme/b").write("a", "b")
        with memory.turn("2"):
            memory.write("a", "b")
        memory.write("a", "b")
    memory.write("a", "b")
    assert [dict(ask.metadata)["memslot-turn"] for ask in transport.asked] == ["1", "2", "1", "0"]
    assert [dict(ask.metadata).get("traceparent") for ask in transport.asked] == [TRACE, None, TRACE, None]


def test_a_turn_is_of_one_client_and_one_thread() -> None:
    """Another connection and another thread are not in it."""
    memory, transport = scripted(written())
    other, other_transport = scripted(written())
    with memory.turn("1"):
        other.write("a", "b")
        thread = threading.Thread(target=memory.write, args=("a", "b"))
        thread.start()
        thread.join()
    assert transport.asked[0].metadata == other_transport.asked[0].metadata == ()


def test_more_than_fits_is_refused() -> None:
    """Metadata that a server may refuse or drop is an error at once."""
    memory, transport = scripted(said=Said(agent="x" * 5000))
    with pytest.raises(ValueError, match="4096"):
        memory.write("a", "b")
    assert transport.asked == []


@pytest.mark.parametrize("text", [" edges ", "line\nbreak", "\x7f", "é"])
def test_what_a_header_cannot_hold_goes_as_bytes(text: str) -> None:
    """Spaces at the ends, controls and other scripts arrive as they were said."""
    memory, transport = scripted(written(), said=Said(agent=text))
    memory.write("a", "b")
    assert transport.asked[0].metadata == (("memslot-agent-bin", text.encode()),)
