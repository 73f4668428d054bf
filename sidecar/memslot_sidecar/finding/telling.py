"""What callers are told of a failure of the index: no path, no place in the code, and nothing that might quote a body. The log tells more,
but of what goes on failing it tells seldom."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping

import apsw

from memslot_index.database.connections import FileReplaced
from memslot_index.sizes import SizeChanged
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

_TOLD_AGAIN_S = 600.0


class Complaint:
    """One thing that may fail again and again: the log has a line when it begins, another ten minutes later at the earliest, and one when
    it is over."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._next_s = -math.inf
        self._over = True

    def tell(self, line: str, *args: object) -> None:
        """Says that it failed."""
        now_s = self._clock()
        if now_s >= self._next_s:
            self._next_s, self._over = now_s + _TOLD_AGAIN_S, False
            self._log.warning(line, *args)

    def over(self, line: str) -> None:
        """Says that it works, if the last that was said is that it does not."""
        if not self._over:
            self._over = True
            self._log.warning(line)


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
