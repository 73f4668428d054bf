"""Which calls are under way, and when it has become quiet.

A call that has reached gRPC, but no handler yet when the server is stopped, is CANCELLED there: a code that no client tries again. So a
server that drains goes on answering, with UNAVAILABLE, until nobody asks any more.
"""

from __future__ import annotations

import asyncio
import time

QUIET_S = 0.05
"""How long no call must have come for it to be quiet."""
PATIENCE_S = 1.0
"""How long a drain without calls under way waits for callers who ask again and again."""


class Traffic:
    """Counts the calls of one server; for the loop's thread."""

    def __init__(self) -> None:
        self.under_way = 0
        self._begun = 0

    def begin(self) -> None:
        """A call has come to its handler."""
        self.under_way += 1
        self._begun += 1

    def end(self) -> None:
        """A call is answered."""
        self.under_way -= 1

    async def settle(self, grace_s: float, cut: asyncio.Event) -> float:
        """Waits until no call is under way and none has come for a moment; for ``grace_s`` at most, or until ``cut`` is set.

        Returns how many seconds are left of the grace.
        """
        # The only wait that may be cut short: grpc.aio crashes when a server is stopped again while it is being stopped.
        now = time.monotonic()
        busy_until, noisy_until = now + grace_s, now + min(grace_s, PATIENCE_S)
        seen = -1
        while not cut.is_set() and (self.under_way or self._begun != seen):
            if time.monotonic() >= (busy_until if self.under_way else noisy_until):
                break
            seen = self._begun
            await _set_within(cut, QUIET_S)
        return max(0.0, busy_until - time.monotonic())


async def _set_within(event: asyncio.Event, timeout_s: float) -> None:
    waiting = asyncio.ensure_future(event.wait())
    await asyncio.wait([waiting], timeout=timeout_s)
    waiting.cancel()
