"""Act: every action through the operation of a client, in order, with a receipt that holds no body."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from tests.sidecar.operations.acts import NAMESPACE, act, lines, outcomes, stored, value, written
from tests.sidecar.operations.requests import new_id
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_service_pb2 import WriteRequest
from memslot_sidecar.edge.notes import ActionNote, ActNote, RejectNote, TurnKey
from memslot_sidecar.errors import InvalidField, InvalidName, RequestIdReused
from memslot_sidecar.model import EffectiveSettings

CANARY = "CANARY-body-that-nobody-may-see"
TORN = '{"action": "mem_write", "slot": "s", "value": "' + CANARY
REPLY_LIMIT_BYTES = 4_000_000


async def fill(run: Served, *names: str, body: bytes = b"v", **fields: Any) -> None:
    """Writes slots as a client does."""
    for name in names:
        await run(WriteRequest(namespace=NAMESPACE, name=name, body=body, **fields))


async def test_a_body_goes_to_the_application_alone(make: StoreMaker) -> None:
    """A read returns the body in its own field; the lines say only that."""
    async with served(make) as run:
        await fill(run, "user_pref", body=CANARY.encode())
        reply = await act(run, "Let me look. ", written("mem_read", slot="user_pref"))
        assert reply.actions[0].slot.body == CANARY.encode()
        assert reply.actions[0].slot.info.name == "user_pref"
        assert reply.model_text == reply.actions[0].line == "read user_pref: given to the application"
        assert reply.user_text.strip() == "Let me look."
        reply.actions[0].ClearField("slot")
        assert CANARY not in str(reply)


async def test_what_is_not_there_is_told_with_the_nearest_name(make: StoreMaker) -> None:
    """A read of a name that is not there is NOT_FOUND, never empty; a similar name is told, and what is not similar is not."""
    async with served(make) as run:
        await fill(run, "user_pref", "trip/plan", "用户偏好", "User_Name")
        for slot, line in [
            ("user_prfe", "not found: user_prfe (nearest: user_pref)"),
            ("用户的偏好", "not found: 用户的偏好 (nearest: 用户偏好)"),
            ("USER_NAME", "not found: USER_NAME (nearest: User_Name)"),
            ("zzz", "not found: zzz"),
        ]:
            reply = await act(run, written("mem_read", slot=slot))
            assert (outcomes(reply), reply.model_text) == (["NOT_FOUND"], line)
            assert reply.actions[0].error.code == 5
        assert await lines(run, written("mem_forget", slot="trip_plan")) == [
            "nothing to forget: trip_plan (nearest: trip/plan)"
        ]


async def test_forgetting(make: StoreMaker) -> None:
    """A forgotten slot is gone; what is absent is no error."""
    async with served(make) as run:
        await fill(run, "a")
        reply = await act(run, written("mem_forget", slot="a"), written("mem_forget", slot="a"))
        assert outcomes(reply) == ["DONE", "DONE"]
        assert reply.model_text == "forgot a\nnothing to forget: a"
        assert await stored(run, "a") is None


async def test_lookups_list_names(make: StoreMaker) -> None:
    """Names by rank, by prefix, and how many more there are; never more than a receipt has room for."""
    async with served(make) as run:
        assert await lines(run, written("mem_lookup")) == ["no names"]
        await fill(run, *(f"trip/{number:02}" for number in range(51)), "user")
        reply = await act(run, written("mem_lookup"))
        assert len(reply.actions[0].found.names) == 20
        assert reply.actions[0].found.more
        assert reply.model_text.endswith(", and 32 more")
        reply = await act(run, written("mem_lookup", name_prefix="trip/", limit=2))
        assert reply.model_text == f"names: {', '.join(reply.actions[0].found.names)}, and 49 more"
        assert await lines(run, written("mem_lookup", name_prefix="us", limit="5")) == ["names: user"]
        assert len((await act(run, written("mem_lookup", limit=1000))).actions[0].found.names) == 52
        for bad in (0, -1, 1.5, "many", True, [1]):
            assert outcomes(await act(run, written("mem_lookup", limit=bad))) == ["REFUSED"], bad
    async with served(make, EffectiveSettings(slot_limit=200)) as run:
        await fill(run, *(f"{number:03}{'n' * 120}" for number in range(100)))
        reply = await act(run, written("mem_lookup", limit=100))
        assert len(reply.actions[0].found.names) == 100
        assert len(reply.model_text) < 2_000
        assert "more" in reply.model_text


async def test_without_an_index_a_search_looks_at_names(make: StoreMaker) -> None:
    """Where texts are not indexed, words of the query are looked for in names, descriptions and tags, and the model is told so."""
    async with served(make) as run:
        await fill(run, "user_pref", body=b"secret words")
        await fill(run, "x1", description="Her favourite tea")
        await fill(run, "x2", tags=["退款政策"])
        for query, name in [("user preferences: pref", "user_pref"), ("which TEA?", "x1"), ("退款", "x2")]:
            line = f"found by name (searching texts is not enabled): {name}"
            assert await lines(run, written("mem_search", query=query)) == [line]
        reply = await act(run, written("mem_search", query="secret"))
        assert (outcomes(reply), list(reply.actions[0].found.names)) == (["DONE"], [])
        assert "mem_lookup lists the names" in reply.model_text
        assert outcomes(await act(run, written("mem_search", query=" "))) == ["REFUSED"]


async def test_actions_run_in_order_and_the_others_go_on(make: StoreMaker) -> None:
    """Each sees what those before it did; lines stand in the order of the output, rejects among them."""
    async with served(make) as run:
        reply = await act(
            run,
            written("mem_write", slot="a", value="1"),
            written("mem_read", slot="a"),
            written("mem_wrote", slot="a", value="2"),
            written("mem_write", slot="big", value="x" * 5000),
            written("mem_append", slot="a", value="2"),
            written("mem_read", slot="a"),
            written("mem_forget", slot="a"),
            written("mem_read", slot="a"),
            TORN,
        )
        assert outcomes(reply) == ["DONE", "DONE", "REFUSED", "DONE", "DONE", "DONE", "NOT_FOUND"]
        assert [one.slot.body for one in reply.actions if one.HasField("slot")] == [b"1", b"12"]
        assert [one.reason for one in reply.rejects] == ["UNKNOWN_ACTION", "TRUNCATED"]
        told = reply.model_text.split("\n")
        assert len(told) == 9
        assert [line.startswith("not run: ") for line in told] == [
            False,
            False,
            True,
            False,
            False,
            False,
            False,
            False,
            True,
        ]
        assert CANARY not in reply.model_text + str(reply.rejects)
        assert await stored(run, "s") is None


async def test_nothing_to_do(make: StoreMaker) -> None:
    """Prose is no action: the whole output is the user's text."""
    async with served(make) as run:
        for output in ("", "Hello {you}!", "I will remember it."):
            reply = await act(run, output)
            assert (reply.user_text, reply.model_text, len(reply.actions), len(reply.rejects)) == (output, "", 0, 0)


async def test_validating_executes_nothing(make: StoreMaker) -> None:
    """`validate_only` checks arguments, names, types and sizes, says VALID or REFUSED, and changes and reads nothing."""
    async with served(make) as run:
        reply = await act(
            run,
            written("mem_write", slot="a", value=[1], ttl="7d"),
            written("mem_read", slot="a"),
            written("mem_lookup"),
            written("mem_write", slot="b", value="x" * 5000),
            written("mem_write", slot="c", value=1, colour=1),
            written("mem_read", slot=" c"),
            validate_only=True,
        )
        assert outcomes(reply) == ["VALID", "VALID", "VALID", "REFUSED", "REFUSED", "REFUSED"]
        assert reply.model_text.split("\n")[:3] == ["valid: mem_write a", "valid: mem_read a", "valid: mem_lookup"]
        assert run.store.revision == 0
        assert [call.operation for call in run.calls] == ["Act"]


async def test_chinese(make: StoreMaker) -> None:
    """Receipts, reasons of refusals and of rejects come in Chinese on request."""
    async with served(make) as run:
        told = await lines(
            run,
            written("mem_write", slot="用户偏好", value="茶"),
            written("mem_read", slot="用户爱好"),
            written("mem_write", slot="x", value=1, colour=2),
            written("mem_read", slot="a\nb"),
            TORN,
            language=2,
        )
        assert told[:2] == ["已保存 用户偏好", "未找到：用户爱好（最接近：用户偏好）"]
        assert all(line.startswith("未执行：") for line in told[2:])


async def test_replies_stay_within_their_budget(make: StoreMaker) -> None:
    """Bodies that do not fit are refused with REPLY_BUDGET and can be read again; an output with very many actions is cut, and told."""
    async with served(make, EffectiveSettings(body_limit_bytes=3_000_000)) as run:
        await fill(run, "a", "b", body=b"x" * 2_500_000)
        reply = await act(run, written("mem_read", slot="a"), written("mem_read", slot="b"))
        assert outcomes(reply) == ["DONE", "REFUSED"]
        assert reply.ByteSize() < REPLY_LIMIT_BYTES
        assert "b" in reply.model_text.split("\n")[1]
        reply = await act(run, *[written("mem_lookup", limit=1)] * 1500)
        assert len(reply.actions) == 1000
        assert [one.reason for one in reply.rejects] == ["TOO_MANY_ACTIONS"]
        assert "500" in reply.rejects[0].hint
        assert reply.ByteSize() < REPLY_LIMIT_BYTES
        torn = await act(run, "\n".join(['{"action": "mem_wrote"}'] * 3000))
        assert torn.ByteSize() < REPLY_LIMIT_BYTES
        assert len(torn.rejects) == 201
    with pytest.raises(InvalidField, match="output has"):
        async with served(make) as run:
            await act(run, "x" * 2_000_001)


async def test_a_request_that_comes_again(make: StoreMaker) -> None:
    """Each mutation is executed once for a request id; the repeat answers with the same receipts, and reads are done anew."""
    request_id = new_id()
    output = [
        written("mem_append", slot="a", value="x"),
        written("mem_append", slot="a", value="x"),
        written("mem_read", slot="a"),
        written("mem_forget", slot="gone"),
        written("mem_write", slot="b", value="x" * 5000),
    ]
    async with served(make) as run:
        await fill(run, "gone")
        first = await act(run, *output, request_id=request_id)
        await fill(run, "a", body=b"changed")
        again = await act(run, *output, request_id=request_id)
        assert first.model_text == again.model_text
        assert [one.receipt for one in first.actions] == [one.receipt for one in again.actions]
        assert again.actions[2].slot.body == b"changed"
        assert (first.actions[2].slot.body, await value(run, "a")) == (b"xx", ("text/plain", "changed"))
        assert run.calls[-2].repeated


async def test_concurrent_repeats_execute_once(make: StoreMaker) -> None:
    """Ten copies of one request at the same time do what one does."""
    request_id = new_id()
    output = [written("mem_append", slot=name, value="x") for name in "abcde"]
    async with served(make) as run:
        replies = await asyncio.gather(*(act(run, *output, request_id=request_id) for _ in range(10)))
        assert len({reply.model_text for reply in replies}) == 1
        assert {await value(run, name) for name in "abcde"} == {("text/plain", "x")}


async def test_an_id_is_for_one_output(make: StoreMaker) -> None:
    """The same id with another output is refused, and changes nothing; one that is no UUID is too."""
    request_id = new_id()
    async with served(make) as run:
        await act(run, written("mem_write", slot="a", value=1), request_id=request_id)
        with pytest.raises(RequestIdReused):
            await act(run, written("mem_write", slot="b", value=1), request_id=request_id)
        assert await stored(run, "b") is None
        with pytest.raises(InvalidField, match="UUID"):
            await act(run, written("mem_write", slot="b", value=1), request_id="7")


async def test_an_act_that_was_cut_short_is_completed_by_its_repeat(make: StoreMaker) -> None:
    """Where the first try ended after some actions, the repeat executes the others, and none twice."""
    request_id = new_id()
    output = [written("mem_append", slot="a", value=str(number)) for number in range(8)]
    async with served(make) as run:
        task = asyncio.ensure_future(act(run, *output, request_id=request_id))
        while run.store.revision < 3:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert outcomes(await act(run, *output, request_id=request_id)) == ["DONE"] * 8
        assert await value(run, "a") == ("text/plain", "01234567")


async def test_twenty_models_append_at_once(make: StoreMaker) -> None:
    """Each append is atomic, to a text and to an array alike: nothing is lost."""
    async with served(make) as run:
        outputs = [
            written("mem_append", slot="t", value="x") + written("mem_append", slot="l", value=number)
            for number in range(20)
        ]
        await asyncio.gather(*(act(run, output) for output in outputs))
        assert await value(run, "t") == ("text/plain", "x" * 20)
        found = await value(run, "l")
        assert found is not None
        assert sorted(json.loads(found[1])) == list(range(20))


async def test_what_is_noted_of_a_turn(make: StoreMaker) -> None:
    """The ledger holds sizes, names and reasons of each action and reject, in order, under the turn; never an argument besides the slot."""
    async with served(make) as run:
        output = [
            written("mem_write", slot="a", value=CANARY),
            written("mem_read", slot="b"),
            "{'action': 'mem_read', 'slot': 'c'}",
        ]
        reply = await act(run, *output, turn="7")
        (key,) = run.ctx.ledger.turns(NAMESPACE)
        assert key == TurnKey(NAMESPACE, "", "7")
        head, first, second, third = run.ctx.ledger.of(key)
        assert isinstance(head, ActNote)
        assert (head.characters, head.lenient, head.validate_only) == (len("\n".join(output)), False, False)
        assert isinstance(first, ActionNote)
        assert isinstance(second, ActionNote)
        assert isinstance(third, RejectNote)
        told = (first.action, first.name, first.outcome, first.reason, first.revision, first.characters)
        assert told == ("mem_write", "a", "DONE", "", reply.actions[0].receipt.revision, len(output[0]))
        assert (second.outcome, second.reason, second.line_characters) == (
            "NOT_FOUND",
            "SLOT_NOT_FOUND",
            len("not found: b"),
        )
        assert third.reason == "SINGLE_QUOTES"
        assert CANARY not in repr(run.ctx.ledger.of(key))
        call = run.calls[-1]
        assert (call.operation, call.turn, call.outcome, call.names, call.count) == ("Act", "7", "ACTED", ("a", "b"), 2)


async def test_requests_that_cannot_be(make: StoreMaker) -> None:
    """A namespace, mode, language or output that makes no sense is refused before anything is executed."""
    write = written("mem_write", slot="a", value=1)
    async with served(make) as run:
        for fields in (
            {"raw_output": b"x"},
            {"mode": 9},
            {"on_read": 9},
            {"language": 9},
            {"own_prefixes": [""]},
            {"own_prefixes": ["x" * 65]},
            {"own_prefixes": [str(number) for number in range(17)]},
        ):
            with pytest.raises(InvalidField):
                await act(run, write, **fields)
        with pytest.raises(InvalidField, match="byte 1"):
            await run(pb.ActRequest(namespace="a", raw_output=b"x\xff"))
        with pytest.raises(InvalidName):
            await run(pb.ActRequest(namespace="a//b", output=write))
        assert run.store.revision == 0


async def test_an_output_with_halves_of_surrogate_pairs(make: StoreMaker) -> None:
    """Bytes carry what a text field cannot; spans count its characters, and what cannot be sent back is marked."""
    output = "a\ud800b " + written("mem_write", slot="s", value="v") + " c"
    async with served(make) as run:
        reply = await run(pb.ActRequest(namespace=NAMESPACE, raw_output=output.encode("utf-8", "surrogatepass")))
        span = reply.actions[0].span
        assert output[span.start : span.end] == written("mem_write", slot="s", value="v")
        assert reply.user_text.startswith("a\ufffdb")


async def test_derived_ids_are_of_the_id_and_the_ordinal(make: StoreMaker) -> None:
    """The id under which a mutation is kept is the UUID of version 5 of the request's id and the mutation's number."""
    request_id = new_id()
    async with served(make) as run:
        await act(run, written("mem_read", slot="a"), written("mem_write", slot="a", value=1), request_id=request_id)

        def kept(tx: Any) -> bool:
            return tx.answer("anonymous", str(uuid.uuid5(uuid.UUID(request_id), "0"))) is not None

        assert await run.store.transact(kept)
