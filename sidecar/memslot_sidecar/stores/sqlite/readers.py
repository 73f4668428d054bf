"""The reading side: one connection for the event loop's thread, and a few threads, each with its own, for what may walk many rows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import apsw

from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.stores.sqlite.failures import translating
from memslot_sidecar.stores.sqlite.reader import Reader

T = TypeVar("T")

_THREADS = 2


class Readers:
    """``open_connection`` opens one more connection; it is called in the thread that will use it."""

    def __init__(self, inline: apsw.Connection, open_connection: Callable[[], apsw.Connection]) -> None:
        self.inline = Reader(inline)
        self._open_connection = open_connection
        self._own = threading.local()
        self._opened: list[apsw.Connection] = []
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="memslot-reader")
        self._closed = False

    async def scan(self, run: Callable[[Reader], T]) -> T:
        """Runs a read in one of the threads."""
        if self._closed:
            raise StoreUnavailable("the store is shutting down: repeat the call", retry_after_ms=1000)
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._scan, run)

    async def close(self) -> None:
        """Ends the threads, whatever they scan, and closes all connections; idempotent."""
        self._closed = True
        for connection in self._opened:
            connection.interrupt()
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)
        for connection in (*self._opened, self.inline.connection):
            connection.close()
        self._opened.clear()

    @translating
    def _scan(self, run: Callable[[Reader], T]) -> T:
        reader: Reader | None = getattr(self._own, "reader", None)
        if reader is None:
            connection = self._open_connection()
            self._opened.append(connection)
            reader = self._own.reader = Reader(connection)
        return run(reader)
