"""The audit trail in a series of files, none of which is ever renamed or written again: whoever follows all files of the folder misses none
and reads none twice, however long it was away."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.audit.sinks.file import FileSink, lock
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

    def open(self) -> None:
        """Takes possession of the folder, which is made when it is not there. No file is begun."""
        self._folder.mkdir(mode=0o750, exist_ok=True)
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
        """Leaves the file, synced; the next line begins the next one."""
        if self._file is not None:
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
        return self._file_bytes >= self.file_limit_bytes or time.monotonic() - self._begun_s >= self.file_limit_s

    def _begun(self) -> FileSink:
        if self._folder_gone():
            self.close()
            self.open()
        file = FileSink(self._unused())
        file.open()
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
        """A name that no file has: the time, to the millisecond."""
        at_ms = time.time_ns() // 1_000_000
        while True:
            second, millisecond = divmod(at_ms, 1000)
            stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(second))
            path = self._folder / f"audit-{stamp}.{millisecond:03d}Z.jsonl"
            if not path.exists():
                return path
            at_ms += 1
