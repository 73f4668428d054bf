"""Running many items with asyncio, each in a memory of its own, with retries that start clean."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from memslot.batch_report import (
    BACKOFF_S,
    BatchReport,
    ItemT,
    Progress,
    ResultT,
    RetryOn,
    Running,
    Wanted,
    checked,
    shown,
    taken_up,
)

if TYPE_CHECKING:
    from memslot.aio import Memory
    from memslot.tasks import AsyncTask


async def run_batch(
    items: Iterable[ItemT],
    fn: Callable[[ItemT, AsyncTask], Awaitable[ResultT]],
    workers: int = 4,
    retries: int = 2,
    *,
    memory: Memory | None = None,
    task_id: Callable[[ItemT], str] | None = None,
    carry_over: Iterable[str] = (),
    promote: Iterable[str] = (),
    retain: float = 0.0,
    backoff: float = BACKOFF_S,
    retry_on: RetryOn = Exception,
    progress: Progress = None,
) -> BatchReport[ItemT, ResultT]:
    """Await ``fn(item, task)`` for each item, ``workers`` at a time, and return what became of each.

    Each item is a task of its own below the namespace of ``memory`` (by default a client of MEMSLOT_TARGET), and each attempt at it has
    a memory of its own, ``task.memory``. An attempt that raises one of ``retry_on`` is sealed and emptied, but for the slots in
    ``carry_over``, and tried again up to ``retries`` times, after ``backoff`` seconds, doubled each time up to 30, and varied. What
    ``promote`` or ``task.promote`` names moves to the namespace of ``memory`` when an item does well. ``retain`` is how many seconds an
    attempt can be read after it ended (a failed one at least an hour).

    ``task_id`` names an item's task; by default a number and a digest of the item's ``repr``, so that a batch that is run again
    takes up the same tasks, with a further attempt each. ``progress`` is called as ``progress(done, failed, total)``; by default a line
    on standard error shows it on a terminal, False keeps it quiet.

    An item that fails stops no other one. When the call is cancelled, or an exception comes that is no Exception, those that run are
    cancelled too, and their attempts end as failed. Raises ValueError and TypeError.
    """
    asked = checked(workers, retries, carry_over, promote, retain, backoff, retry_on)
    if memory is None:
        from memslot.aio import connect  # noqa: PLC0415 - only when no client is given

        async with connect() as own:
            return await run_batch(
                items, fn, workers, retries, memory=own, task_id=task_id, carry_over=asked.carry_over, promote=asked.promote,
                retain=retain, backoff=backoff, retry_on=retry_on, progress=progress,
            )  # fmt: skip
    began = time.monotonic()
    running = taken_up(items, task_id)
    batch = _Batch(memory, fn, asked, shown(progress, len(running)))
    await _together(batch.work(waiting) for waiting in [iter(running)] * min(workers, len(running)))
    return BatchReport([one.report() for one in running], time.monotonic() - began)


@dataclass(slots=True)
class _Batch(Generic[ItemT, ResultT]):
    memory: Memory
    fn: Callable[[ItemT, AsyncTask], Awaitable[ResultT]]
    asked: Wanted[ItemT]
    show: Callable[[int, int], object]
    done: int = 0
    failed: int = 0

    async def work(self, waiting: Iterator[Running[ItemT]]) -> None:
        """Take item after item."""
        for one in waiting:
            await self._run(one)
            self.done, self.failed = self.done + 1, self.failed + one.failed
            self.show(self.done, self.failed)

    async def _run(self, one: Running[ItemT]) -> None:
        for tried in range(self.asked.retries + 1):
            if tried:
                await asyncio.sleep(self.asked.pause_s(tried))
            if not self.asked.again(await self._attempt(one)):
                return

    async def _attempt(self, one: Running[ItemT]) -> Exception | None:
        began, failed = time.monotonic(), None
        task = self.memory.task(one.task_id, carry_over=self.asked.carry_over, retain=self.asked.retain)
        try:
            async with task:
                task.promote(*self.asked.promote)
                one.result = await self.fn(one.item, task)
        except Exception as error:  # noqa: BLE001 - it is reported, and may be tried again
            failed = error
        one.note(task, time.monotonic() - began, failed)
        return failed


async def _together(work: Iterable[Any]) -> None:
    """Await all; when one raises, or the wait is cancelled, the others are cancelled and waited for."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
