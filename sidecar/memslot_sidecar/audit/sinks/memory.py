"""The audit trail in memory, for a store that lives there too."""

from __future__ import annotations

from collections import deque

from memslot_sidecar.audit.sinks.base import Told


class MemorySink:
    """Keeps the last lines. ``lines`` may be read at any time."""

    def __init__(self, capacity: int = 10_000) -> None:
        self.lines: deque[bytes] = deque(maxlen=capacity)

    def open(self) -> None:
        """Nothing to do."""

    def told(self, after: int, since_ms: int) -> Told:  # noqa: ARG002 - it starts empty
        """Nothing is there yet."""
        return Told()

    def write(self, data: memoryview, line_start: bool) -> int:  # noqa: ARG002 - it never takes half a line
        """Takes all."""
        self.lines.extend(data.tobytes().splitlines(keepends=True))
        return len(data)

    def moved(self) -> bool:
        """Never."""
        return False

    def sync(self) -> None:
        """Nothing to do."""

    def reopen(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """The lines stay."""
