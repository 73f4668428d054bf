"""Connections to the index's file: one that writes, some that read; or a single one, where it lives in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import apsw

from memslot_index.database import schema

NAME = "index.db"
_BUSY_MS = 10_000
_CACHE_KIB = 8 << 10
_READ_CACHE_KIB = 2 << 10


class Connections:
    """The connections of one index in ``directory``, or, when that is None, in memory.

    One thread at a time may write; any number may read, each of which sees one committed state.
    """

    def __init__(self, directory: Path | None) -> None:
        self._path = None if directory is None else directory / NAME
        self._alone = threading.RLock()
        self._idle: SimpleQueue[apsw.Connection] = SimpleQueue()
        self._reading: list[apsw.Connection] = []
        self.fresh = self._path is None or not self._path.exists()
        self._writer = self._open()

    @property
    def writer(self) -> apsw.Connection:
        """The connection that writes, for the one thread that does."""
        return self._writer

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A transaction, undone when its block raises."""
        with self._exclusive(), self._writer:
            yield self._writer

    @contextmanager
    def outside(self) -> Iterator[apsw.Connection]:
        """The connection that writes, outside of any transaction."""
        with self._exclusive():
            yield self._writer

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection on which all reads of the block see the same state."""
        if self._path is None:
            with self._alone:
                yield self._writer
            return
        connection = self._reader()
        try:
            with connection:
                yield connection
        finally:
            self._idle.put(connection)

    def file_bytes(self) -> int:
        """Size of the index's files."""
        if self._path is None:
            return 0
        return sum(path.stat().st_size for path in files(self._path.parent) if path.exists())

    def close(self) -> None:
        """Closes all connections; nothing may use them any more."""
        for connection in [*self._reading, self._writer]:
            connection.close()
        self._reading.clear()

    def _exclusive(self) -> Any:
        return self._alone

    def _open(self) -> apsw.Connection:
        """The connection that writes. A damaged file, or one of another version, is put away: it can be made anew."""
        try:
            connection = _connect(self._path)
            if schema.prepare(connection):
                return connection
        except (apsw.NotADBError, apsw.CorruptError):
            connection = None
        if connection is not None:
            connection.close()
        assert self._path is not None
        remove(self._path.parent)
        self.fresh = True
        connection = _connect(self._path)
        schema.prepare(connection)
        return connection

    def _reader(self) -> apsw.Connection:
        with suppress(Empty):
            return self._idle.get_nowait()
        assert self._path is not None
        connection = _connect(self._path, cache_kib=_READ_CACHE_KIB)
        with self._alone:
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
