"""Merges the parts of full-text tables when nobody wants anything, so that searches look through few of them.

It begins when all that was committed is indexed and nothing was written for a while, gives way at once to what comes, works a fifth of
the time at most, and not while somebody searches. When nothing is left to merge it sleeps until something is written.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import apsw

from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.telling import Complaint

_QUIET_S = 10.0
"""Without a write, before it begins: longer than those who write one batch after the other think about the next."""
_REST = 4.0
"""Of the time that a portion took, until the next one."""
_REST_LEAST_S = 0.005
_SETTLED = 20
"""Portions, after which the log is copied into the file: about as many pages as SQLite lets it have."""

_log = logging.getLogger(__name__)


class Merging:
    """One task. ``settled`` says whether the index has all that it should have; ``failed`` is called with what went wrong.

    Time passes for it by ``pause``, which takes seconds, and is told by ``clock``.
    """

    def __init__(
        self,
        desk: Desk,
        settled: Callable[[], bool],
        failed: Callable[[Exception], None],
        *,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk = desk
        self._settled = settled
        self._failed = failed
        self._pause = pause
        self._clock = clock
        self._wake = asyncio.Event()
        self._complaint = Complaint(_log)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins with what was left before."""
        self._wake.set()
        self._task = asyncio.create_task(self._run(), name="memslot merging words")

    async def stop(self) -> None:
        """Ends; the portion that is under way gives way to whatever is written next, or to the end of the index."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Says that something was written."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await self._quiet()
            self._wake.clear()
            try:
                await self._merge()
            except (apsw.InterruptError, apsw.ConnectionClosedError):
                continue
            except (apsw.Error, OSError) as error:
                self._complaint.tell(
                    "parts of the index cannot be merged, which is tried again after the next write: %s",
                    explained(error),
                )
                self._failed(error)
            else:
                self._complaint.over("parts of the index are merged again")

    async def _quiet(self) -> None:
        """Answers when nothing was written for a while, and nothing is about to be."""
        while True:
            writes = self._desk.writes
            await self._pause(_QUIET_S)
            if writes == self._desk.writes and self._calm:
                return

    @property
    def _calm(self) -> bool:
        return self._settled() and not self._desk.busy

    async def _merge(self) -> None:
        """Portion by portion, until nothing is left or something is to be written, after which all of this begins again."""
        portions, worked_s, longest_s = 0, 0.0, 0.0
        while self._desk.index.merging.waiting and self._calm:
            took_s = 0.0
            if not self._desk.searched:
                begun_s = self._clock()
                await self._desk.merge()
                took_s = self._clock() - begun_s
                portions, worked_s, longest_s = portions + 1, worked_s + took_s, max(longest_s, took_s)
                if not portions % _SETTLED:
                    await self._desk.settle()
            await self._pause(max(_REST_LEAST_S, _REST * took_s))
        if portions % _SETTLED:
            await self._desk.settle()
        _log.debug(
            "words merged in %d portions, %.3f s of work, %.1f ms the longest", portions, worked_s, longest_s * 1e3
        )
