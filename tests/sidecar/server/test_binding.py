"""The edge to gRPC: bytes in, bytes out, errors as a status."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from memslot.v1 import admin_service_pb2, slot_service_pb2
from memslot_sidecar.binding import Table, bound, not_yet
from memslot_sidecar.call import Call
from memslot_sidecar.errors import ErasePending, SlotNotFound
from memslot_sidecar.interceptors.counts import CallCounts
from memslot_sidecar.routes import routes
from memslot_sidecar.services.registry import Method
from memslot_sidecar.traffic import Traffic

READ = "/memslot.v1.SlotService/Read"
BACKUP = "/memslot.v1.AdminService/Backup"


class Silent:
    """An audit log that admits all and remembers how calls ended."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.told = asyncio.Event()

    def admit(self) -> None:
        """Admits the call."""

    def finished(self, call: Call, code: str) -> None:
        """Remembers."""
        self.codes.append(code)
        self.told.set()


async def read(request: slot_service_pb2.ReadRequest, call: Call) -> Any:
    """Behaves as the slot's name says."""
    match request.name:
        case "message":
            return slot_service_pb2.ReadResponse(revision=7)
        case "bytes":
            return slot_service_pb2.ReadResponse(revision=8).SerializeToString()
        case "bug":
            raise RuntimeError("the secret body")
        case "pending":
            raise ErasePending("later", retry_after_ms=250)
        case "hang":
            await asyncio.Event().wait()
    raise SlotNotFound("no", metadata={"namespace": "acme", "name": request.name})


async def backup(request: admin_service_pb2.BackupRequest, call: Call) -> AsyncIterator[Any]:
    """Two chunks, and then a bug."""
    yield admin_service_pb2.BackupResponse(chunk=b"a")
    yield admin_service_pb2.BackupResponse(chunk=b"b")
    raise RuntimeError("the secret body")


METHODS = [
    Method("memslot.v1.SlotService", "Read", slot_service_pb2.ReadRequest, slot_service_pb2.ReadResponse, read),
    Method(
        "memslot.v1.AdminService",
        "Backup",
        admin_service_pb2.BackupRequest,
        admin_service_pb2.BackupResponse,
        backup,
        True,
    ),
]


@asynccontextmanager
async def served(table: Table) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server that answers what the table says."""
    server = grpc.aio.server(handlers=[table])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield channel
    finally:
        await server.stop(None)


def table_with(audit: Silent) -> Table:
    """A table of the test's methods."""
    return Table({route.path: bound(route, Traffic()) for route in routes(METHODS, audit, CallCounts())})


def asking(name: str) -> bytes:
    """A serialised ReadRequest."""
    return slot_service_pb2.ReadRequest(namespace="acme", name=name).SerializeToString()


def info_of(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    """The ErrorInfo of a failure."""
    status: Any = rpc_status.from_call(error)  # type: ignore[arg-type]
    return error_details_pb2.ErrorInfo.FromString(status.details[0].value)


@pytest.mark.parametrize(("name", "revision"), [("message", 7), ("bytes", 8)])
async def test_reply_is_a_message_or_already_serialised(name: str, revision: int) -> None:
    """A handler may answer with a message or with its bytes; the caller sees no difference."""
    async with served(table_with(Silent())) as channel:
        reply = slot_service_pb2.ReadResponse.FromString(await channel.unary_unary(READ)(asking(name)))
    assert reply.revision == revision


async def test_bug_reaches_the_caller_as_an_id() -> None:
    """An unforeseen exception is INTERNAL with an error id, in a reply as in a stream, and never its text."""
    audit = Silent()
    async with served(table_with(audit)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as unary:
            await channel.unary_unary(READ)(asking("bug"))
        with pytest.raises(grpc.aio.AioRpcError) as stream:
            [chunk async for chunk in channel.unary_stream(BACKUP)(b"")]
    for caught in (unary, stream):
        assert caught.value.code() == grpc.StatusCode.INTERNAL
        assert len(info_of(caught.value).metadata["error_id"]) == 16
        assert "secret" not in f"{caught.value.details()} {caught.value.trailing_metadata()}"
    assert audit.codes == ["INTERNAL", "INTERNAL"]


async def test_retry_is_told_to_grpc_too() -> None:
    """A failure that a retry may mend carries the pushback that gRPC clients obey by themselves."""
    async with served(table_with(Silent())) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await channel.unary_unary(READ)(asking("pending"))
    assert (caught.value.code(), info_of(caught.value).reason) == (grpc.StatusCode.UNAVAILABLE, "ERASE_PENDING")
    assert dict(caught.value.trailing_metadata())["grpc-retry-pushback-ms"] == "250"


@pytest.mark.parametrize("path", [READ, BACKUP])
async def test_bytes_that_are_no_request_are_refused(path: str) -> None:
    """A request that cannot be decoded is INVALID_ARGUMENT and one event."""
    audit = Silent()
    async with served(table_with(audit)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            [chunk async for chunk in channel.unary_stream(path)(b"\x0a\xff")]
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert info_of(caught.value).reason == "INVALID_FIELD"
    assert audit.codes == ["INVALID_ARGUMENT"]


async def test_call_that_times_out_is_told_as_such() -> None:
    """A call whose deadline passes is cancelled, and its event says DEADLINE_EXCEEDED."""
    audit = Silent()
    async with served(table_with(audit)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await channel.unary_unary(READ)(asking("hang"), timeout=0.05)
        assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        await asyncio.wait_for(audit.told.wait(), 10)
    assert audit.codes == ["DEADLINE_EXCEEDED"]


async def test_method_is_refused_until_the_store_is_open() -> None:
    """Before the store is open a call is UNAVAILABLE and may be tried again; afterwards the same server answers it."""
    table = Table({READ: not_yet()})
    async with served(table) as channel:
        call = channel.unary_unary(READ)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(asking("message"))
        assert info_of(caught.value).reason == "STORE_UNAVAILABLE"
        table.replace({route.path: bound(route, Traffic()) for route in routes(METHODS, Silent(), CallCounts())})
        assert await call(asking("message"))
