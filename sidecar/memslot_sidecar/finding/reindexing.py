"""One request to make the index anew: it goes on whether or not somebody watches it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from memslot_sidecar.finding.finder import Finder

_LOOK_S = 0.2


@dataclass(slots=True)
class Progress:
    """How far it is, in slots; ``namespace`` is the one under way. ``revision`` is 0 until the end."""

    done: int = 0
    total: int = 0
    namespace: str = ""
    revision: int = 0


class Reindexing:
    """Makes the index of ``paths`` anew, one after the other."""

    def __init__(self, finder: Finder, paths: Sequence[str], total: int, *, vectors: bool) -> None:
        self._finder = finder
        self._paths = paths
        self._vectors = vectors
        self._progress = Progress(total=total)

    async def watched(self) -> AsyncGenerator[Progress, None]:
        """Starts, and tells how far it is until it ends. Raises what stopped it."""
        task = self._finder.keep(asyncio.create_task(self._run(), name="memslot reindexing"))
        while not task.done():
            yield self._progress
            await asyncio.wait([task], timeout=_LOOK_S)
        task.result()
        yield self._progress

    async def _run(self) -> None:
        for path in self._paths:
            self._progress.namespace = path
            await self._finder.rebuild(path, vectors=self._vectors, done=self._advance)
        self._progress.total = max(self._progress.total, self._progress.done)
        self._progress.revision = self._finder.watermark or 0

    def _advance(self, count: int) -> None:
        self._progress.done += count
        self._progress.total = max(self._progress.total, self._progress.done)
