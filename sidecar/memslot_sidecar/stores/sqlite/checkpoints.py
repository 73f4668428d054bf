"""When the write-ahead log is copied into the main file: between groups, after their callers were answered.

The connection is not used meanwhile, so that the log is copied whole and starts anew with the next commit.
"""

from __future__ import annotations

import apsw

_PAGES = 8_000
_IDLE_PAGES = 500


class Checkpoints:
    """Watches the size of the log of one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._pages = 0
        self._copied = 0
        self._full = False
        connection.wal_autocheckpoint(0)
        connection.set_wal_hook(self._grown)

    @property
    def due(self) -> bool:
        """Whether the log has grown enough since the last time, or the disk is full."""
        return self._full or self._pages - self._copied >= _PAGES

    @property
    def behind(self) -> bool:
        """Whether there is something to copy when there is nothing else to do."""
        return self._pages - self._copied >= _IDLE_PAGES

    def note(self, error: Exception) -> None:
        """Notes that a commit failed: on a full disk a copied log can start anew inside the space that it has."""
        self._full = self._full or isinstance(error, apsw.FullError)

    def copy(self) -> None:
        """Copies the log. What fails here is tried again when the log has grown further."""
        self._full = False
        self._copied = self._pages
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error:
            self._copied = self._pages - _PAGES // 2

    def _grown(self, _connection: apsw.Connection, _schema: str, pages: int) -> int:
        if pages < self._pages:
            self._copied = 0
        self._pages = pages
        return apsw.SQLITE_OK
