"""The audit trail in a file, which may be rotated by renaming it: the next line then goes to a new file of the old name."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.audit.sinks.scan import Scan
from memslot_sidecar.audit.sinks.tail import lines_from_end, whole_lines_end
from memslot_sidecar.audit.sinks.unsynced import Unsynced

_NO_LOCKS_HERE = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF)
"""EBADF: NFS wants what is locked to be open for writing, which a folder cannot be."""


class FileSink:
    """Appends to a file that no other process writes. Readers see whole lines, except while the disk is full.

    A ``fresh`` one must not be there before: :meth:`open` raises FileExistsError.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self._path = path
        self._fresh = os.O_EXCL if fresh else 0
        self._fd = -1
        self._unsynced = Unsynced()

    def open(self) -> None:
        """Opens the file, and cuts off a last line that a crash left torn: what it told is told again, or was a read."""
        self._fd = self._opened()
        size = os.fstat(self._fd).st_size
        whole = whole_lines_end(self._fd, size)
        if whole < size:
            try:
                os.ftruncate(self._fd, whole)
            except PermissionError:
                # The file may only grow (chattr +a): the torn line stays, and is no line of JSON.
                os.write(self._fd, b"\n")
        os.fdatasync(self._fd)

    def told(self, after: int, since_ms: int) -> Told:
        """Reads back from the end of the file, and of rotated ones (``NAME*`` beside it, not compressed)."""
        scan = Scan(after, since_ms)
        if not scan.take(lines_from_end(self._fd, os.fstat(self._fd).st_size)):
            scan.take_files(self._rotated())
        return scan.told()

    def write(self, data: memoryview, line_start: bool) -> int:
        """Appends, to a new file when the old one was moved away."""
        if line_start:
            self.reopen()
        if self._unsynced.full:
            self.sync()
        taken = os.write(self._fd, data)
        self._unsynced.wrote(self._fd, data[:taken])
        return taken

    def moved(self) -> bool:
        """Whether the path no longer leads to the open file."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return True
        here = os.fstat(self._fd)
        return (there.st_ino, there.st_dev) != (here.st_ino, here.st_dev)

    def sync(self) -> None:
        """Syncs the file; what an earlier sync could not write is written again."""
        self._unsynced.sync(self._fd)

    def reopen(self) -> None:
        """Goes over to a new file when the old one was moved away; the old one is synced first."""
        if not self.moved():
            return
        fresh = self._opened()
        try:
            self.sync()
        except OSError:
            os.close(fresh)
            raise
        os.close(self._fd)
        self._fd = fresh

    def close(self) -> None:
        """Closes the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _opened(self) -> int:
        new = not self._path.exists()
        fd = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | self._fresh, 0o640)
        try:
            lock(fd)
            if new:
                sync_directory(self._path.parent)
        except OSError:
            os.close(fd)
            raise
        return fd

    def _rotated(self) -> list[Path]:
        beside = self._path.parent.glob(self._path.name + "?*")
        return [path for path in beside if path.suffix not in (".gz", ".zst", ".xz")]


def lock(fd: int) -> None:
    """Holds off other processes until the file, or folder, is closed, where the file system can. Raises BlockingIOError."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BlockingIOError(errno.EWOULDBLOCK, "another process writes its audit trail to it") from None
    except OSError as error:
        if error.errno not in _NO_LOCKS_HERE:
            raise


def sync_directory(path: Path) -> None:
    """Returns when what was made in it survives a power failure, where that can be had."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(fd)
    finally:
        os.close(fd)
