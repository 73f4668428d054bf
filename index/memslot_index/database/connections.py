"""Connections to the index's file: one that writes, some that read; or a single one, where it lives in memory."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import apsw

from memslot_index.database import schema
from memslot_index.database.stopping import Stop

NAME = "index.db"
_BUSY_MS = 10_000
_CACHE_KIB = 8 << 10
_READ_CACHE_KIB = 8 << 10
_LOG_PAGES = 1000
"""Of the log, after which whoever writes copies them into the file; SQLite's own number."""
_PAUSE_S = 0.5
"""How long who begins to read waits for the log to be truncated, at most: another one, on whom it depends, may be reading."""
_SMALL_BYTES = 64 << 20
_DAMAGED = (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)


class FileReplaced(OSError):
    """The index's file was removed, or another one was put in its place, while it was open."""


def damaged(error: BaseException) -> bool:
    """Whether an error means that the file must be made anew."""
    return isinstance(error, (*_DAMAGED, FileReplaced))


class Connections:
    """The connections of one index in ``directory``, or, when that is None, in memory.

    One thread at a time may write; any number may read, each of which sees one committed state.
    """

    def __init__(self, directory: Path | None) -> None:
        self._path = None if directory is None else directory / NAME
        self._alone = threading.RLock()
        self._settling = threading.Lock()
        self._open_to_readers = threading.Event()
        self._open_to_readers.set()
        # The one that was used last has the pages at hand that are looked for most.
        self._idle: deque[apsw.Connection] = deque()
        self._reading: list[apsw.Connection] = []
        self._local = threading.local()
        self.fresh = self._path is None or not self._path.exists()
        self._writer = self._open()
        self._identity = self._on_disk()

    @property
    def writer(self) -> apsw.Connection:
        """The connection that writes, for the one thread that does."""
        return self._writer

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A transaction, undone when its block raises."""
        with self._exclusive():
            # By statements: apsw's own context manager keeps the interpreter's lock through a commit.
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def writing_log(self) -> Iterator[apsw.Connection]:
        """A transaction that leaves all it writes to the log: sooner or later :meth:`settle` has to be called."""
        self._writer.wal_autocheckpoint(0)
        try:
            with self.writing() as connection:
                yield connection
        finally:
            self._writer.wal_autocheckpoint(_LOG_PAGES)

    @contextmanager
    def outside(self) -> Iterator[apsw.Connection]:
        """The connection that writes, outside of any transaction."""
        with self._exclusive():
            yield self._writer

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection on which all reads of the block see the same state. Raises FileReplaced."""
        with self._read() as connection:
            stop: Stop | None = getattr(self._local, "stop", None)
            with nullcontext() if stop is None else stop.ends(connection):
                yield connection

    @contextmanager
    def stoppable(self, stop: Stop) -> Iterator[None]:
        """Lets ``stop`` end all that this thread reads in the block."""
        self._local.stop = stop
        try:
            yield
        finally:
            self._local.stop = None

    def put_away(self) -> None:
        """Removes the files, in place of which others may come."""
        if self._path is not None:
            remove(self._path.parent)

    def check_place(self) -> None:
        """Raises FileReplaced when the file that is open is not the one of the directory."""
        if self._path is not None and self._on_disk() != self._identity:
            raise FileReplaced("the index's file was removed or replaced while it was open")

    def check(self) -> list[str]:
        """What is wrong with the file, a line each; in memory nothing can be. Raises apsw.Error for what is no damage.

        Read by a connection of its own: those that are open remember pages, and full-text tables lists of theirs that may be old.
        """
        if self._path is None:
            return []
        try:
            self.check_place()
            connection = _connect(self._path)
        except (*_DAMAGED, FileReplaced) as error:
            return [str(error)]
        try:
            return schema.check(connection)
        finally:
            connection.close()

    def settle(self) -> None:
        """Copies what the log holds into the file, as far as nobody reads older pages. May be called in any thread, and keeps nobody waiting:
        the disk may take its time. Raises apsw.Error, FileReplaced."""
        if self._path is None:
            return
        self.check_place()
        connection = _connect(self._path)
        try:
            # Whoever writes may be at it already.
            with self._settling, suppress(apsw.BusyError):
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        finally:
            connection.close()

    def vacuum(self) -> None:
        """Writes the file anew, without what is gone, and truncates its log. Raises apsw.BusyError while somebody reads the old pages.

        The copy in between is kept in memory if it is small, and else in an unlinked file on the same disk.
        """
        # SQLite does not wait for another who copies the log.
        with self._settling, self.outside() as connection:
            if self._path is None or self.file_bytes() <= _SMALL_BYTES:
                connection.execute("VACUUM")
            else:
                self._vacuum_by_file(connection, self._path.parent)
            # Among searches that follow one another closely there would never be a moment without a reader.
            self._open_to_readers.clear()
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            finally:
                self._open_to_readers.set()

    def file_bytes(self) -> int:
        """Size of the index's files."""
        if self._path is None:
            return 0
        size = 0
        for path in files(self._path.parent):
            with suppress(FileNotFoundError):
                size += path.stat().st_size
        return size

    def close(self) -> None:
        """Closes all connections; nothing may use them any more."""
        for connection in [*self._reading, self._writer]:
            connection.close()
        self._reading.clear()

    @contextmanager
    def _read(self) -> Iterator[apsw.Connection]:
        self._open_to_readers.wait(_PAUSE_S)
        if self._path is None:
            with self._alone:
                yield self._writer
            return
        connection = self._reader()
        try:
            with connection:
                yield connection
        finally:
            self._idle.append(connection)

    @staticmethod
    def _vacuum_by_file(connection: apsw.Connection, directory: Path) -> None:
        if not connection.pragma("temp_store_directory"):
            connection.execute("PRAGMA temp_store_directory = '" + str(directory).replace("'", "''") + "'")
        connection.pragma("temp_store", "file")
        try:
            connection.execute("VACUUM")
        finally:
            connection.pragma("temp_store", "memory")

    def _on_disk(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        with suppress(FileNotFoundError):
            found = self._path.stat()
            return found.st_dev, found.st_ino
        return None

    def _exclusive(self) -> Any:
        return self._alone

    def _open(self) -> apsw.Connection:
        """The connection that writes. A damaged file, or one of another version, is put away: it can be made anew."""
        found = self._prepared()
        if found is None:
            assert self._path is not None
            remove(self._path.parent)
            self.fresh = True
            found = self._prepared()
        assert found is not None
        return found

    def _prepared(self) -> apsw.Connection | None:
        connection = None
        try:
            connection = _connect(self._path)
            if schema.prepare(connection):
                return connection
        except _DAMAGED:
            if self.fresh:
                raise
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        if connection is not None:
            connection.close()
        return None

    def _reader(self) -> apsw.Connection:
        with suppress(IndexError):
            return self._idle.pop()
        assert self._path is not None
        self.check_place()
        connection = _connect(self._path, cache_kib=_READ_CACHE_KIB)
        # Without a lock: who erases holds it, and may be waiting for one who waits for this one.
        self._reading.append(connection)
        return connection


def files(directory: Path) -> list[Path]:
    """The files of an index in ``directory``."""
    return [directory / (NAME + suffix) for suffix in ("", "-wal", "-shm")]


def remove(directory: Path) -> None:
    """Removes the index's file; it is made anew from the store."""
    for path in files(directory):
        path.unlink(missing_ok=True)


def _connect(path: Path | None, *, cache_kib: int = _CACHE_KIB) -> apsw.Connection:
    if path is not None:
        # What SQLite puts beside the file takes its permissions.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection = apsw.Connection(":memory:" if path is None else str(path))
    connection.set_busy_timeout(_BUSY_MS)
    connection.pragma("journal_mode", "wal")
    # What a power cut takes away is indexed again from the watermark.
    connection.pragma("synchronous", "normal")
    connection.pragma("secure_delete", "on")
    connection.pragma("temp_store", "memory")
    connection.pragma("cache_size", -cache_kib)
    return connection
