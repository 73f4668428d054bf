"""A sidecar without a network, with a clock that the test sets, and its audit trail."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from tests.faults.trail import Event, read_trail

from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config

START_MS = 1_796_000_000_000
STORES = ("ram", "sqlite")


class Clock:
    """A wall clock that stands still until it is set, in UTC milliseconds."""

    def __init__(self) -> None:
        self.now_ms = START_MS

    def __call__(self) -> int:
        """The time."""
        return self.now_ms


class InProcess:
    """A running sidecar. Called with a request, whose type says the method, it answers or raises MemslotError."""

    def __init__(self, sidecar: Sidecar, clock: Clock, trail: Path) -> None:
        self.sidecar = sidecar
        self.clock = clock
        self._trail = trail
        self._methods = {route.method.request_type: name for name, route in sidecar.routes.items()}

    async def __call__(self, request: Message) -> Any:
        """The reply."""
        return await self.sidecar.dispatch(self._methods[type(request)], request)

    async def events(self) -> list[Event]:
        """What the audit trail tells of all calls so far."""
        await self.sidecar.audit.flush()
        return read_trail(self._trail)


@asynccontextmanager
async def in_process(
    store: str, directory: Path, clock: Clock | None = None, **settings: Any
) -> AsyncIterator[InProcess]:
    """A sidecar on a kind of store, in which nothing happens by itself unless ``settings`` (those of Config) say so."""
    trail, clock = directory / "audit.jsonl", clock or Clock()
    quiet = {"sweep_interval_s": 86_400.0, "audit_file": str(trail), "data_dir": directory / "data"}
    sidecar = Sidecar(Config(store=store, **{**quiet, **settings}), clock=clock)
    await sidecar.start()
    try:
        yield InProcess(sidecar, clock, trail)
    finally:
        await sidecar.stop()
