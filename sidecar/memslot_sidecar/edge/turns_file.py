"""The file in which turns are kept: ``turns.db`` in the data directory. It can be lost without harm, and is never in the way of a start."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from memslot_sidecar.edge.notes import TurnKey

NAME = "turns.db"
SET_ASIDE = "turns.db.damaged"
_APPLICATION_ID = 0x6D737475
_VERSION = 1
_BUSY_MS = 5_000
_CACHE_KIB = 512
_PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "normal",
    "secure_delete": "on",
    "temp_store": "memory",
    "cache_size": -_CACHE_KIB,
}
_SCHEMA = f"""
CREATE TABLE about (store_id TEXT NOT NULL);
CREATE TABLE turns (
  namespace TEXT NOT NULL, conversation TEXT NOT NULL, turn TEXT NOT NULL,
  number INTEGER NOT NULL, touched INTEGER NOT NULL, notes BLOB NOT NULL,
  PRIMARY KEY (namespace, conversation, turn)
) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {_VERSION};
"""
_PUT = "INSERT OR REPLACE INTO turns VALUES (?, ?, ?, ?, ?, ?)"
_REMOVE = "DELETE FROM turns WHERE namespace = ? AND conversation = ? AND turn = ?"
_DROP = "DELETE FROM turns WHERE namespace = ?"
_READ = "SELECT namespace, conversation, turn, number, touched, notes FROM turns ORDER BY touched"

_log = logging.getLogger(__name__)


class Row(NamedTuple):
    """A turn as it stands in the file: ``touched`` orders turns by when they were last noted."""

    namespace: str
    conversation: str
    turn: str
    number: int
    touched: int
    notes: bytes


class Batch(NamedTuple):
    """What is to be written at once: first whole namespaces go, then turns, then turns are put."""

    dropped: Sequence[str]
    removed: Sequence[TurnKey]
    put: Sequence[Row]


class TurnsFile:
    """The turns of one store. Used by one thread at a time; made when the first batch is written."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._connection: apsw.Connection | None = None

    def read(self, store_id: str) -> Sequence[Row]:
        """All turns, those noted longest ago first. A file that is damaged, another program's, or another store's is set aside."""
        if not (self._directory / NAME).exists():
            return ()
        try:
            return [_row(row) for row in self._opened(store_id).execute(_READ)]
        except (apsw.Error, _Foreign, OSError, UnicodeDecodeError) as error:
            self._set_aside(error)
            return ()

    def write(self, batch: Batch, store_id: str) -> bool:
        """Writes a batch whole or not at all. A damaged file is set aside: True then says that the new one holds nothing else.

        Raises apsw.Error, OSError.
        """
        try:
            self._write(self._opened(store_id), batch)
        except (apsw.NotADBError, apsw.CorruptError, _Foreign) as error:
            self._set_aside(error)
            self._write(self._opened(store_id), batch)
            return True
        return False

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _write(self, connection: apsw.Connection, batch: Batch) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany(_DROP, [(namespace,) for namespace in batch.dropped])
            connection.executemany(_REMOVE, [(key.namespace, key.conversation, key.turn) for key in batch.removed])
            connection.executemany(_PUT, batch.put)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _opened(self, store_id: str) -> apsw.Connection:
        if self._connection is None:
            with suppress(FileExistsError):
                # Names of slots and namespaces stand in it: it is for the user alone, as the store is.
                os.close(os.open(self._directory / NAME, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._connection = _connected(self._directory / NAME)
            self._check(self._connection, store_id)
        return self._connection

    def _check(self, connection: apsw.Connection, store_id: str) -> None:
        if not connection.pragma("application_id") and not connection.execute("SELECT 1 FROM sqlite_schema").fetchall():
            connection.execute(f"BEGIN IMMEDIATE; {_SCHEMA}")
            connection.execute("INSERT INTO about VALUES (?)", (store_id,))
            connection.execute("COMMIT")
        elif (connection.pragma("application_id"), connection.pragma("user_version")) != (_APPLICATION_ID, _VERSION):
            raise _Foreign("it is of another program, or of a newer memslot")
        elif connection.execute("SELECT store_id FROM about").fetchall() != [(store_id,)]:
            raise _Foreign("it is of another store, or of the store before a restore")

    def _set_aside(self, error: Exception) -> None:
        with suppress(apsw.Error):
            self.close()
        self._connection = None
        try:
            (self._directory / NAME).replace(self._directory / SET_ASIDE)
            for suffix in ("-wal", "-shm"):
                (self._directory / (NAME + suffix)).unlink(missing_ok=True)
        except OSError as failure:
            _log.warning("the turns kept in %s cannot be used (%s), nor set aside: %s", NAME, error, failure)
        else:
            _log.warning(
                "the turns kept in %s cannot be used (%s): it is now %s, and a new one is begun", NAME, error, SET_ASIDE
            )


class _Foreign(Exception):
    """The file is not of this store."""


def _row(row: tuple[Any, ...]) -> Row:
    """A row of the file. Raises _Foreign for one that nobody here wrote."""
    kinds = tuple(map(type, row))
    if kinds != (str, str, str, int, int, bytes):
        raise _Foreign("a row of it is damaged")
    return Row(*row)


def _connected(path: Path) -> apsw.Connection:
    """A connection that syncs only when its log is written back: a crash of the machine may lose the latest turns, never more."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX
    connection = apsw.Connection(str(path), flags=flags)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        for pragma, value in _PRAGMAS.items():
            connection.pragma(pragma, value)
    except BaseException:
        connection.close()
        raise
    return connection
