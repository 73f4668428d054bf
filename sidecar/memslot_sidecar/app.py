"""The sidecar without its network: store, audit, index, operations and services put together once.

The gRPC server and the embedded client both stand on it, so that a call is the same whichever door it came by.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from typing import Any

from memslot_index.ranking import Decay
from memslot_sidecar import lifetime
from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.background import Background, Job, upkeep
from memslot_sidecar.config import Config
from memslot_sidecar.edge.accounting.counters import setting_counter
from memslot_sidecar.edge.inspection.inspector import Inspector
from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.facts import ProcessFacts
from memslot_sidecar.finding.choice import finder_of
from memslot_sidecar.interceptors.arrival import Metadata, arrive
from memslot_sidecar.interceptors.audited import audited
from memslot_sidecar.operations.context import Context
from memslot_sidecar.parts import audit_sink, ledger_of, open_store
from memslot_sidecar.routes import Route, refusals, routes
from memslot_sidecar.rules import Rules
from memslot_sidecar.services.registry import methods

Clock = Callable[[], int]

NOTE_INTERVAL_S = 10.0


class Sidecar:
    """One store and everything that serves it. ``clock`` gives UTC milliseconds (the system's by default)."""

    def __init__(self, config: Config, *, clock: Clock | None = None) -> None:
        self.config = config
        decay = Decay(round(config.rank_half_life_s * 1000), config.importance_weight)
        instance_id = uuid.uuid4().hex
        self.store = open_store(config, decay, clock)
        self.audit_sink = audit_sink(config)
        self.audit = AuditLog(self.audit_sink, config.audit_overflow, config.audit_queue_limit, instance_id)
        self.finder = finder_of(config, self.store, decay)
        rules = Rules(config.defaults, config.rules, frozenset(self.finder.models.names))
        counter = setting_counter(config.token_counter)
        self.context = Context(
            self.store,
            rules,
            decay,
            config.limits,
            self.finder,
            config.rank_weight,
            ledger=ledger_of(config),
            inspector=Inspector(config.inspection_bytes),
            token_counter=counter,
        )
        ends = partial(lifetime.store_warning, config.store, config.data_dir)
        self.facts = ProcessFacts(config.message_limit_bytes, instance_id, self.audit, ends)
        self.store.subscribe(self.facts.changes)
        wrap = partial(audited, audit=self.audit, counts=self.facts.calls)
        served = routes(methods(self.context, self.facts, wrap), self.audit, self.facts.calls)
        self.routes: Mapping[str, Route] = {route.name: route for route in served}
        self._background = Background()
        self._in_flight = 0
        self._idle = asyncio.Event()
        self._open = False

    def refusals(self) -> Sequence[Route]:
        """Routes of the same methods, for the time of draining: every call is refused, and told to the audit."""
        served = [route.method for route in self.routes.values()]
        return refusals(served, _draining, self.audit, self.facts.calls)

    @property
    def services(self) -> Sequence[str]:
        """Full names of the services."""
        return sorted({route.method.service for route in self.routes.values()})

    async def start(self) -> None:
        """Opens the store, tells the audit what a crash left untold, takes up the index, starts the upkeep. Raises StartupError."""
        try:
            await self.store.start()
            await self.audit.start(self.store)
            await self.finder.start()
            await self.context.ledger.start(self.store.store_id)
        except BaseException:
            await self.store.close()
            raise
        config = self.config
        self._background.start(
            *upkeep(self.context, self.audit, config.sweep_interval_s, config.feed_keep_revisions, config.feed_keep_s),
            Job("noting how far the index is", NOTE_INTERVAL_S, self.finder.note),
        )
        self._open = True

    async def stop(self, grace_s: float = 0.0) -> None:
        """Refuses new calls, lets those under way finish for ``grace_s``, then writes what is left of the audit and closes the store.

        Does nothing when it is not started.
        """
        if not self._open:
            return
        self._open = False
        if self._in_flight:
            self._idle.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._idle.wait(), grace_s)
        await self._background.stop()
        try:
            await self.finder.stop()
            await self.audit.close()
            await self.context.ledger.close()
        finally:
            await self.store.close()

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        """Counts a call of the embedded client (gRPC counts its own), so that :meth:`stop` can wait for it."""
        if not self._open:
            raise StoreUnavailable("the store is not open: it was closed, or never opened")
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()

    async def dispatch(
        self, method: str, request: Any, metadata: Metadata = (), *, remaining_s: float | None = None
    ) -> Any:
        """Answers one call of ``Service/Method`` as the server does. Raises MemslotError.

        ``request`` is a message of the method's request type, and stays the caller's, who gives up after ``remaining_s``.
        """
        route = self.routes[method]
        with self._under_way():
            return await route.run(request, arrive(route.method.name, metadata, remaining_s))

    async def stream(self, method: str, request: Any, metadata: Metadata = ()) -> AsyncGenerator[Any, None]:
        """The replies of a call whose answer is a stream. Raises MemslotError."""
        route = self.routes[method]
        with self._under_way():
            async with aclosing(route.stream(request, arrive(route.method.name, metadata))) as replies:
                async for reply in replies:
                    yield reply


def _draining() -> StoreUnavailable:
    return StoreUnavailable("the sidecar is shutting down; another, or the next one, will answer", retry_after_ms=1000)
