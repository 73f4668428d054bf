"""The index behind its threads: one that writes, in the order of the requests, and two that search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from memslot_index.changes import Change, Entry
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

T = TypeVar("T")

_SEARCHES = 2


class Desk:
    """An open index. Its methods are for the loop's thread; work is queued by the call itself, not by awaiting it.

    ``waits`` is called when a document has been indexed that waits for a vector.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._writer = ThreadPoolExecutor(1, "memslot-index")
        self._readers = ThreadPoolExecutor(_SEARCHES, "memslot-search")
        self._under_way = 0
        self.waits: Callable[[], None] = lambda: None

    @classmethod
    async def open(cls, directory: Path | None, settings: VectorSettings) -> Desk:
        """Opens the index of a directory. Raises apsw.Error, OSError."""
        return cls(await asyncio.get_running_loop().run_in_executor(None, Index, directory, settings))

    @property
    def busy(self) -> bool:
        """Whether changes are being written."""
        return self._under_way > 0

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
        """Queues other work that changes the index."""
        self._under_way += 1
        future = asyncio.get_running_loop().run_in_executor(self._writer, work, self.index)
        future.add_done_callback(self._written)
        return future

    def read(self, work: Callable[[Index], T]) -> asyncio.Future[T]:
        """Queues work that only reads."""
        return asyncio.get_running_loop().run_in_executor(self._readers, work, self.index)

    async def close(self) -> None:
        """Finishes what was queued and closes the index."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._writer.shutdown)
        await loop.run_in_executor(None, self._readers.shutdown)
        await loop.run_in_executor(None, self.index.close)

    def _written(self, _: object) -> None:
        self._under_way -= 1
