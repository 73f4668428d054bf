"""The audit trail in a series of files, none of which is ever renamed or written again: whoever follows all files of the folder misses none
and reads none twice, however long it was away."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.audit.sinks.file import FileSink, lock, sync_directory
from memslot_sidecar.audit.sinks.scan import Scan

_PATTERN = "audit-*.jsonl"


class SeriesSink:
    """Appends to the newest of the files ``audit-TIME.jsonl`` in a folder that no other process writes.

    The next file begins after about ``file_limit_bytes``, with the first line after ``file_limit_s``, and at a hangup. A process begins its
    first file with its first line, and leaves a line torn by a crash where it is: what it told is told again, or was a read.
    """

    def __init__(self, folder: Path, *, file_limit_bytes: int, file_limit_s: float) -> None:
        self._folder = folder
        self.file_limit_bytes = file_limit_bytes
        self.file_limit_s = file_limit_s
        self._fd = -1
        self._file: FileSink | None = None
        self._file_bytes = 0
        self._begun_s = 0.0
        self._named_ms = 0

    def open(self) -> None:
        """Takes possession of the folder, which is made when it is not there. No file is begun."""
        if not self._folder.exists():
            self._folder.mkdir(mode=0o750, exist_ok=True)
            sync_directory(self._folder.parent)
        fd = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            if not os.access(self._folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, "this user may not make files there", str(self._folder))
            lock(fd)
        except OSError:
            os.close(fd)
            raise
        self._fd = fd

    def told(self, after: int, since_ms: int) -> Told:
        """Reads back from the end of each file."""
        scan = Scan(after, since_ms)
        scan.take_files(self._folder.glob(_PATTERN))
        return scan.told()

    def write(self, data: memoryview, line_start: bool) -> int:
        """Appends, to the next file when this one is full, old, or was taken away."""
        if self._file is not None and line_start and (self._full() or self._file.moved()):
            self.reopen()
        if self._file is None:
            self._file = self._begun()
        taken = self._file.write(data, line_start=False)
        self._file_bytes += taken
        return taken

    def moved(self) -> bool:
        """Whether the newest file was taken away."""
        return self._file is None or self._file.moved()

    def sync(self) -> None:
        """Syncs the newest file; those before it were synced when they were left."""
        if self._file is not None:
            self._file.sync()

    def reopen(self) -> None:
        """Leaves the file, synced; the next line begins the next one. A file that has nothing in it yet is kept."""
        if self._file is not None and (self._file_bytes or self._file.moved()):
            self._file.sync()
            self._file.close()
            self._file = None

    def close(self) -> None:
        """Closes the file and lets go of the folder."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _full(self) -> bool:
        old = time.monotonic() - self._begun_s >= self.file_limit_s
        return self._file_bytes >= self.file_limit_bytes or (old and self._file_bytes > 0)

    def _begun(self) -> FileSink:
        if self._folder_gone():
            self.close()
            self.open()
        path = self._unused()
        file = FileSink(path, fresh=True)
        try:
            file.open()
        except FileExistsError:
            raise
        except OSError:
            # It is tried again, under another name, for as long as the disk is full.
            file.close()
            with suppress(OSError):
                path.unlink()
            raise
        self._file_bytes = 0
        self._begun_s = time.monotonic()
        return file

    def _folder_gone(self) -> bool:
        """Whether the folder was taken away: what stands under its name now, if anything, is not in our possession."""
        try:
            return self._fd < 0 or not os.path.samestat(self._folder.stat(), os.fstat(self._fd))
        except FileNotFoundError:
            return True

    def _unused(self) -> Path:
        """A name that no file has: the time, to the millisecond, but never before that of another file of this process."""
        at_ms = max(time.time_ns() // 1_000_000, self._named_ms + 1)
        while os.path.lexists(path := self._folder / _name(at_ms)):
            at_ms += 1
        self._named_ms = at_ms
        return path


def _name(at_ms: int) -> str:
    second, millisecond = divmod(at_ms, 1000)
    return f"audit-{time.strftime('%Y%m%dT%H%M%S', time.gmtime(second))}.{millisecond:03d}Z.jsonl"
