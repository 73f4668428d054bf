"""Vector indexes that failed: what callers are told of it, and when each is tried again."""

from __future__ import annotations

import math
import time

_RETRY_S = 5.0
_RETRY_MOST_S = 600.0


class Failures:
    """By the number of the space. A space that is not in it is well."""

    def __init__(self) -> None:
        self.problems: dict[int, str] = {}
        self._retries: dict[int, tuple[float, float]] = {}

    def failed(self, space_id: int, error: Exception) -> None:
        """Notes what went wrong, without any path, and puts the next attempt off, twice as far as the last."""
        delay_s = min(2 * self._retries.get(space_id, (0.0, _RETRY_S / 2))[1], _RETRY_MOST_S)
        self._retries[space_id] = time.monotonic() + delay_s, delay_s
        self.problems[space_id] = getattr(error, "strerror", None) or str(error)

    def well(self, space_id: int) -> None:
        """Forgets that anything was wrong."""
        self.problems.pop(space_id, None)
        self._retries.pop(space_id, None)

    def due(self, space_id: int) -> bool:
        """Whether something failed so long ago that it is to be tried again."""
        return self._retries.get(space_id, (math.inf, 0.0))[0] < time.monotonic()

    def trying(self, space_id: int) -> None:
        """Puts the next attempt off as far as the last one, which begins now."""
        _, delay_s = self._retries[space_id]
        self._retries[space_id] = time.monotonic() + delay_s, delay_s
