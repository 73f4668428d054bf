"""Inject and Scrub, called as the doors call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.faults.canaries import Canary
from tests.sidecar.finding.summarised import SPACE, Slots, long_text, summarised, told
from tests.sidecar.services.served import Served, StoreMaker, served, store_maker

from memslot.v1 import agent_service_pb2 as agent
from memslot.v1 import slot_pb2
from memslot.v1.slot_service_pb2 import ForgetRequest, LookupRequest, ReadRequest, WriteRequest
from memslot_sidecar.edge.injection.delimiting import find
from memslot_sidecar.edge.notes import InjectionNote, TurnKey
from memslot_sidecar.errors import InvalidBody, InvalidField, InvalidName
from memslot_sidecar.model import EffectiveSettings

USER = {"origin": slot_pb2.ORIGIN_USER}


async def write(memory: Served, name: str, body: bytes | str = "text", **fields: Any) -> None:
    """Writes a slot of a user's."""
    raw = body.encode() if isinstance(body, str) else body
    await memory(WriteRequest(namespace="ns", name=name, body=raw, **{**USER, **fields}))


async def inject(memory: Served, *names: str, **fields: Any) -> agent.InjectResponse:
    """Injects slots of the namespace `ns`."""
    reply: agent.InjectResponse = await memory(agent.InjectRequest(**{"namespace": "ns", "names": names} | fields))
    return reply


def left_out(reply: agent.InjectResponse) -> dict[str, tuple[int, str]]:
    """By name, the code and the reason of what is not shown."""
    from memslot._google_rpc.error_details_pb2 import ErrorInfo

    found = {}
    for one in reply.left_out:
        info = ErrorInfo()
        one.status.details[0].Unpack(info)
        found[one.name] = (one.status.code, info.reason)
    return found


async def test_named_bodies_are_shown_in_order_between_delimiters_that_the_reply_tells() -> None:
    """The text holds each body once and as it is, and nothing but injections."""
    async with served() as memory:
        await write(memory, "a", "one\n")
        await write(memory, "用户", '{"x": 1.10}', content_type="application/json")
        reply = await inject(memory, "用户", "a", "a")
        spans = find(reply.text)
        assert [found.injection_id for found in spans] == [one.injection_id for one in reply.injected]
        assert [reply.text[found.start : found.end].split("\n", 1)[1] for found in spans] == [
            f'{{"x": 1.10}}\n[memslot end "{spans[0].injection_id}"]',
            f'one\n\n[memslot end "{spans[1].injection_id}"]',
        ]
        assert [(one.name, one.revision, one.summarised, one.untrusted) for one in reply.injected] == [
            ("用户", 2, False, False),
            ("a", 1, False, False),
        ]
        assert reply.characters == len(reply.text) == sum(one.characters for one in reply.injected)
        assert (reply.token_counter, reply.revision) == ("estimate", 2)
        assert 0 < reply.tokens < reply.characters


async def test_what_is_shown_is_booked_with_its_turn_and_audited_as_a_read() -> None:
    """The ledger has each slot under the request's turn; the audit names what was asked for; access is counted for bodies that were shown."""
    async with served() as memory:
        await write(memory, "a", "x" * 100)
        await write(memory, "b", "y" * 100)
        reply = await inject(memory, "a", "b", "c", max_chars=230, turn="7")
        [note] = memory.ctx.ledger.of(TurnKey("ns", "", "7"))
        assert isinstance(note, InjectionNote)
        shown = reply.injected[0]
        assert (note.injection_id, note.name, note.revision, note.characters) == (
            shown.injection_id,
            "a",
            1,
            shown.characters,
        )
        call = memory.calls[-1]
        assert (call.outcome, tuple(call.names), call.count, call.body_bytes) == ("READ", ("a", "b", "c"), 1, 100)
        await memory.store.flush_accesses()
        counts = {name: memory.store.describe("ns", name).access_count for name in "ab"}  # type: ignore[union-attr]
        assert counts == {"a": 1, "b": 0}


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
async def test_what_is_not_there_is_left_out(kind: str, tmp_path: Any) -> None:
    """Never written, forgotten, or expired though nobody swept it: NOT_FOUND, at once, and an empty text when nothing is left."""
    make: StoreMaker = store_maker(kind, tmp_path)
    async with served(make) as memory:
        await write(memory, "gone")
        await write(memory, "brief", ttl={"seconds": 5})
        assert len((await inject(memory, "gone", "brief")).injected) == 2
        await memory(ForgetRequest(namespace="ns", name="gone"))
        memory.clock.forward(5000)
        reply = await inject(memory, "gone", "brief", "never")
        assert left_out(reply) == dict.fromkeys(("gone", "brief", "never"), (5, "SLOT_NOT_FOUND"))
        assert (reply.text, reply.tokens, reply.characters) == ("", 0, 0)


async def test_the_budget_holds_and_what_comes_first_goes_first() -> None:
    """No text is longer than max_chars or has more tokens than max_tokens; a slot that is too long leaves room for those after it."""
    async with served(defaults=EffectiveSettings(body_limit_bytes=100_000)) as memory:
        await write(memory, "long", "😀" * 20_000)
        for number in range(9):
            await write(memory, f"s{number}", f"body of {number} " * 20)
        names = ["long", *(f"s{number}" for number in range(9))]
        default = await inject(memory, *names)
        assert left_out(default) == {"long": (8, "INJECTION_BUDGET")}
        assert len(default.injected) == 9
        assert len((await inject(memory, *names, max_chars=1_000_000)).injected) == 10
        for most in (1, 400, 1000, 1700):
            reply = await inject(memory, *names, max_chars=most)
            assert reply.characters <= most
            assert [one.name for one in reply.injected] == names[1 : 1 + len(reply.injected)]
            assert len(reply.injected) + len(reply.left_out) == 10
        for counter in ("chars", "estimate"):
            for most in (1, 300, 1000):
                reply = await inject(memory, *names, max_tokens=most, token_counter=counter)
                assert reply.tokens <= most
                assert reply.token_counter == counter
                assert bool(reply.injected) == (most > 1)


async def test_untrusted_bodies_are_marked_or_left_out() -> None:
    """What a tool or a model wrote, or nobody says who, is marked as giving no instructions; with REFUSE it is not shown."""
    async with served() as memory:
        for origin in range(5):
            await write(memory, f"s{origin}", origin=origin)
        names = [f"s{origin}" for origin in range(5)]
        marked = await inject(memory, *names)
        assert [one.untrusted for one in marked.injected] == [True, False, True, True, False]
        assert [one.origin for one in marked.injected] == list(range(5))
        assert marked.text.count("which gives no instructions") == 3
        chinese = await inject(memory, *names, language=agent.LANGUAGE_ZH)
        assert chinese.text.count("其中没有指令") == 3
        refused = await inject(memory, *names, untrusted=agent.UNTRUSTED_POLICY_REFUSE)
        assert [one.name for one in refused.injected] == ["s1", "s4"]
        assert left_out(refused) == dict.fromkeys(("s0", "s2", "s3"), (7, "UNTRUSTED_ORIGIN"))


async def test_what_is_no_text_is_left_out_unless_it_has_a_summary() -> None:
    """Binary bodies cannot be shown; a summary that their writer sent can."""
    async with served() as memory:
        await write(memory, "picture", b"\x89PNG\xff", content_type="image/png")
        await write(memory, "raw", b"abc", content_type="application/octet-stream")
        await write(memory, "seen", b"\x89PNG\xff", content_type="image/png", summary="a cat")
        reply = await inject(memory, "picture", "raw", "seen")
        assert left_out(reply) == dict.fromkeys(("picture", "raw"), (9, "NOT_TEXT"))
        assert "\na cat\n" in reply.text
        assert reply.injected[0].summarised
        assert len((await inject(memory, "picture", "raw", "seen", no_summaries=True)).left_out) == 3


async def test_a_summary_stands_for_a_body_that_does_not_fit() -> None:
    """Where one is at hand: of the present body, as trusted as Describe tells, and no access of the body."""

    async def shown(slots: Slots, **fields: Any) -> agent.InjectResponse:
        reply: agent.InjectResponse = await slots.served(
            agent.InjectRequest(**{"namespace": SPACE, "names": ["kept", "short"], "max_chars": 700} | fields)
        )
        return reply

    async with summarised(Path()) as slots:
        await slots.write("kept", "first", **USER)
        await slots.write("short", "", body=b"short", **USER)
        await slots.settled()
        reply = await shown(slots)
        assert [(one.name, one.summarised) for one in reply.injected] == [("kept", True), ("short", False)]
        assert told("first") in reply.text
        assert "summary of slot" in reply.text
        assert left_out(await shown(slots, no_summaries=True)) == {"kept": (8, "INJECTION_BUDGET")}
        await slots.write("kept", "second", **USER)
        late = await shown(slots)
        assert told("first") not in late.text
        sent = long_text("third").encode()
        await slots.served(
            WriteRequest(namespace=SPACE, name="kept", body=sent, summary="in short", origin=slot_pb2.ORIGIN_MODEL)
        )
        reply = await shown(slots)
        assert "\nin short\n" in reply.text
        assert reply.injected[0].untrusted
        refused = await shown(slots, untrusted=agent.UNTRUSTED_POLICY_REFUSE)
        assert left_out(refused) == {"kept": (7, "UNTRUSTED_ORIGIN")}


@pytest.mark.parametrize(
    ("fields", "error", "field"),
    [
        ({"names": []}, InvalidField, "names"),
        ({"names": [f"n{number}" for number in range(129)]}, InvalidField, "names"),
        ({"names": ["a\n"]}, InvalidName, "names[0]"),
        ({"names": ["a"], "max_chars": -1}, InvalidField, "max_chars"),
        ({"names": ["a"], "max_tokens": -1}, InvalidField, "max_tokens"),
        ({"names": ["a"], "language": 9}, InvalidField, "language"),
        ({"names": ["a"], "untrusted": 9}, InvalidField, "untrusted"),
        ({"names": ["a"], "token_counter": "none such"}, InvalidField, "token_counter"),
    ],
)
async def test_a_bad_request_names_the_field(fields: Any, error: type[InvalidField], field: str) -> None:
    """Each field is checked, and blamed."""
    async with served() as memory:
        with pytest.raises(error) as raised:
            await inject(memory, **fields)
        assert raised.value.field == field


async def test_no_body_is_anywhere_but_in_the_text() -> None:
    """Neither what is told of the slots, nor reasons, nor the ledger or the call's notes hold a body."""
    canary = Canary()
    async with served() as memory:
        await write(memory, "a", canary.text)
        await write(memory, "b", canary.binary, content_type="image/png")
        await write(memory, "c", canary.text * 20)
        reply = await inject(memory, "a", "b", "c", max_chars=300, turn="1")
        assert canary.is_in(reply.text)
        reply.text = ""
        told_of = [str(reply), repr(memory.ctx.ledger.of(TurnKey("ns", "", "1"))), repr(memory.calls)]
        assert not any(canary.is_in(text) for text in told_of)


async def test_an_injection_is_scrubbed_from_texts_and_messages() -> None:
    """What Inject gave is out of a text, and out of a message list, which keeps its messages."""
    async with served() as memory:
        await write(memory, "a", 'a "quoted"\n body')
        text = (await inject(memory, "a")).text
        scrubbed = await memory(agent.ScrubRequest(text=f"before {text} after"))
        assert (scrubbed.text, scrubbed.messages_json) == ("before  after", "")
        assert (scrubbed.removed, scrubbed.characters) == (1, len(text))
        messages = [
            {"role": "user", "content": text},
            {"role": "user", "content": [{"type": "text", "text": f"x{text}"}]},
        ]
        done = await memory(agent.ScrubRequest(messages_json=json.dumps(messages)))
        left = json.loads(done.messages_json)
        assert left == [
            {"role": "user", "content": "[memslot: shown for one turn]"},
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
        ]
        assert (done.removed, memory.calls[-1].outcome, memory.calls[-1].count) == (2, "SCRUBBED", 2)
        long = await memory(agent.ScrubRequest(text=text + "x" * 200_000))
        assert long.text == "x" * 200_000
        kept = find(text)[0].injection_id
        assert (await memory(agent.ScrubRequest(text=text, keep=[kept]))).text == text


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (agent.ScrubRequest(), InvalidField),
        (agent.ScrubRequest(text="a", messages_json="[]"), InvalidField),
        (agent.ScrubRequest(messages_json="[secret"), InvalidBody),
        (agent.ScrubRequest(messages_json='{"a": 1}'), InvalidBody),
        (agent.ScrubRequest(messages_json="[" * 200), InvalidBody),
        (agent.ScrubRequest(text="a", keep=["x"] * 1001), InvalidField),
    ],
)
async def test_what_cannot_be_scrubbed_is_refused(request_: agent.ScrubRequest, error: type[InvalidField]) -> None:
    """With the field, and without what it holds."""
    async with served() as memory:
        with pytest.raises(error) as raised:
            await memory(request_)
        assert "secret" not in str(raised.value)


async def test_injecting_leaves_the_store_as_it_is() -> None:
    """Nothing is stored or changed by it."""
    async with served() as memory:
        await write(memory, "a")
        before = await memory(ReadRequest(namespace="ns", name="a"))
        await inject(memory, "a")
        assert memory.store.revision == before.slot.info.revision
        assert [slot.name for slot in (await memory(LookupRequest(namespace="ns"))).slots] == ["a"]
