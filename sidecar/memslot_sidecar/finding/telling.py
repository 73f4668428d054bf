"""What callers are told of a failure of the index: no path, no place in the code, and nothing that might quote a body. The log tells more."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from memslot_index.database.connections import FileReplaced
from memslot_index.index import SizeChanged
from memslot_sidecar.errors import IndexUnavailable, MemslotError

_WORDS: Mapping[tuple[type[Exception], ...], str] = {
    (apsw.FullError,): "the disk that holds it is full",
    (
        apsw.NotADBError,
        apsw.CorruptError,
        apsw.FormatError,
        FileReplaced,
    ): "its file is damaged or gone, and is made anew",
    (apsw.BusyError, apsw.LockedError): "somebody else uses its file",
}


def told(error: Exception) -> str:
    """An error of the index in words."""
    if isinstance(error, (MemslotError, SizeChanged)):
        return str(error)
    for kinds, words in _WORDS.items():
        if isinstance(error, kinds):
            return words
    return f"its file cannot be used ({type(error).__name__})"


def stopping() -> IndexUnavailable:
    """What those are told who wait for an index that is about to be closed."""
    return IndexUnavailable("the index cannot be searched now: the sidecar is shutting down", retry_after_ms=1000)
