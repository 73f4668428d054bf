"""Every output of the corpus leaves the store as its `expect` says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.operations.acts import NAMESPACE, outcomes, stored
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_service_pb2 import ForgetMatchingRequest, LookupRequest
from memslot_sidecar.model import EffectiveSettings

DATA = Path(__file__).parents[1] / "parsing/data/model_outputs.jsonl"
WIDE = EffectiveSettings(slot_limit=1000, body_limit_bytes=1_000_000)


@cache
def cases() -> list[dict[str, Any]]:
    """The corpus."""
    return [json.loads(line) for line in DATA.read_text(encoding="ascii").split("\n") if line]


def expected(actions: list[dict[str, Any]]) -> dict[str, Any]:
    """The slots and values that the actions leave in an empty store."""
    slots: dict[str, Any] = {}
    for action in actions:
        if action["action"] == "mem_write":
            slots[action["slot"]] = action["value"]
        elif action["action"] == "mem_forget":
            slots.pop(action["slot"], None)
    return slots


async def executed(run: Served, case: dict[str, Any], *, lenient: bool) -> pb.ActResponse:
    """The reply to the case's output, in a namespace of its own."""
    output = case["output"].encode("utf-8", "surrogatepass")
    mode = pb.ACT_MODE_LENIENT if lenient else pb.ACT_MODE_STRICT
    reply: pb.ActResponse = await run(pb.ActRequest(namespace=NAMESPACE, raw_output=output, mode=mode))
    return reply


def agrees(slot: Any, value: Any) -> bool:
    """Whether a slot holds a value: a text as text, anything else as JSON, integers exactly."""
    if isinstance(value, str):
        return bool(slot.info.content_type == "text/plain" and slot.body.decode() == value)
    return bool(slot.info.content_type == "application/json" and json.dumps(json.loads(slot.body)) == json.dumps(value))


@pytest.mark.parametrize("lenient", [False, True])
async def test_the_store_holds_what_each_output_meant(make: StoreMaker, *, lenient: bool) -> None:
    """All 246 outputs, executed: the slots are those expected, with exactly their values, and there are no others."""
    async with served(make, WIDE) as run:
        for case in cases():
            expect = case["expect"] if lenient or case["strict"] else case["expect"]["strict_mode"]
            reply = await executed(run, case, lenient=lenient)
            assert len(reply.actions) == len(expect["actions"]), case["id"]
            assert "REFUSED" not in outcomes(reply), (case["id"], reply.model_text)
            wanted = expected(expect["actions"])
            for name, value in wanted.items():
                assert agrees(await stored(run, name), value), (case["id"], name)
            names = [item.name for item in (await _names(run))]
            assert sorted(names) == sorted(wanted), case["id"]
            await _empty(run)


async def _names(run: Served) -> Any:

    return (await run(LookupRequest(namespace=NAMESPACE, page_size=1000))).slots


async def _empty(run: Served) -> None:

    await run(ForgetMatchingRequest(namespace=NAMESPACE, all=True))
