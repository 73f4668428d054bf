"""The files of one data directory."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import apsw

from memslot_sidecar.stores.sqlite.connection import connect

_NAME = "memslot.db"
_COPIES = "backup-*.tmp*"


class Files:
    """Where the store's files are, and how to open them. ``whole`` is held while a copy of the store is in the directory."""

    def __init__(self, directory: Path, cache_bytes: int, vfs: str | None) -> None:
        self.directory = directory
        self.database = directory / _NAME
        self.whole = threading.Lock()
        self._cache_bytes = cache_bytes
        self._vfs = vfs

    def connect(self, share: int) -> apsw.Connection:
        """A connection whose page cache takes one part in ``share`` of what the store may keep in memory."""
        return connect(self.database, self._cache_bytes // share, vfs=self._vfs)

    def make(self) -> None:
        """Makes the file, if it is missing, for its owner alone; what SQLite puts beside it takes the same permissions. Raises OSError."""
        with suppress(FileExistsError):
            os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    def size(self) -> int:
        """Bytes of all files of the store; 0 when there are none."""
        return sum(path.stat().st_size for path in self._all() if path.exists())

    def log_size(self) -> int:
        """Bytes of the write-ahead log."""
        log = self._all()[1]
        return log.stat().st_size if log.exists() else 0

    def remove_leftovers(self) -> None:
        """Removes copies that a crash left behind."""
        for path in self.directory.glob(_COPIES):
            path.unlink(missing_ok=True)

    def _all(self) -> list[Path]:
        return [self.database.with_name(_NAME + suffix) for suffix in ("", "-wal", "-shm")]
