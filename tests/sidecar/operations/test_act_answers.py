"""Answers to call ids in the form of the provider, and what is read shown to the model once."""

from __future__ import annotations

import json
from typing import Any

from tests.sidecar.operations.acts import NAMESPACE, act, written
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_service_pb2 import WriteRequest
from memslot_sidecar.edge.injection.delimiting import find
from memslot_sidecar.edge.notes import InjectionNote
from memslot_sidecar.model import EffectiveSettings

BODY = "CANARY body"


def openai(*calls: tuple[str, str, str]) -> str:
    """A message of OpenAI's form with tool calls."""
    made = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for call_id, name, arguments in calls
    ]
    return json.dumps({"role": "assistant", "content": "One moment.", "tool_calls": made})


def anthropic(*calls: tuple[str, str, dict[str, Any]]) -> str:
    """A message of Anthropic's form with tool calls."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "One moment."}]
    blocks += [{"type": "tool_use", "id": call_id, "name": name, "input": given} for call_id, name, given in calls]
    return json.dumps({"role": "assistant", "content": blocks})


async def fill(run: Served, name: str, body: str = BODY, content_type: str = "text/plain") -> None:
    """Writes a slot as a client does."""
    await run(WriteRequest(namespace=NAMESPACE, name=name, body=body.encode(), content_type=content_type))


def messages(reply: pb.ActResponse) -> list[dict[str, Any]]:
    """The answers."""
    return [json.loads(one.message_json) for one in reply.tool_messages]


async def test_every_call_of_an_openai_message_is_answered(make: StoreMaker) -> None:
    """Parallel calls, one that fails, one that is torn: a message of role `tool` for each id, in order; another tool's call is left to its owner."""
    async with served(make) as run:
        await fill(run, "a")
        reply = await act(
            run,
            openai(
                ("c1", "mem_read", '{"slot": "a"}'),
                ("c2", "mem_write", '{"slot": "big", "value": "' + "x" * 5000 + '"}'),
                ("c3", "mem_write", '{"slot": "b", "value": "torn'),
                ("c4", "get_weather", '{"city": "Kiel"}'),
                ("c5", "mem_read", '{"slot": "zz"}'),
            ),
        )
        assert [one.form for one in reply.tool_messages] == [pb.TOOL_FORM_OPENAI] * 4
        told = messages(reply)
        assert [(one["role"], one["tool_call_id"]) for one in told] == [("tool", f"c{n}") for n in (1, 2, 3, 5)]
        assert told[0]["content"] == "read a: given to the application"
        assert told[1]["content"].startswith("too large: 5000 of 4096")
        assert told[2]["content"].startswith("not run: ")
        assert "\n".join(one["content"] for one in told) == reply.model_text
        assert [one.call_id for one in reply.tool_messages] == ["c1", "c2", "c3", "c5"]


async def test_every_call_of_an_anthropic_message_is_answered(make: StoreMaker) -> None:
    """A content block `tool_result` for each id, with `is_error` where an action was refused or is none."""
    async with served(make) as run:
        reply = await act(
            run,
            anthropic(
                ("t1", "mem_write", {"slot": "a", "value": [1]}),
                ("t2", "mem_read", {"slot": "zz"}),
                ("t3", "mem_read", {}),
                ("t4", "mem_write", {"slot": "a", "value": 1, "colour": 2}),
            ),
        )
        told = messages(reply)
        assert [(one["type"], one["tool_use_id"]) for one in told] == [("tool_result", f"t{n}") for n in (1, 2, 3, 4)]
        assert [one.get("is_error", False) for one in told] == [False, False, True, True]
        assert [one.form for one in reply.tool_messages] == [pb.TOOL_FORM_ANTHROPIC] * 4


async def test_several_actions_under_one_id_have_one_answer(make: StoreMaker) -> None:
    """Calls that a model merged into one, taken leniently, are answered by one message with a line for each."""
    async with served(make) as run:
        merged = '{"slot": "a", "value": 1}{"slot": "b", "value": 2}'
        reply = await act(run, openai(("c1", "mem_write", merged)), mode=pb.ACT_MODE_LENIENT)
        (told,) = messages(reply)
        assert told == {"role": "tool", "tool_call_id": "c1", "content": "stored a\nstored b"}


async def test_plain_text_needs_no_answers(make: StoreMaker) -> None:
    """Where no id asks for it there is no tool message."""
    async with served(make) as run:
        assert not (await act(run, written("mem_read", slot="a"))).tool_messages


async def test_what_is_read_is_shown_once(make: StoreMaker) -> None:
    """With SHOW_ONCE the body stands in the injection, delimited and booked with the turn, and in no line."""
    async with served(make) as run:
        await fill(run, "a")
        await fill(run, "b", '{"k": 1}', "application/json")
        reply = await act(
            run,
            *(written("mem_read", slot=name) for name in ("a", "b", "a", "zz")),
            on_read=pb.ON_READ_SHOW_ONCE,
            turn="7",
        )
        assert [one.name for one in reply.injected] == ["a", "b"]
        assert reply.injection.count(BODY) == 1
        assert [found.injection_id for found in find(reply.injection)] == [one.injection_id for one in reply.injected]
        assert reply.model_text.split("\n")[:3] == [
            "read a: shown once below",
            "read b: shown once below",
            "read a: shown once below",
        ]
        assert BODY not in reply.model_text
        assert reply.actions[0].slot.body.decode() == BODY
        (key,) = run.ctx.ledger.turns(NAMESPACE)
        booked = [one for one in run.ctx.ledger.of(key) if isinstance(one, InjectionNote)]
        assert (key.turn, [one.injection_id for one in booked]) == ("7", [one.injection_id for one in reply.injected])


async def test_what_does_not_fit_is_not_shown(make: StoreMaker) -> None:
    """A body beyond the bound, or that is no text, goes to the application alone, and the line says so."""
    async with served(make, EffectiveSettings(body_limit_bytes=3_000_000)) as run:
        await fill(run, "long", "x" * 2000)
        await fill(run, "blob", "\x00", "application/octet-stream")
        reads = [written("mem_read", slot=name) for name in ("long", "blob")]
        reply = await act(run, *reads, on_read=pb.ON_READ_SHOW_ONCE, max_injected_chars=1000)
        assert reply.injection == ""
        assert reply.model_text == (
            "read long: too long to be shown, given to the application\nread blob: not text, given to the application"
        )
        await fill(run, "huge", "y" * 1_500_000)
        reply = await act(run, written("mem_read", slot="huge"), on_read=2, max_injected_chars=2_000_000_000)
        assert reply.ByteSize() < 4_000_000


async def test_without_show_once_nothing_is_shown(make: StoreMaker) -> None:
    """By default there is no injection, and none is booked."""
    async with served(make) as run:
        await fill(run, "a")
        reply = await act(run, written("mem_read", slot="a"))
        assert (reply.injection, len(reply.injected)) == ("", 0)
        (key,) = run.ctx.ledger.turns(NAMESPACE)
        assert not [one for one in run.ctx.ledger.of(key) if isinstance(one, InjectionNote)]
