"""Time that never runs backwards, whatever the wall clock does."""

from __future__ import annotations

import time
from collections.abc import Callable


def wall_clock_ms() -> int:
    """The wall clock in UTC milliseconds."""
    return time.time_ns() // 1_000_000


class MonotoneClock:
    """The wall clock, but never before the last commit."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._committed_ms = 0

    def now_ms(self) -> int:
        """The present time in UTC milliseconds."""
        return max(self._clock(), self._committed_ms)

    def committed(self, time_ms: int) -> None:
        """Notes the time of a commit."""
        self._committed_ms = max(self._committed_ms, time_ms)
