"""Translates what SQLite raises into the store's errors. Nothing else of the product knows the driver's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import apsw

from memslot_sidecar.errors import MemslotError, StoreCorrupt, StoreFull, StoreUnavailable

P = ParamSpec("P")
R = TypeVar("R")

_RETRY_MS = 1000
_FULL_RETRY_MS = 5000
_NO_SPACE = frozenset({apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP, apsw.SQLITE_IOERR_SHMOPEN})
_DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)
_PASSING = (
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.BusyError,
    apsw.LockedError,
    apsw.InterruptError,
    apsw.NoMemError,
    apsw.ProtocolError,
    apsw.ConnectionClosedError,
)


def translated(error: apsw.Error) -> MemslotError | apsw.Error:
    """The store's error for ``error``; an error of our own making (wrong SQL, say) stays as it is."""
    if isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) in _NO_SPACE:
        return StoreFull(
            "the disk that holds the store is full: nothing was changed, reads go on; "
            "free space on it and repeat the call",
            metadata={"bound": "disk"},
            retry_after_ms=_FULL_RETRY_MS,
        )
    if isinstance(error, _DAMAGED):
        return StoreCorrupt("the store's file is damaged: run a check, and restore a backup")
    if isinstance(error, _PASSING):
        return StoreUnavailable("the store cannot reach its file now: repeat the call", retry_after_ms=_RETRY_MS)
    return error


def translating(function: Callable[P, R]) -> Callable[P, R]:
    """Wraps a function that uses SQLite so that it raises the store's errors."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except apsw.Error as error:
            raise translated(error) from error

    return wrapped


def failure(error: Exception) -> Exception:
    """``error`` as whoever waits should see it."""
    return translated(error) if isinstance(error, apsw.Error) else error
