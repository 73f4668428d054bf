"""What a file holds that may not be on its disk yet."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

_KEPT_BYTES = 4 << 20


class Unsynced:
    """The end of a file that this process alone appends to, as far as it was not synced.

    A sync that fails may have lost what it was to write, and the next one says nothing of it: Linux reports a page that could not be
    written once, and holds it for written from then on. So what was lost is written again, where it stood, before anything is trusted.
    What is kept begins with a line, unless somebody cut the file.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._end = 0
        self._lost = False

    @property
    def full(self) -> bool:
        """Whether so much is kept, to the end of a line, that it should be synced."""
        return self._size >= _KEPT_BYTES and self._parts[-1].endswith(b"\n")

    def wrote(self, fd: int, data: memoryview) -> None:
        """Notes what was just appended."""
        end = os.lseek(fd, 0, os.SEEK_CUR)
        if end - len(data) != self._end:
            # Somebody has cut the file: what is gone was meant to go.
            self._parts.clear()
            self._size = 0
        self._parts.append(bytes(data))
        self._size += len(data)
        self._end = end

    def sync(self, fd: int) -> None:
        """Returns when all is on the disk. Raises OSError; a retry may help."""
        if self._lost:
            self._write_again(fd)
        try:
            os.fdatasync(fd)
        except OSError:
            self._lost = True
            raise
        self._parts.clear()
        self._size = 0
        self._lost = False

    def _write_again(self, fd: int) -> None:
        data, start = b"".join(self._parts), self._end - self._size
        try:
            with _anywhere(fd):
                # Where somebody has cut the file, what is gone was meant to go.
                left = memoryview(data)[: max(0, os.fstat(fd).st_size - start)]
                while left:
                    taken = os.pwrite(fd, left, start)
                    left, start = left[taken:], start + taken
        except PermissionError:
            # The file may only grow (chattr +a): what it may have lost is told twice.
            self._append(fd, data)

    def _append(self, fd: int, data: bytes) -> None:
        torn = os.pread(fd, 1, os.fstat(fd).st_size - 1) != b"\n"
        left = memoryview(b"\n" + data if torn else data)
        try:
            while left:
                left = left[os.write(fd, left) :]
        finally:
            self._end = os.lseek(fd, 0, os.SEEK_CUR)


@contextmanager
def _anywhere(fd: int) -> Iterator[None]:
    """Lets a file that is open for appending be written elsewhere too."""
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags & ~os.O_APPEND)
    try:
        yield
    finally:
        fcntl.fcntl(fd, fcntl.F_SETFL, flags)
