"""Outputs of a model, and what came of them."""

from __future__ import annotations

import json
from typing import Any

from tests.sidecar.services.served import Served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_pb2 import Slot
from memslot.v1.slot_service_pb2 import ReadRequest
from memslot_sidecar.errors import SlotNotFound

NAMESPACE = "acme"


def written(action: str, **arguments: Any) -> str:
    """An action as a model writes it."""
    return json.dumps({"action": action, **arguments}, ensure_ascii=False)


async def act(run: Served, *outputs: str, **fields: Any) -> pb.ActResponse:
    """What came of outputs that stand in one."""
    reply: pb.ActResponse = await run(pb.ActRequest(namespace=NAMESPACE, output="\n".join(outputs), **fields))
    return reply


async def lines(run: Served, *outputs: str, **fields: Any) -> list[str]:
    """What the model is told, a line for each action."""
    return (await act(run, *outputs, **fields)).model_text.split("\n")


async def stored(run: Served, name: str) -> Slot | None:
    """The slot as it is in the store."""
    try:
        slot: Slot = (await run(ReadRequest(namespace=NAMESPACE, name=name))).slot
    except SlotNotFound:
        return None
    return slot


async def value(run: Served, name: str) -> tuple[str, str] | None:
    """A slot's content type and body."""
    slot = await stored(run, name)
    return None if slot is None else (slot.info.content_type, slot.body.decode())


def outcomes(reply: pb.ActResponse) -> list[str]:
    """How the actions ended."""
    return [pb.ActionOutcome.Name(one.outcome).removeprefix("ACTION_OUTCOME_") for one in reply.actions]
