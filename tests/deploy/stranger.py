"""Dials HOST:PORT from wherever it is run, and prints as JSON what it finds there: the health, and how every other service answers."""

from __future__ import annotations

import json
import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

CALLS = ("memslot.v1.SlotService/Read", "memslot.v1.SlotService/Write", "memslot.v1.AdminService/Stats")
REFLECTION = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


def code_of(channel: grpc.Channel, method: str) -> str:
    """How a call with an empty request ends."""
    try:
        channel.unary_unary(f"/{method}")(b"", timeout=20)
    except grpc.RpcError as error:
        return str(error.code().name)
    return "OK"


def main() -> None:
    """Prints."""
    with grpc.insecure_channel(sys.argv[1], [("grpc.enable_retries", 0), ("grpc.enable_http_proxy", 0)]) as channel:
        found = {method: code_of(channel, method) for method in (*CALLS, REFLECTION)}
        try:
            reply = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
            found["health"] = health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status)
        except grpc.RpcError as error:
            found["health"] = error.code().name
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
