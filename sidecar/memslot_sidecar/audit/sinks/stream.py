"""The audit trail on standard output or in a named pipe: whoever reads it keeps it."""

from __future__ import annotations

import fcntl
import os
import select
import stat
import sys
import termios
import time
from contextlib import suppress

from memslot_sidecar.audit.sinks.base import Told

_ATOMIC_BYTES = 4096
"""A pipe takes so much at once or nothing (PIPE_BUF), also when others write to it."""
_READ_BYTES = 8191
"""Container runtimes read so much at once, or a byte more, and split a line that goes on behind it. So no more stands unread in a pipe."""
_WAIT_MS = 200
_LOOK_S = 0.0005


class StreamSink:
    """Writes to an open descriptor, which stays its owner's.

    What was written cannot be read back, so that after a crash the last second of mutations is told again, with the same event ids.
    """

    def __init__(self, fd: int = 1) -> None:
        self._fd = fd
        self._poll = select.poll()
        self._regular = False
        self._pipe = False

    def open(self) -> None:
        """Looks what the descriptor is. Raises OSError when it is closed."""
        mode = os.fstat(self._fd).st_mode
        self._regular, self._pipe = stat.S_ISREG(mode), stat.S_ISFIFO(mode)
        self._poll.register(self._fd, select.POLLOUT)

    def told(self, after: int, since_ms: int) -> Told:  # noqa: ARG002 - a stream cannot be read back
        """Nothing is known."""
        return Told()

    def write(self, data: memoryview, line_start: bool) -> int:  # noqa: ARG002 - a stream stays where it is
        """Writes some whole lines, or one that is long; none while nobody reads."""
        if self._regular:
            return os.write(self._fd, data)
        if not self._poll.poll(_WAIT_MS):
            return 0
        lines = data[: _whole_lines(data)]
        return os.write(self._fd, lines) if not self._pipe or self._has_room(len(lines)) else 0

    def moved(self) -> bool:
        """Never."""
        return False

    def sync(self) -> None:
        """Syncs a regular file; of a pipe nothing can be promised."""
        if self._regular:
            os.fdatasync(self._fd)

    def reopen(self) -> None:
        """A stream stays where it is."""

    def close(self) -> None:
        """Leaves the descriptor open."""
        with suppress(KeyError, ValueError):
            self._poll.unregister(self._fd)

    def _has_room(self, size: int) -> bool:
        """Whether so much may be written: waits a while for whoever reads."""
        deadline = time.monotonic() + _WAIT_MS / 1000
        while unread := self._unread():
            if unread + size <= _READ_BYTES:
                break
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_S)
        return True

    def _unread(self) -> int:
        return int.from_bytes(fcntl.ioctl(self._fd, termios.FIONREAD, bytes(4)), sys.byteorder)


class PipeSink(StreamSink):
    """Writes to a named pipe or a device."""

    def __init__(self, path: str) -> None:
        super().__init__(-1)
        self._path = path

    def open(self) -> None:
        """Opens it, whether or not somebody reads it already."""
        self._fd = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
        super().open()

    def close(self) -> None:
        """Closes it."""
        super().close()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _whole_lines(data: memoryview) -> int:
    """The length of the lines at the start that a pipe takes at once; of the first line when that is longer."""
    if len(data) <= _ATOMIC_BYTES:
        return len(data)
    end = data[:_ATOMIC_BYTES].tobytes().rfind(b"\n") + 1
    return end or data.tobytes().find(b"\n") + 1 or len(data)
