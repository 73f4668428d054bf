"""Two parts of one search at the same time: what searches words and what compares vectors leave the interpreter to each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

import apsw

from memslot_index.database.connections import Connections
from memslot_index.database.stopping import Stop

T = TypeVar("T")


class Part(Generic[T]):
    """Work that another thread does, unless none is free until it is asked for."""

    def __init__(self, work: Callable[[], T], doing: Future[T]) -> None:
        self._work = work
        self._doing = doing

    def result(self) -> T:
        """What came of it. Raises what the work raises."""
        return self._work() if self._doing.cancel() else self._doing.result()

    def leave(self) -> None:
        """Answers when nobody works on it any more."""
        if not self._doing.cancel():
            wait([self._doing])


class Beside:
    """The other threads of a search, which ``stop`` ends too."""

    def __init__(self, threads: ThreadPoolExecutor, connections: Connections, stop: Stop) -> None:
        self._threads = threads
        self._connections = connections
        self._stop = stop

    def begin(self, work: Callable[[], T]) -> Part[T]:
        """Has some work done. Raises apsw.ConnectionClosedError when the index is closed."""
        try:
            return Part(work, self._threads.submit(self._stoppable, work))
        except RuntimeError as error:
            raise apsw.ConnectionClosedError("the index is closed") from error

    def _stoppable(self, work: Callable[[], T]) -> T:
        with self._connections.stoppable(self._stop):
            return work()
