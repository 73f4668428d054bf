"""The services over a real store, called as the doors call them: from serialised request to reply, without a network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from memslot_index.ranking import Decay
from memslot_sidecar.call import Call
from memslot_sidecar.model import Caller, EffectiveSettings
from memslot_sidecar.operations.context import Context
from memslot_sidecar.rules import Limits, NamespaceRule, Rules
from memslot_sidecar.services.registry import Counters, Method, methods
from memslot_sidecar.stores.base import Store
from memslot_sidecar.stores.ram import RamStore
from memslot_sidecar.stores.sqlite import SqliteStore

START_MS = 1_796_000_000_000
DEFAULTS = EffectiveSettings()
NO_LIMITS = Limits()

StoreMaker = Callable[[Callable[[], int]], Store]


def store_maker(kind: str, directory: Path) -> StoreMaker:
    """Makes a store of a kind that takes its time from a clock."""
    if kind == "ram":
        return RamStore
    return lambda clock: SqliteStore(directory / "data", clock)


class Clock:
    """A clock that is set by hand, in UTC milliseconds."""

    def __init__(self, now_ms: int = START_MS) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        """The time that was set."""
        return self.now_ms

    def forward(self, ms: int) -> None:
        """Lets time pass."""
        self.now_ms += ms


class Facts:
    """A process that does nothing else."""

    version = "0.0.0"
    instance_id = "instance"
    started_ms = START_MS
    message_limit_bytes = 8_000_000
    store_warning = ""

    def counters(self) -> Counters:
        """Nothing was done."""
        return Counters()


class Served:
    """Calls methods by name. ``calls`` are those made so far, with their notes."""

    def __init__(self, ctx: Context, clock: Clock) -> None:
        self.ctx = ctx
        self.store = ctx.store
        self.clock = clock
        self.calls: list[Call] = []
        self._methods: dict[str, Method] = {method.name: method for method in methods(ctx, Facts())}

    async def __call__(self, request: Message, caller: str = "anonymous") -> Any:
        """The reply to a request, whose type says the method. Raises MemslotError."""
        return await self.raw(type(request).__name__.removesuffix("Request"), request.SerializeToString(), caller)

    async def raw(self, name: str, request: bytes, caller: str = "anonymous") -> Any:
        """The reply to serialised bytes."""
        method = self._methods[name]
        call = Call(name, caller=Caller(id=caller))
        self.calls.append(call)
        handler: Any = method.handler
        reply = await handler(method.request_type.FromString(request), call)
        return method.response_type.FromString(reply if type(reply) is bytes else reply.SerializeToString())

    async def stream(self, request: Message) -> AsyncIterator[Any]:
        """The replies of a method that answers with a stream."""
        method = self._methods[type(request).__name__.removesuffix("Request")]
        call = Call(method.name)
        self.calls.append(call)
        handler: Any = method.handler
        async for reply in handler(request, call):
            yield reply


@asynccontextmanager
async def served(
    make: StoreMaker = RamStore,
    defaults: EffectiveSettings = DEFAULTS,
    rules: tuple[NamespaceRule, ...] = (),
    limits: Limits = NO_LIMITS,
    clock: Clock | None = None,
    embedders: Collection[str] = ("none",),
) -> AsyncIterator[Served]:
    """Services over a store that is open as long as the block."""
    clock = clock or Clock()
    store = make(clock)
    await store.start()
    try:
        yield Served(Context(store, Rules(defaults, rules, embedders), Decay(), limits), clock)
    finally:
        await store.close()
