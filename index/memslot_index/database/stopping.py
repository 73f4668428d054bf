"""Ends a search whose caller has gone, or whose time is up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import apsw


class Stop:
    """Given to a search by whoever may want to end it, from any thread and at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading: list[apsw.Connection] = []
        self._given = False

    def give(self) -> None:
        """Ends what is read now, which raises apsw.InterruptError. To be repeated: between two statements there is nothing to end."""
        with self._lock:
            self._given = True
            for connection in self._reading:
                connection.interrupt()

    @contextmanager
    def ends(self, connection: apsw.Connection) -> Iterator[None]:
        """While a connection is read for the search. Raises apsw.InterruptError if the search was ended before."""
        with self._lock:
            if self._given:
                raise apsw.InterruptError("the search was ended")
            self._reading.append(connection)
        try:
            yield
        finally:
            with self._lock:
                self._reading.remove(connection)
