"""Runs in a container beside memslot's, as an agent does: a request is a line of JSON on standard input, its answer one on standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from memslot.v1 import admin_service_pb2, admin_service_pb2_grpc, slot_service_pb2, slot_service_pb2_grpc

NAMESPACE = "acme/agent"


class Agent:
    """The socket's user."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._health = health_pb2_grpc.HealthStub(channel)
        self._slots = slot_service_pb2_grpc.SlotServiceStub(channel)
        self._admin = admin_service_pb2_grpc.AdminServiceStub(channel)
        self._backup: Iterator[Any] = iter(())

    def health(self) -> str:
        """What memslot says of itself."""
        reply = self._health.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=60)
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status))

    def write(self, name: str, text: str) -> int:
        """The revision."""
        request = slot_service_pb2.WriteRequest(namespace=NAMESPACE, name=name, body=text.encode())
        return int(self._slots.Write(request, timeout=60).receipt.revision)

    def read(self, name: str) -> str:
        """The body."""
        request = slot_service_pb2.ReadRequest(namespace=NAMESPACE, name=name)
        return str(self._slots.Read(request, timeout=60).slot.body.decode())

    def fill(self, count: int, size: int) -> int:
        """Writes large slots."""
        return [self.write(f"large {number}", "x" * size) for number in range(count)][-1]

    def begin_backup(self) -> int:
        """Begins a call that lasts until it is read to its end; returns the bytes to come."""
        self._backup = self._admin.Backup(admin_service_pb2.BackupRequest(), timeout=120)
        first = next(self._backup)
        return int(first.total_bytes) - len(first.chunk)

    def end_backup(self) -> int:
        """Reads it to the end; returns the bytes that came."""
        return sum(len(reply.chunk) for reply in self._backup)


def main() -> None:
    """Answers until the input ends."""
    target = os.environ["MEMSLOT_TARGET"]
    with grpc.insecure_channel(
        target, [("grpc.default_authority", "localhost"), ("grpc.enable_retries", 0)]
    ) as channel:
        agent = Agent(channel)
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = {"ok": getattr(agent, request.pop("do"))(**request)}
            except grpc.RpcError as error:
                answer = {"code": error.code().name}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
