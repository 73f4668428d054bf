"""One channel to a running server, with the generated stubs: the measured client is as thin as the echo's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio
from tests.benchmarks.echo_server import ECHO, SIZED
from tests.benchmarks.processes import Running

from memslot.v1.agent_service_pb2_grpc import AgentServiceStub
from memslot.v1.namespace_service_pb2_grpc import NamespaceServiceStub
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

if TYPE_CHECKING:
    from memslot.v1.agent_service_pb2_grpc import AgentServiceAsyncStub
    from memslot.v1.namespace_service_pb2_grpc import NamespaceServiceAsyncStub
    from memslot.v1.slot_service_pb2_grpc import SlotServiceAsyncStub

# Two channels of one process to one address would share a connection otherwise.
_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]


class Sidecar:
    """A connected sidecar."""

    def __init__(self, running: Running, channel: aio.Channel) -> None:
        self.running = running
        self.slots: SlotServiceAsyncStub = SlotServiceStub(channel)
        self.namespaces: NamespaceServiceAsyncStub = NamespaceServiceStub(channel)
        self.agent: AgentServiceAsyncStub = AgentServiceStub(channel)


class Echo:
    """The connected echo server."""

    def __init__(self, running: Running, channel: aio.Channel) -> None:
        self.running = running
        self._echo = self._method(channel, ECHO)
        self._sized = self._method(channel, SIZED)

    async def echo(self, payload: bytes) -> None:
        """Sends and gets the same bytes."""
        reply = await self._echo(BytesValue(value=payload))
        if reply.value != payload:
            raise AssertionError("the echo is not what was sent")

    async def sized(self, request_bytes: int, reply_bytes: int) -> None:
        """Sends a message and gets one, each of (almost) the size given."""
        value = reply_bytes.to_bytes(4, "big").ljust(request_bytes, b"\0")
        reply = await self._sized(BytesValue(value=value))
        if len(reply.value) != reply_bytes:
            raise AssertionError("the reply has not the size that was asked for")

    @staticmethod
    def _method(channel: aio.Channel, path: str) -> aio.UnaryUnaryMultiCallable[BytesValue, BytesValue]:
        return channel.unary_unary(
            path, request_serializer=BytesValue.SerializeToString, response_deserializer=BytesValue.FromString
        )


@asynccontextmanager
async def connected(running: Running, target: str | None = None) -> AsyncIterator[Sidecar]:
    """A client of a running sidecar, by another way than its address if ``target`` says so."""
    async with aio.insecure_channel(target or running.target, options=_OPTIONS) as channel:
        yield Sidecar(running, channel)


@asynccontextmanager
async def connected_echo(running: Running) -> AsyncIterator[Echo]:
    """A client of the running echo server."""
    async with aio.insecure_channel(running.target, options=_OPTIONS) as channel:
        yield Echo(running, channel)
