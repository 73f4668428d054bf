"""InspectPrompt over a real store: what was answered before is compared, and nothing else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.sidecar.operations.requests import forget, forget_matching, read, write
from tests.sidecar.services.served import Clock, Served, StoreMaker, served

from memslot.v1.agent_service_pb2 import InjectRequest, InspectPromptRequest
from memslot.v1.namespace_service_pb2 import DeleteNamespaceRequest
from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.counters import counter_of
from memslot_sidecar.edge.inspection.findings import Inspection
from memslot_sidecar.edge.inspection.inspector import Inspector
from memslot_sidecar.edge.inspection.texts import texts_of
from memslot_sidecar.edge.notes import FoundNote, InjectionNote, TurnKey
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import EffectiveSettings
from memslot_sidecar.operations.inspect_prompt import InspectCommand, inspect, inspect_prompt

MANY = EffectiveSettings(slot_limit=100_000, body_limit_bytes=100_000)


def body(number: int, length: int = 200) -> str:
    """A text that no other number has a part of 40 characters of."""
    words = [f"w{number}x{place * place % 997}" for place in range(length)]
    return " ".join(words)[:length]


def inspection(prompt: str = "", **fields: Any) -> InspectPromptRequest:
    """An inspection."""
    return InspectPromptRequest(namespace="ns", prompt=prompt, **fields)


async def names(served: Served, prompt: str) -> list[str]:
    """The slots that are found in a prompt."""
    reply = await served(inspection(prompt))
    assert not reply.incomplete
    return [finding.name for finding in reply.findings]


async def fill(served: Served, count: int) -> None:
    """Slots ``s0``, ``s1``, ..."""
    for number in range(count):
        await served(write(f"s{number}", body(number).encode()))


async def test_a_part_is_found_with_its_place(make: StoreMaker) -> None:
    """Slot, revision, span, characters, tokens, and how many were compared."""
    async with served(make) as call:
        await fill(call, 3)
        part = body(1)[30:130]
        reply = await call(inspection(f"é😀 {part}.", token_counter="chars"))
        assert len(reply.findings) == 1
        found = reply.findings[0]
        assert (found.name, found.revision, found.message_index, found.field) == ("s1", 2, 0, "")
        assert (found.span.start, found.span.end) == (3, 3 + len(part.rstrip()))
        assert found.characters == found.tokens == reply.leaked_characters == len(part.rstrip())
        assert (found.whole, found.injection_id) == (False, "")
        assert (reply.slots, reply.characters, reply.token_counter, reply.revision) == (3, 104, "chars", 3)
        assert call.calls[-1].outcome == "INSPECTED"
        assert call.calls[-1].body_bytes == 0


async def test_each_inspection_sees_what_was_answered_before(make: StoreMaker) -> None:
    """A new slot, a new body, one that is gone, all of them gone, a namespace that was deleted and comes again."""
    async with served(make) as call:
        assert await names(call, body(1)) == []
        await call(write("a", body(1).encode()))
        assert await names(call, body(1)) == ["a"]
        await call(write("a", body(2).encode()))
        assert await names(call, body(1)) == []
        assert await names(call, body(2)) == ["a"]
        await call(forget("a"))
        assert await names(call, body(2)) == []
        await call(write("a", body(3).encode()))
        await call(forget_matching())
        assert await names(call, body(3)) == []
        await call(write("b", body(3).encode()))
        await call(DeleteNamespaceRequest(namespace="ns", force=True))
        assert await names(call, body(3)) == []
        await call(write("c", body(3).encode()))
        assert await names(call, body(3)) == ["c"]


async def test_expired_slots_are_not_found(make: StoreMaker) -> None:
    """At once, though nobody has swept them."""
    clock = Clock()
    async with served(make, clock=clock) as call:
        request = write("a", body(1).encode())
        request.ttl.FromMilliseconds(1000)
        await call(request)
        assert await names(call, body(1)) == ["a"]
        clock.forward(1001)
        reply = await call(inspection(body(1)))
        assert (list(reply.findings), reply.slots) == ([], 0)


async def test_other_namespaces_are_not_looked_at(make: StoreMaker) -> None:
    """Neither above nor below nor beside."""
    async with served(make) as call:
        for namespace in ("ns/a", "nsa", "n"):
            await call(write("a", body(1).encode(), namespace))
        assert await names(call, body(1)) == []


async def test_bodies_that_are_no_text_are_not_looked_for(make: StoreMaker) -> None:
    """Binary bodies are counted and cannot be found."""
    async with served(make) as call:
        await call(write("a", b"\xff" + body(1).encode()))
        reply = await call(inspection(body(1)))
        assert (list(reply.findings), reply.slots, reply.incomplete) == ([], 1, "")


async def test_messages_of_any_provider(make: StoreMaker) -> None:
    """Contents, arguments (JSON in JSON), and a JSON body that came back as an object."""
    async with served(make) as call:
        await fill(call, 1)
        value = {"name": "Ann", "likes": ["tea", "rain"], "city": "Rome", "age": 41}
        await call(write("j", json.dumps(value).encode(), content_type="application/json"))
        messages = [
            {"role": "user", "content": [{"type": "text", "text": body(0)}]},
            {"role": "assistant", "tool_calls": [{"function": {"arguments": json.dumps({"v": body(0) + '"\n'})}}]},
            {"role": "model", "parts": [{"functionResponse": {"response": {"value": value}}}]},
        ]
        reply = await call(inspection(messages_json=json.dumps(messages)))
        assert [(found.name, found.message_index, found.field) for found in reply.findings] == [
            ("s0", 0, "content[0].text"),
            ("s0", 1, "tool_calls[0].function.arguments"),
            ("j", 2, ""),
        ]
        assert all(found.whole for found in reply.findings)


async def test_injections_of_the_turn_allow_a_body(make: StoreMaker) -> None:
    """For that slot at that revision, in that turn; a summary allows nothing."""
    async with served(make) as call:
        await fill(call, 2)
        note = InjectionNote(1, "id1", "s0", 1, summarised=False, characters=200)
        call.ctx.ledger.note(TurnKey("ns", "", "7"), note)
        call.ctx.ledger.note(TurnKey("ns", "", "8"), InjectionNote(1, "id2", "s0", 1, summarised=True, characters=9))
        prompt = f"{body(0)}\n{body(1)}"
        reply = await call(inspection(prompt, turn="7"))
        assert [(found.name, found.injection_id) for found in reply.findings] == [("s0", "id1"), ("s1", "")]
        assert reply.leaked_characters == len(body(1))
        for turn in ("8", "9", ""):
            reply = await call(inspection(prompt, turn=turn))
            assert not any(found.injection_id for found in reply.findings)
        await call(write("s0", (body(0) + "!").encode()))
        reply = await call(inspection(prompt, turn="7"))
        assert not any(found.injection_id for found in reply.findings)


async def test_findings_are_noted_once(make: StoreMaker) -> None:
    """Of a turn that has a name, with sizes and places, also when it is inspected again."""
    async with served(make) as call:
        await fill(call, 2)
        for _ in range(2):
            await call(inspection(body(1), turn="7"))
        notes = [note for note in call.ctx.ledger.of(TurnKey("ns", "", "7")) if isinstance(note, FoundNote)]
        assert [(note.name, note.revision, note.characters, note.whole) for note in notes] == [("s1", 2, 200, True)]
        await call(inspection(body(1)))
        assert not call.ctx.ledger.of(TurnKey("ns", "", ""))


@pytest.mark.parametrize("request_", [
    inspection(), inspection("a", messages_json="[]"), inspection(messages_json="{}"), inspection("a", token_counter="abacus"),
])  # fmt: skip
async def test_what_cannot_be_inspected_is_refused(request_: InspectPromptRequest) -> None:
    """With the field to blame."""
    async with served() as call:
        with pytest.raises(InvalidField) as refused:
            await call(request_)
        assert refused.value.field in ("prompt", "messages_json", "token_counter")


async def test_an_inspection_is_no_access(make: StoreMaker) -> None:
    """Ranks stay what they are."""
    async with served(make) as call:
        await fill(call, 1)
        await call(inspection(body(0)))
        await call.store.flush_accesses()
        assert (await call(read("s0"))).slot.info.access_count == 0


async def inspected(call: Served, prompt: str, deadline_s: float | None = None) -> Inspection:
    """What is found for somebody who gives up at ``deadline_s``."""
    asked = Call("InspectPrompt", deadline_s=deadline_s)
    return await inspect_prompt(call.ctx, asked, InspectCommand("ns", prompt, ""))


@pytest.mark.parametrize("limit_bytes", [0, 5_000, 40_000])
async def test_slots_without_room_are_read_each_time(make: StoreMaker, limit_bytes: int) -> None:
    """Nothing is missed when the fingerprints have no room; memory stays within the bound and a portion."""
    async with served(make, MANY) as call:
        object.__setattr__(call.ctx, "inspector", inspector := Inspector(limit_bytes))
        call.store.subscribe(inspector.told)
        await fill(call, 100)
        prompt = "\n".join(body(number) for number in range(100))
        for _ in range(2):
            assert sorted(await names(call, prompt)) == sorted(f"s{number}" for number in range(100))
        await call(write("s5", body(1000).encode()))
        await call(forget("s6"))
        assert await names(call, body(5) + body(6) + body(1000)) == ["s5"]


async def test_namespaces_share_the_room(make: StoreMaker) -> None:
    """The one that was not inspected for longest goes first, and is found again."""
    async with served(make, MANY) as call:
        object.__setattr__(call.ctx, "inspector", inspector := Inspector(200_000))
        call.store.subscribe(inspector.told)
        for space in range(10):
            for number in range(50):
                await call(write(f"s{number}", body(number, 300).encode(), f"ns{space}"))
        for _ in range(2):
            for space in range(10):
                reply = await call(InspectPromptRequest(namespace=f"ns{space}", prompt=body(7, 300)))
                assert [found.name for found in reply.findings] == ["s7"]
                assert inspector.used_bytes < 300_000


async def test_a_call_without_time_says_what_it_did_not_compare(
    monkeypatch: pytest.MonkeyPatch, make: StoreMaker
) -> None:
    """In words, after a first portion; the next call goes on."""
    monkeypatch.setattr("memslot_sidecar.edge.inspection.portions.PORTION_BYTES", 1_000)
    async with served(make) as call:
        await fill(call, 20)
        hurried = await inspected(call, body(1), deadline_s=0.0)
        assert "15 slots were not compared" in hurried.incomplete
        assert hurried.slots == 5
        assert await names(call, body(1)) == ["s1"]


async def test_writes_go_on_while_prompts_are_inspected(make: StoreMaker) -> None:
    """Whatever was answered before an inspection began is right in it, however many write and inspect at once."""
    async with served(make, MANY) as call:
        await fill(call, 40)
        wrong: list[str] = []

        async def change(slot: int) -> None:
            for turn in range(8):
                number = 1000 + slot * 100 + turn
                await call(write(f"s{slot}", body(number).encode()))
                found = await names(call, f"{body(number)} {body(number - 1)}")
                wrong.extend([f"s{slot}"] if found != [f"s{slot}"] else [])

        await asyncio.gather(*(change(slot) for slot in range(8)))
        assert not wrong


async def test_many_changes_leave_no_fingerprints(make: StoreMaker) -> None:
    """Those of bodies that are gone are dropped: memory does not grow with the number of writes."""
    async with served(make) as call:
        sizes = []
        for round_ in range(12):
            for number in range(300):
                await call(write(f"s{number % 50}", body(round_ * 1000 + number).encode()))
                if number % 50 == 49:
                    await names(call, body(round_ * 1000 + number))
            sizes.append(call.ctx.inspector.used_bytes)
        assert max(sizes) < 4 * sizes[0]


async def test_more_findings_than_a_reply_takes_are_counted(monkeypatch: pytest.MonkeyPatch, make: StoreMaker) -> None:
    """The longest are told, and how many are not."""
    monkeypatch.setattr("memslot_sidecar.operations.inspect_prompt.FINDINGS_MOST", 3)
    async with served(make) as call:
        await fill(call, 5)
        texts = texts_of("\n".join(body(number)[: 100 + number] for number in range(5)), "")
        result = await inspect(call.ctx, "ns", texts, TurnKey("ns", "", "1"), counter_of("chars"))
        assert [found.name for found in result.findings] == ["s2", "s3", "s4"]
        assert "2 more findings" in result.incomplete
        assert result.leaked_characters > 500


async def test_a_turn_is_cut_as_everywhere(make: StoreMaker) -> None:
    """However a turn is named, what was injected for it is allowed in it, and the call is told of under the same name."""
    turn = "\0turn " + "名" * 10_000
    async with served(make) as run:
        await run(write("a", body(1).encode()))
        shown = (await run(InjectRequest(namespace="ns", names=["a"], turn=turn))).text
        reply = await run(inspection(shown, turn=turn))
        assert reply.findings[0].injection_id
        assert not reply.leaked_characters
        assert len(run.calls[-1].turn.encode()) <= 128
        assert {len(key.turn.encode()) <= 128 for key in run.ctx.ledger.turns("ns")} == {True}
