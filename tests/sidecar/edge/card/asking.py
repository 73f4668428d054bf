"""Cards and slots of the namespace `ns`, short to ask for."""

from __future__ import annotations

from typing import Any

from tests.sidecar.services.served import Served

from memslot.v1 import agent_service_pb2 as agent
from memslot.v1.slot_service_pb2 import ForgetRequest, WriteRequest
from memslot_sidecar.model import EffectiveSettings

MANY = EffectiveSettings(slot_limit=100_000)


async def card(memory: Served, **fields: Any) -> agent.GetPromptCardResponse:
    """The card."""
    reply: agent.GetPromptCardResponse = await memory(agent.GetPromptCardRequest(**{"namespace": "ns"} | fields))
    return reply


async def write(memory: Served, name: str, body: bytes = b"x", **fields: Any) -> None:
    """Writes a slot that does not expire, unless the test says otherwise."""
    if "ttl" not in fields:
        fields["never"] = True
    await memory(WriteRequest(namespace="ns", name=name, body=body, **fields))


async def forget(memory: Served, name: str) -> None:
    """Forgets a slot."""
    await memory(ForgetRequest(namespace="ns", name=name))
