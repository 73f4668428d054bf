"""When the write-ahead log is copied into the main file: between groups, after their callers were answered."""

from __future__ import annotations

import apsw

_PAGES = 2_000


class Checkpoints:
    """Watches the size of the log of one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._pages = 0
        self._copied_at = 0
        self._full = False
        connection.wal_autocheckpoint(0)
        connection.set_wal_hook(self._grown)

    def note(self, error: Exception) -> None:
        """Notes that a commit failed: on a full disk a checkpoint lets the log start anew inside the space that it has."""
        self._full = self._full or isinstance(error, apsw.FullError)

    def after_commit(self) -> None:
        """Copies the log if it has grown enough since the last time. What fails here is tried again after a later commit."""
        if not self._full and self._pages - self._copied_at < _PAGES:
            return
        self._full = False
        self._copied_at = self._pages
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error:
            self._copied_at = max(self._pages - _PAGES // 2, 0)

    def _grown(self, _connection: apsw.Connection, _schema: str, pages: int) -> int:
        if pages < self._pages:
            self._copied_at = 0
        self._pages = pages
        return apsw.SQLITE_OK
