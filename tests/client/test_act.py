"""A model's output through the client: what is sent of it, and what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import text_format
from tests.client.fake_transport import AsyncFakeTransport
from tests.client.scripted import scripted

import memslot
from memslot import ActionOutcome, Language, OnRead, Outcome, aio
from memslot._core.binding import Binding, Session
from memslot.errors import BodyTooLarge, SlotNotFound
from memslot.v1 import agent_service_pb2 as pb

WHOLE = """
actions { action: "mem_write" arguments_json: "{\\"slot\\": \\"a\\", \\"value\\": 12345678901234567890123}" span { start: 1 end: 9 }
  repaired: "trailing_comma" call_id: "c1" shape: "openai" outcome: ACTION_OUTCOME_DONE line: "stored a"
  receipt { name: "a" outcome: OUTCOME_CREATED revision: 4 } }
actions { action: "mem_read" arguments_json: "{\\"slot\\": \\"a\\"}" span { start: 10 end: 19 } outcome: ACTION_OUTCOME_DONE
  line: "read a: given to the application" slot { info { name: "a" content_type: "text/plain" } body: "secret" } }
actions { action: "mem_lookup" arguments_json: "{}" span { start: 20 end: 29 } outcome: ACTION_OUTCOME_DONE line: "names: a, and 1 more"
  found { names: "a" more: true } }
actions { action: "mem_read" arguments_json: "{\\"slot\\": \\"b\\"}" span { start: 30 end: 39 } outcome: ACTION_OUTCOME_NOT_FOUND
  line: "not found: b" error { code: 5 message: "no slot" } }
rejects { reason: "TRUNCATED" span { start: 40 end: 49 } hint: "the output ends" call_id: "c2" }
model_text: "stored a" user_text: "secret words" injection: "[secret]" revision: 9
injected { name: "a" revision: 4 summarised: true origin: ORIGIN_TOOL untrusted: true injection_id: "i" characters: 7 }
"""


class Spoken:
    """A message as an SDK has it."""

    def __init__(self, content: Any) -> None:
        self.content = content

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """JSON of it."""
        assert mode == "json"
        return {"role": "assistant", "content": self.content}


def _sent(output: Any, **given: Any) -> pb.ActRequest:
    memory, transport = scripted(pb.ActResponse())
    memory.act(output, **given)
    (request,) = transport.requests
    assert isinstance(request, pb.ActRequest)
    return request


def test_an_act_says_all_that_was_asked_for() -> None:
    """Every argument is in the request; a fresh UUID makes it safe to repeat, unless nothing is executed."""
    request = _sent(
        "x", lenient=True, on_read="show_once", turn="7", language="zh", own_prefixes=["mcp__"], max_injected_chars=9,
        request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11",
    )  # fmt: skip
    assert request == pb.ActRequest(
        namespace="acme", output="x", mode=pb.ACT_MODE_LENIENT, on_read=pb.ON_READ_SHOW_ONCE, turn="7",
        language=pb.LANGUAGE_ZH, own_prefixes=["mcp__"], max_injected_chars=9,
        request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11",
    )  # fmt: skip
    assert len(_sent("x").request_id) == 36
    assert _sent("x").request_id != _sent("x").request_id
    plain = _sent("x", validate_only=True, language=Language.EN, on_read=OnRead.APPLICATION)
    assert (plain.request_id, plain.validate_only) == ("", True)


@pytest.mark.parametrize(
    ("output", "sent"),
    [
        ({"role": "assistant", "content": "é"}, '{"role": "assistant", "content": "é"}'),
        ([{"type": "text", "text": "x"}], '[{"type": "text", "text": "x"}]'),
        (Spoken("x"), '{"role": "assistant", "content": "x"}'),
        ([Spoken("x")], '[{"role": "assistant", "content": "x"}]'),
        (
            {"choices": [{"message": Spoken(None)}]},
            '{"choices": [{"message": {"role": "assistant", "content": null}}]}',
        ),
    ],
)
def test_a_message_of_a_provider_is_sent_as_json(output: Any, sent: str) -> None:
    """Dicts, lists and objects of an SDK, also inside each other."""
    assert _sent(output).output == sent


def test_what_a_text_field_cannot_hold_is_sent_as_bytes() -> None:
    """An output with halves of surrogate pairs is sent whole."""
    for output, text in [("a\ud800", "a\ud800"), ({"content": "a\ud800"}, '{"content": "a\ud800"}')]:
        request = _sent(output)
        assert (request.output, request.raw_output) == ("", text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("output", [7, None, b"x", object(), {"a": object()}])
def test_what_is_no_output(output: Any) -> None:
    """Neither text nor a message: a TypeError before anything is sent."""
    memory, transport = scripted()
    with pytest.raises(TypeError, match="output"):
        memory.act(output)
    assert transport.requests == []


@pytest.mark.parametrize("given", [{"on_read": "twice"}, {"language": "fr"}])
def test_choices_are_checked(given: dict[str, Any]) -> None:
    """A word that is none of the choices is refused with those."""
    memory, _ = scripted()
    with pytest.raises(ValueError, match="is one of"):
        memory.act("x", **given)


def test_a_reply_is_decoded_whole() -> None:
    """Actions with their results and errors, rejects, texts; no repr shows a body."""
    memory, _ = scripted(text_format.Parse(WHOLE, pb.ActResponse()))
    acted = memory.act("x")
    write, read, lookup, absent = acted.actions
    assert (write.action, write.name, write.arguments["value"]) == ("mem_write", "a", 12345678901234567890123)
    assert (write.span, write.repaired, write.call_id, write.shape) == ((1, 9), ("trailing_comma",), "c1", "openai")
    assert write.receipt is not None
    assert (write.receipt.outcome, write.outcome, write.line) == (Outcome.CREATED, ActionOutcome.DONE, "stored a")
    assert read.slot is not None
    assert (read.slot.value, acted.slots["a"].value) == ("secret", "secret")
    assert lookup.found == memslot.FoundNames(("a",), more=True)
    assert (lookup.name, absent.outcome, type(absent.error).__name__) == ("", ActionOutcome.NOT_FOUND, "NotFound")
    assert acted.rejects == (memslot.Reject("TRUNCATED", (40, 49), "the output ends", "c2"),)
    assert (acted.model_text, acted.user_text, acted.injection, acted.revision) == (
        "stored a",
        "secret words",
        "[secret]",
        9,
    )
    assert acted.injected[0].injection_id == "i"
    assert "secret" not in repr(acted)


def test_tool_messages_are_ready_to_be_appended() -> None:
    """OpenAI's are one message each; Anthropic's blocks stand together in one message of the user."""
    openai = pb.ActResponse()
    anthropic = pb.ActResponse()
    for number in (1, 2):
        message = {"role": "tool", "tool_call_id": str(number), "content": "x"}
        openai.tool_messages.add(call_id=str(number), form=pb.TOOL_FORM_OPENAI, message_json=json.dumps(message))
        block = {"type": "tool_result", "tool_use_id": str(number), "content": "x"}
        anthropic.tool_messages.add(call_id=str(number), form=pb.TOOL_FORM_ANTHROPIC, message_json=json.dumps(block))
    memory, _ = scripted(openai, anthropic, pb.ActResponse())
    assert [one["tool_call_id"] for one in memory.act("x").tool_messages] == ["1", "2"]
    (message,) = memory.act("x").tool_messages
    assert (message["role"], [block["tool_use_id"] for block in message["content"]]) == ("user", ["1", "2"])
    nothing = memory.act("x")
    assert nothing.tool_messages == ()
    assert not nothing


async def test_the_awaited_client_acts() -> None:
    """The same, awaited."""
    transport = AsyncFakeTransport([pb.ActResponse(user_text="hi")])
    memory = aio.Memory(Binding(Session(), "acme"), transport)
    assert (await memory.act("hi")).user_text == "hi"


def test_a_whole_turn_in_process(memory: memslot.EmbeddedMemory) -> None:
    """Write, read, miss and break in one output: each has its line, and the error is the exception that a call would raise."""
    acted = memory.act(
        'I will note that. {"action": "mem_write", "slot": "user_pref", "value": {"tea": 1.10}} '
        '{"action": "mem_read", "slot": "user_pref"} {"action": "mem_read", "slot": "user_prfe"} '
        '{"action": "mem_write", "slot": "big", "value": "'
        + "x" * 9120
        + '"} {"action": "mem_write", "slot": "torn", "value": "x'
    )
    assert acted.model_text.split("\n")[:4] == [
        "stored user_pref",
        "read user_pref: given to the application",
        "not found: user_prfe (nearest: user_pref)",
        "too large: 9120 of 4096 bytes, split it (big)",
    ]
    assert [type(action.error) for action in acted.actions] == [type(None), type(None), SlotNotFound, BodyTooLarge]
    assert acted.slots["user_pref"].body == b'{"tea": 1.10}'
    assert acted.user_text.startswith("I will note that.")
    assert len(acted.rejects) == 1
    assert memory.read("user_pref").value == {"tea": 1.1}


def test_a_served_sidecar_acts(served: memslot.Memory) -> None:
    """Over gRPC as in the process."""
    acted = served.act(
        [{"type": "tool_use", "id": "t1", "name": "mem_write", "input": {"slot": "a", "value": "v\ud83d"}}],
        lenient=True,
    )
    (message,) = acted.tool_messages
    assert message["content"][0] == {"type": "tool_result", "tool_use_id": "t1", "content": "stored a"}
    assert served.read("a").value == "v\ufffd"


def test_an_act_can_be_retried(memory: memslot.EmbeddedMemory) -> None:
    """Under one request id an append is made once."""
    request_id = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
    for _ in range(3):
        acted = memory.act('{"action": "mem_append", "slot": "log", "value": "x"}', request_id=request_id)
        assert acted.model_text == "stored log (new: there was none)"
    assert memory.read("log").value == "x"


def test_a_model_searches_where_words_are_indexed() -> None:
    """The text of the very action before it is found, the line holds names alone, and a limit is told."""
    with memslot.embedded(namespace="acme", settings={"index_mode": "fulltext"}) as memory:
        acted = memory.act(
            '{"action": "mem_write", "slot": "a", "value": "a window seat"} {"action": "mem_write", "slot": "b", "value": "window"} '
            '{"action": "mem_search", "query": "window seat", "limit": 1} {"action": "mem_search", "query": "zzz"}'
        )
    assert acted.model_text.split("\n")[2:] == ["found: a, and more", "nothing found"]
    assert acted.actions[2].found == memslot.FoundNames(("a",), more=True)
