"""The bare echo that memslot is measured against: grpc.aio, nothing of ours, in a process of its own.

Run as ``python -m tests.benchmarks.echo_server ADDRESS``; writes one line when it listens.
"""

from __future__ import annotations

import asyncio
import signal
import sys

import grpc
from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio
from tests.benchmarks.event_loop import run

ECHO = "/memslot.benchmarks.Echo/Echo"
"""Answers with what it was sent."""
SIZED = "/memslot.benchmarks.Echo/Sized"
"""Answers with as many bytes as the first four bytes of the request say."""

_replies: dict[int, bytes] = {}


async def echo(request: BytesValue, _context: object) -> BytesValue:
    """Makes a new message of the same bytes, as the least that a server does."""
    return BytesValue(value=request.value)


async def sized(request: BytesValue, _context: object) -> BytesValue:
    """Makes a new message of the size that was asked for."""
    size = int.from_bytes(request.value[:4], "big")
    reply = _replies.get(size)
    if reply is None:
        reply = _replies[size] = bytes(size)
    return BytesValue(value=reply)


async def serve(address: str) -> None:
    """Serves until SIGTERM."""
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    methods = {"Echo": echo, "Sized": sized}
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(
            method, request_deserializer=BytesValue.FromString, response_serializer=BytesValue.SerializeToString
        )
        for name, method in methods.items()
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("memslot.benchmarks.Echo", handlers),))
    server.add_insecure_port(address)
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    await stop.wait()
    await server.stop(None)


if __name__ == "__main__":
    run(serve(sys.argv[1]))
