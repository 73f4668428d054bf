"""Wiping freed bytes from all files.

Forgetting frees pages and cells. SQLite overwrites those with zeros (secure_delete), but copies of a row that was moved stay in the
unused part of pages, and the log holds earlier pages whole. So a pass writes the whole file anew (VACUUM), copies the log into it
and truncates the log. A pass serves everyone who waited when it began. What is pending is noted in the store, by the very commit
that asked, and taken up again after a failure and after a restart.
"""

from __future__ import annotations

import asyncio
import shutil

import apsw

from memslot_sidecar.errors import ErasePending, MemslotError
from memslot_sidecar.stores.sqlite.connection import BUSY_MS, fetch
from memslot_sidecar.stores.sqlite.files import Files
from memslot_sidecar.stores.sqlite.writer import Writer

_READERS_MS = 2_000
_LOCK_WAIT_S = 2.0
_FIRST_RETRY_S = 1.0
_LAST_RETRY_S = 60.0
_SMALL_BYTES = 64 << 20


class Eraser:
    """Passes over one store. ``pending`` is the revision of a request that was not served before the start."""

    def __init__(self, files: Files, writer: Writer, pending: int) -> None:
        self._files = files
        self._writer = writer
        self._pending = pending
        self._current: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._retry_s = _FIRST_RETRY_S
        self._closed = False

    @property
    def pending(self) -> bool:
        """Whether freed bytes wait to be wiped."""
        return self._pending > 0

    def requested(self, revision: int) -> None:
        """Notes that a commit asked for a pass."""
        self._pending = revision

    def resume(self) -> None:
        """Starts a pass that nobody waits for."""
        if not self._closed and self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._pass())
            self._next.add_done_callback(_seen)

    async def erase(self) -> None:
        """Answers when a pass that began after the call is done. Raises ErasePending."""
        self.resume()
        if self._next is None:
            raise _pending("the store is shutting down")
        await asyncio.shield(self._next)

    async def close(self) -> None:
        """Lets a pass that runs come to its end, and starts no other."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
        running = [task for task in (self._current, self._next) if task is not None]
        if running:
            await asyncio.wait(running)

    async def _pass(self) -> None:
        if self._current is not None:
            await asyncio.wait([self._current])
        self._current, self._next = self._next, None
        try:
            served = await self._writer.alone(self._wipe)
        except (MemslotError, apsw.Error, OSError) as error:
            self._retry_later()
            raise error if isinstance(error, ErasePending) else _pending("the store's files are busy") from error
        finally:
            self._current = None
        self._retry_s = _FIRST_RETRY_S
        if self._pending <= served:
            self._pending = 0

    def _retry_later(self) -> None:
        if self._closed:
            return
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(self._retry_s, self.resume)
        self._retry_s = min(self._retry_s * 2, _LAST_RETRY_S)

    def _wipe(self, connection: apsw.Connection) -> int:
        """One pass, in the writer's thread; answers the last revision before it."""
        if not self._files.whole.acquire(timeout=_LOCK_WAIT_S):
            raise _pending("a backup is being copied")
        try:
            return self._rewrite(connection)
        finally:
            self._files.whole.release()

    def _rewrite(self, connection: apsw.Connection) -> int:
        size = self._files.size()
        if shutil.disk_usage(self._files.directory).free < 2 * size:
            raise _pending("the disk has no room to write the store anew")
        revision = int(fetch(connection, "SELECT revision FROM state")[0][0])
        _vacuum(connection, in_memory=size <= _SMALL_BYTES, directory=str(self._files.directory))
        connection.set_busy_timeout(_READERS_MS)
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            raise _pending("somebody still reads the old pages") from None
        finally:
            connection.set_busy_timeout(BUSY_MS)
        if self._files.log_size():
            raise _pending("the log is still in use")
        connection.execute("DELETE FROM meta WHERE key = 'erase_pending' AND value <= ?", (revision,))
        return revision


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


def _pending(why: str) -> ErasePending:
    return ErasePending(
        f"the slots are forgotten, but {why}: wiping their bytes goes on by itself",
        retry_after_ms=int(_FIRST_RETRY_S * 1000),
    )


def _seen(task: asyncio.Task[None]) -> None:
    """A failure was told to whoever waited, and is tried again anyway."""
    if not task.cancelled():
        task.exception()
