"""What the server does by itself: each job at its interval, under supervision."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.explaining import explained
from memslot_sidecar.operations.clearing import clear_due
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.sweep import sweep_all
from memslot_sidecar.operations.wiping import wiped

FLUSH_INTERVAL_S = 10.0
TRIM_INTERVAL_S = 60.0
CLEAR_INTERVAL_S = 30.0
ERASE_INTERVAL_S = 60.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do again and again; ``at_once`` also at the start, where a crash may have left something."""

    name: str
    interval_s: float
    work: Callable[[], Awaitable[None]]
    at_once: bool = False


class Background:
    """Runs jobs. One that fails is logged and counted, and comes again at its interval."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._failures: Counter[str] = Counter()

    def start(self, *jobs: Job) -> None:
        """Starts jobs; each waits for its interval first, unless it runs at once."""
        self._tasks += [asyncio.create_task(self._repeat(job), name=f"memslot {job.name}") for job in jobs]

    async def stop(self) -> None:
        """Ends all jobs, where they wait."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    @property
    def failures(self) -> Mapping[str, int]:
        """How often each job failed."""
        return dict(self._failures)

    async def _repeat(self, job: Job) -> None:
        if not job.at_once:
            await asyncio.sleep(job.interval_s)
        while True:
            try:
                await job.work()
            except MemslotError as error:
                self._failures[job.name] += 1
                _log.warning("%s failed, and is tried again in %g s: %s", job.name, job.interval_s, error)
            except Exception as error:  # noqa: BLE001 - a supervisor: the job comes again
                self._failures[job.name] += 1
                _log.error("%s failed, and is tried again in %g s: %s", job.name, job.interval_s, explained(error))
            await asyncio.sleep(job.interval_s)


def upkeep(
    ctx: Context, audit: AuditLog, sweep_interval_s: float, feed_keep_revisions: int, feed_keep_s: float
) -> list[Job]:
    """The jobs that every store needs: sweeping, clearing ended tasks, erasing what was swept, flushing accesses, trimming the feed."""

    async def trim() -> None:
        before_ms = ctx.store.now_ms() - round(feed_keep_s * 1000)
        seen = [audit.watermark]
        if ctx.finder is not None and ctx.finder.watermark is not None:
            seen.append(ctx.finder.watermark)
        await ctx.store.trim_feed(feed_keep_revisions, before_ms, min(seen))

    return [
        Job("sweeping expired slots", sweep_interval_s, lambda: sweep_all(ctx)),
        Job("clearing ended tasks", CLEAR_INTERVAL_S, lambda: clear_due(ctx), at_once=True),
        Job("erasing swept slots", ERASE_INTERVAL_S, lambda: wiped(ctx, wanted=True)),
        Job("flushing accesses", FLUSH_INTERVAL_S, ctx.store.flush_accesses),
        Job("trimming the change feed", TRIM_INTERVAL_S, trim),
    ]
