"""The index behind its threads: one that writes, in the order of the requests, and two that search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw

from memslot_index.changes import Change, Entry
from memslot_index.database.stopping import Stop
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

T = TypeVar("T")

_SEARCHES = 2
_AGAIN_S = 0.05


class NotBegun(Exception):
    """No thread was free for a search in its time."""


class Desk:
    """An open index. Its methods are for the loop's thread; work is queued by the call itself, not by awaiting it.

    ``waits`` is called when a document has been indexed that waits for a vector, ``changed`` when anything was written.
    """

    def __init__(self, index: Index, opened: Callable[[], Index]) -> None:
        self.index = index
        self._opened = opened
        self._writer = ThreadPoolExecutor(1, "memslot-index")
        self._readers = ThreadPoolExecutor(_SEARCHES, "memslot-search")
        self._under_way = 0
        self._searched = 0
        self._portion = Stop()
        self._closed = False
        self.writes = 0
        self.waits: Callable[[], None] = lambda: None
        self.changed: Callable[[], None] = lambda: None

    @classmethod
    async def open(cls, directory: Path | None, settings: VectorSettings) -> Desk:
        """Opens the index of a directory. Raises apsw.Error, OSError."""
        opened = partial(Index.opened, directory, settings)
        return cls(await asyncio.get_running_loop().run_in_executor(None, opened), opened)

    @property
    def busy(self) -> bool:
        """Whether changes are being written."""
        return self._under_way > 0

    @property
    def searched(self) -> bool:
        """Whether somebody searches."""
        return self._searched > 0

    def has(self, namespace: str) -> bool:
        """Whether anything is indexed of a namespace."""
        return self.index.space(namespace) is not None or namespace in self.index.summaries.paths

    def apply(self, changes: Sequence[Change], watermark: int | None = None) -> asyncio.Future[None]:
        """Queues changes for the index."""
        future = self.write(lambda index: index.apply(changes, watermark))
        if any(isinstance(change, Entry) and change.embed and change.vector is None for change in changes):
            future.add_done_callback(lambda _: self.waits())
        return future

    def write(self, work: Callable[[Index], T]) -> asyncio.Future[T]:
        """Queues other work that changes the index. Raises apsw.ConnectionClosedError when it is closed."""
        self._check_open()
        self._under_way += 1
        self.writes += 1
        self._portion.give()
        future = asyncio.get_running_loop().run_in_executor(self._writer, work, self.index)
        future.add_done_callback(self._written)
        return future

    def merge(self) -> asyncio.Future[None]:
        """Queues a portion of merging, which gives way, by apsw.InterruptError, to whatever is to be written.

        Raises apsw.ConnectionClosedError when the index is closed.
        """
        self._check_open()
        self._portion = Stop()
        return asyncio.get_running_loop().run_in_executor(self._writer, self.index.merging.portion, self._portion)

    def settle(self) -> asyncio.Future[None]:
        """Has what was merged brought into the file, beside all else that is done. Raises apsw.ConnectionClosedError when the index is closed."""
        self._check_open()
        return asyncio.get_running_loop().run_in_executor(None, self.index.merging.settle)

    def read(self, work: Callable[[Index], T]) -> asyncio.Future[T]:
        """Queues work that only reads. Raises apsw.ConnectionClosedError when the index is closed."""
        self._check_open()
        return asyncio.get_running_loop().run_in_executor(self._readers, work, self.index)

    async def search(self, work: Callable[[Index, Stop], T], within_s: float) -> T:
        """Searches for at most so many seconds, and no longer than somebody waits for it.

        Raises NotBegun, asyncio.TimeoutError, and apsw.ConnectionClosedError when the index is closed.
        """
        self._check_open()
        self._searched += 1
        try:
            return await self._search(work, within_s)
        finally:
            self._searched -= 1

    async def _search(self, work: Callable[[Index, Stop], T], within_s: float) -> T:
        stop = Stop()
        running = self._readers.submit(work, self.index, stop)
        future = asyncio.wrap_future(running)
        future.add_done_callback(seen)
        try:
            done, _ = await asyncio.wait([future], timeout=within_s)
        except asyncio.CancelledError:
            self._end(running, stop)
            raise
        if not done:
            raise asyncio.TimeoutError if self._end(running, stop) else NotBegun
        return future.result()

    async def renew(self) -> None:
        """Puts an index away whose file is damaged or gone, and begins an empty one. Raises apsw.Error, OSError."""
        before = self.index
        after = await self.write(self._renewed)
        after.summaries.news = before.summaries.news
        self.index = after
        # What was queued before ends first.
        self.write(lambda _: _close(before))

    async def close(self) -> None:
        """Finishes what was queued and closes the index."""
        self._closed = True
        self._portion.give()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._writer.shutdown)
        await loop.run_in_executor(None, self._readers.shutdown)
        await loop.run_in_executor(None, self.index.close)

    def _check_open(self) -> None:
        if self._closed:
            raise apsw.ConnectionClosedError("the index is closed")

    def _renewed(self, before: Index) -> Index:
        before.put_away()
        return self._opened()

    def _end(self, running: Future[T], stop: Stop) -> bool:
        """Ends a search for good; whether it had begun."""
        if running.cancel():
            return False
        if not running.done():
            stop.give()
            asyncio.get_running_loop().call_later(_AGAIN_S, self._end, running, stop)
        return True

    def _written(self, _: object) -> None:
        self._under_way -= 1
        self.changed()


def _close(index: Index) -> None:
    """A connection that somebody reads stays open as long."""
    with suppress(apsw.Error):
        index.close(keep=False)


def seen(future: asyncio.Future[Any]) -> None:
    """What becomes of work that nobody waits for any more is nobody's business."""
    if not future.cancelled():
        future.exception()
