"""How often each method was answered with which code, since the process started."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


class CallCounts:
    """Counts calls. Keys are (``Service/Method``, name of the gRPC code)."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, method: str, code: str) -> None:
        """Counts one call that was answered."""
        self._counts[method, code] += 1

    def snapshot(self) -> Mapping[tuple[str, str], int]:
        """All counts as they are now."""
        return dict(self._counts)
