"""A lock that a thread which takes it again and again cannot keep from others."""

from __future__ import annotations

from threading import Lock
from types import TracebackType


class Turns:
    """Whoever waits for its turn holds the door, so the one that leaves cannot be the next to enter."""

    def __init__(self) -> None:
        self._door = Lock()
        self._room = Lock()

    def __enter__(self) -> None:
        with self._door:
            self._room.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._room.release()
