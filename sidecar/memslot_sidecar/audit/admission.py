"""How many events may wait, and the calls that wait until there is room for theirs."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable


class Admission:
    """Counts what is queued. Events of calls that were let in may exceed the limit by as many as run at once."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.queued = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._half_empty = asyncio.Event()
        self._half_empty.set()

    @property
    def full(self) -> bool:
        """Whether there is no room for another event."""
        return self.queued >= self.limit

    def add(self, weight: int) -> None:
        """Counts a queued event."""
        self.queued += weight
        if self.queued > self.limit // 2:
            self._half_empty.clear()

    def remove(self, weight: int) -> None:
        """Counts what was written, and lets in as many calls as there is room for."""
        self.queued -= weight
        if self.queued <= self.limit // 2:
            self._half_empty.set()
        room = self.limit - self.queued
        while self._waiting and room > 0:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                room -= 1

    def wait(self) -> Awaitable[None] | None:
        """What is done when there is room, in the order of the calls; None where there is room now."""
        if self.queued < self.limit and not self._waiting:
            return None
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        return waiter

    async def half_empty(self) -> None:
        """Returns when at most half of the room is taken."""
        await self._half_empty.wait()
