"""A real `memslot serve` process, and stubs to talk to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from memslot.v1 import admin_service_pb2_grpc, namespace_service_pb2_grpc, slot_service_pb2_grpc

PATIENCE_S = 60.0
MEMSLOT = Path(sys.executable).with_name("memslot")


def eventually(condition: Callable[[], object], what: str) -> None:
    """Waits until ``condition`` is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.01)


class Served:
    """A sidecar in a process of its own; stopped at the end of a ``with``. ``flags`` are those of ``memslot serve``; ``program`` is what
    takes them in the place of ``memslot``."""

    def __init__(
        self, *flags: object, env: Mapping[str, str] | None = None, program: Sequence[Path | str] = (MEMSLOT,)
    ) -> None:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("MEMSLOT_")}
        self._process = subprocess.Popen(
            [*program, "serve", *map(str, flags)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**inherited, **(env or {})},
        )
        self._channels: list[grpc.Channel] = []
        self._told: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._readers = [
            threading.Thread(target=self._read, args=(name, getattr(self._process, name)), daemon=True)
            for name in self._told
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        for channel in self._channels:
            channel.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """What it told people so far."""
        return "".join(self._told["stderr"])

    @property
    def stdout(self) -> str:
        """What it wrote to standard output so far."""
        return "".join(self._told["stdout"])

    def ready(self) -> Served:
        """Waits until it serves."""
        eventually(lambda: "whole store" in self.stderr or self._process.poll() is not None, "it serves")
        assert self._process.poll() is None, self.stderr
        return self

    def addresses(self, label: str = "listening on") -> list[str]:
        """Where it listens, as it said."""
        return re.findall(rf"^  {label} +(\S+)$", self.stderr, re.MULTILINE)

    def channel(self, address: str | None = None) -> grpc.Channel:
        """A channel of its own to an address, by default the first; nothing is tried again."""
        options = [("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.insecure_channel(address or self.addresses()[0], options)
        self._channels.append(channel)
        return channel

    def slots(self, address: str | None = None) -> slot_service_pb2_grpc.SlotServiceStub:
        """A stub of SlotService."""
        return slot_service_pb2_grpc.SlotServiceStub(self.channel(address))

    def namespaces(self) -> namespace_service_pb2_grpc.NamespaceServiceStub:
        """A stub of NamespaceService."""
        return namespace_service_pb2_grpc.NamespaceServiceStub(self.channel())

    def admin(self) -> admin_service_pb2_grpc.AdminServiceStub:
        """A stub of AdminService."""
        return admin_service_pb2_grpc.AdminServiceStub(self.channel())

    def signal(self, number: int = signal.SIGTERM) -> None:
        """Sends a signal."""
        self._process.send_signal(number)

    def exit_code(self) -> int:
        """Waits until it ends."""
        code = self._process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return code

    def stop(self) -> int:
        """Asks it to drain, and waits until it ends."""
        self.signal()
        return self.exit_code()

    def _read(self, name: str, stream: TextIO) -> None:
        with stream:
            for line in stream:
                self._told[name].append(line)


def health_of(channel: grpc.Channel, service: str = "") -> str:
    """What the health service says of a service, or the code of the failure."""
    request = health_pb2.HealthCheckRequest(service=service)
    try:
        reply = health_pb2_grpc.HealthStub(channel).Check(request, timeout=PATIENCE_S, wait_for_ready=True)
    except grpc.RpcError as error:
        return error.code().name
    return health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status)
