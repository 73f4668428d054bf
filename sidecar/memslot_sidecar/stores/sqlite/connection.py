"""How every connection of the store is set up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

BUSY_MS = 5_000
_STATEMENTS = 200


def connect(path: Path, cache_bytes: int, *, vfs: str | None = None) -> apsw.Connection:
    """A connection with a page cache of at most ``cache_bytes``. Raises apsw.Error.

    What SQLite must put aside while it sorts stays in memory, so that no name or body gets into a temporary file.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs, statementcachesize=_STATEMENTS)
    connection.set_busy_timeout(BUSY_MS)
    # A statement keeps its plan whatever values are bound; without this, many are compiled anew at each execution.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.pragma("synchronous", "full")
    connection.pragma("secure_delete", "on")
    connection.pragma("temp_store", "memory")
    connection.pragma("mmap_size", 0)
    connection.pragma("cache_size", -(cache_bytes // 1024))
    return connection


def fetch(connection: apsw.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a statement; none is left running."""
    return connection.execute(sql, parameters).fetchall()
