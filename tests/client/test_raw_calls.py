"""Any RPC by its messages."""

from __future__ import annotations

import pytest

import memslot
from memslot import EmbeddedMemory, SlotExists, aio
from memslot._core.raw import unary_methods
from memslot.v1 import slot_service_pb2 as pb


def test_a_call_by_its_messages_is_a_call(memory: EmbeddedMemory) -> None:
    """What the client has no method for can be asked for all the same, and errors are those of every call."""
    request = pb.WriteRequest(namespace=memory.namespace_path, name="a", body=b"body")
    request.precondition.if_absent = True
    assert memory.call("SlotService/Write", request).receipt.version == 1
    with pytest.raises(SlotExists) as raised:
        memory.call("memslot.v1.SlotService/Write", request)
    assert next(detail.TypeName() for detail in raised.value.details) == "google.rpc.ErrorInfo"


def test_a_mutation_gets_a_request_id_of_its_own(memory: EmbeddedMemory) -> None:
    """The message that was given stays as it is, and the error can be retried under the id that was sent."""
    request = pb.WriteRequest(namespace="a//b", name="a", body=b"body")
    with pytest.raises(memslot.errors.InvalidName) as raised:
        memory.call("SlotService/Write", request)
    assert not request.request_id
    assert raised.value.request_id


async def test_the_awaited_client_calls_alike() -> None:
    """The same holds for asyncio."""
    async with aio.embedded(namespace="acme") as memory:
        reply = await memory.call("SlotService/Lookup", pb.LookupRequest(namespace="acme"))
        assert list(reply.slots) == []


def test_what_the_contract_does_not_have_is_refused(memory: EmbeddedMemory) -> None:
    """An RPC that is not there, or is a stream, is a ValueError; another method's message a TypeError."""
    for name in ("SlotService/Dance", "AdminService/Backup"):
        with pytest.raises(ValueError, match="SlotService/Read"):
            memory.call(name, pb.ReadRequest())
    with pytest.raises(TypeError, match="ReadRequest"):
        memory.call("SlotService/Read", pb.LookupRequest())


def test_every_unary_method_is_known() -> None:
    """All four services are there, streams left out."""
    assert {name.partition("/")[0] for name in unary_methods()} == {
        "SlotService", "NamespaceService", "AgentService", "AdminService",
    }  # fmt: skip
    assert "AdminService/Backup" not in unary_methods()
