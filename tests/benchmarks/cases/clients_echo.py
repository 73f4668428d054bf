"""The bare echo for every client: grpc.aio that answers Read with the name that it was sent as the body, and nothing of ours.

Run as ``python -m tests.benchmarks.cases.clients_echo ADDRESS``; writes one line when it listens.
"""

from __future__ import annotations

import asyncio
import signal
import sys

import grpc
from grpc import aio
from tests.benchmarks.event_loop import run

from memslot.v1 import slot_pb2, slot_service_pb2


async def echo(request: slot_service_pb2.ReadRequest, _context: object) -> slot_service_pb2.ReadResponse:
    """Makes a new message of the same bytes, as the least that a server does."""
    return slot_service_pb2.ReadResponse(slot=slot_pb2.Slot(body=request.name.encode()))


async def serve(address: str) -> None:
    """Serves until SIGTERM."""
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    read = grpc.unary_unary_rpc_method_handler(
        echo,
        request_deserializer=slot_service_pb2.ReadRequest.FromString,
        response_serializer=slot_service_pb2.ReadResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("memslot.v1.SlotService", {"Read": read}),))
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
