"""What the contract needs of a backend: a clock that the test moves, and a way to open the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from memslot_sidecar.stores.base import Store

START_MS = 1_800_000_000_000


class ManualClock:
    """A wall clock that stands still until the test moves it, in either direction."""

    def __init__(self) -> None:
        self.time_ms = START_MS

    def __call__(self) -> int:
        """The time in UTC milliseconds."""
        return self.time_ms

    def move(self, ms: int) -> None:
        """Moves the clock by ``ms``, which may be negative."""
        self.time_ms += ms


class World:
    """One backend's data, and the clock of every store that opens it."""

    def __init__(self, make: Callable[[ManualClock], Store]) -> None:
        self.clock = ManualClock()
        self._make = make

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """The store, open."""
        store = self._make(self.clock)
        await store.start()
        try:
            yield store
        finally:
            await store.close()
