"""Wiping freed bytes from all files.

Forgetting frees pages and cells. SQLite overwrites those with zeros (secure_delete), but copies of a row that was moved stay in the
unused part of pages, and the log holds earlier pages whole. So a pass writes the whole file anew (VACUUM), copies the log into it
and truncates the log. What is pending is noted in the store, by the very commit that asked, and taken up again after a restart.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import apsw

from memslot_sidecar.stores.base import Wipe
from memslot_sidecar.stores.erasing import Passes, still_pending
from memslot_sidecar.stores.sqlite.connection import BUSY_MS
from memslot_sidecar.stores.sqlite.files import Files
from memslot_sidecar.stores.sqlite.writer import Writer

_READERS_MS = 2_000
_LOCK_WAIT_S = 2.0
_SMALL_BYTES = 64 << 20


class Eraser(Passes):
    """Passes over one store."""

    def __init__(self, files: Files, writer: Writer, pending: int, before: Sequence[Wipe] = ()) -> None:
        super().__init__(pending, before)
        self._files = files
        self._writer = writer

    async def wipe_store(self, asked: int) -> None:
        """Writes the file anew, and drops the note of what was asked."""
        try:
            await self._writer.alone(lambda connection: self._wipe(connection, asked))
        except apsw.Error as error:
            raise still_pending("the store's files are busy") from error

    def _wipe(self, connection: apsw.Connection, asked: int) -> None:
        """One pass, in the writer's thread."""
        if not self._files.whole.acquire(timeout=_LOCK_WAIT_S):
            raise still_pending("a backup is being copied")
        try:
            self._rewrite(connection, asked)
        finally:
            self._files.whole.release()

    def _rewrite(self, connection: apsw.Connection, asked: int) -> None:
        size = self._files.size()
        if shutil.disk_usage(self._files.directory).free < 2 * size:
            raise still_pending("the disk has no room to write the store anew")
        _vacuum(connection, in_memory=size <= _SMALL_BYTES, directory=str(self._files.directory))
        connection.set_busy_timeout(_READERS_MS)
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            raise still_pending("somebody still reads the old pages") from None
        finally:
            connection.set_busy_timeout(BUSY_MS)
        if self._files.log_size():
            raise still_pending("the log is still in use")
        connection.execute("DELETE FROM meta WHERE key = 'erase_pending' AND value <= ?", (asked,))


def _vacuum(connection: apsw.Connection, *, in_memory: bool, directory: str) -> None:
    """Writes the file anew. The copy in between, which holds only what lives, is kept in memory if it is small, and else in an
    unlinked file on the same disk, whose room was checked."""
    if in_memory:
        connection.execute("VACUUM")
        return
    if not connection.pragma("temp_store_directory"):
        connection.execute("PRAGMA temp_store_directory = '" + directory.replace("'", "''") + "'")
    connection.pragma("temp_store", "file")
    try:
        connection.execute("VACUUM")
    finally:
        connection.pragma("temp_store", "memory")
