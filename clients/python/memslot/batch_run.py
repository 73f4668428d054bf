"""Running many items, each in a memory of its own, with retries that start clean."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from memslot.batch_report import (
    BACKOFF_S,
    WAITING_AHEAD,
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
    from memslot.client import Memory
    from memslot.tasks import Task


def run_batch(
    items: Iterable[ItemT],
    fn: Callable[[ItemT, Task], ResultT],
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
    """Call ``fn(item, task)`` for each item in ``workers`` threads, and return what became of each.

    Each item is a task of its own below the namespace of ``memory`` (by default a client of MEMSLOT_TARGET), and each attempt at it has
    a memory of its own, ``task.memory``. An attempt that raises one of ``retry_on`` is sealed and emptied, but for the slots in
    ``carry_over``, and tried again up to ``retries`` times, after ``backoff`` seconds, doubled each time up to 30, and varied. What
    ``promote`` or ``task.promote`` names moves to the namespace of ``memory`` when an item does well. ``retain`` is how many seconds an
    attempt can be read after it ended (a failed one at least an hour).

    ``task_id`` names an item's task; by default a number and a digest of the item's ``repr``, so that a batch that is run again
    takes up the same tasks, with a further attempt each. ``progress`` is called as ``progress(done, failed, total)``; by default a line
    on standard error shows it on a terminal, False keeps it quiet.

    An item that fails stops no other one. KeyboardInterrupt and other exceptions that are no Exception end the batch: items that have not
    begun do not begin, and those that run are waited for. Raises ValueError and TypeError.
    """
    asked = checked(workers, retries, carry_over, promote, retain, backoff, retry_on)
    if memory is None:
        from memslot.client import connect  # noqa: PLC0415 - only when no client is given

        with connect() as own:
            return run_batch(
                items, fn, workers, retries, memory=own, task_id=task_id, carry_over=asked.carry_over, promote=asked.promote,
                retain=retain, backoff=backoff, retry_on=retry_on, progress=progress,
            )  # fmt: skip
    began = time.monotonic()
    running = taken_up(items, task_id)
    _run_all(_Batch(memory, fn, asked), running, shown(progress, len(running)))
    return BatchReport([one.report() for one in running], time.monotonic() - began)


@dataclass(slots=True)
class _Batch(Generic[ItemT, ResultT]):
    memory: Memory
    fn: Callable[[ItemT, Task], ResultT]
    asked: Wanted[ItemT]
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, one: Running[ItemT]) -> None:
        """Try an item until it does well, or may not be tried again."""
        for tried in range(self.asked.retries + 1):
            if tried and self.stop.wait(self.asked.pause_s(tried)):
                return
            if not self.asked.again(self._attempt(one)):
                return

    def _attempt(self, one: Running[ItemT]) -> Exception | None:
        began, failed = time.monotonic(), None
        task = self.memory.task(one.task_id, carry_over=self.asked.carry_over, retain=self.asked.retain)
        try:
            with task:
                task.promote(*self.asked.promote)
                one.result = self.fn(one.item, task)
        except Exception as error:  # noqa: BLE001 - it is reported, and may be tried again
            failed = error
        one.note(task, time.monotonic() - began, failed)
        return failed


def _run_all(batch: _Batch[Any, Any], running: Sequence[Running[Any]], show: Callable[[int, int], object]) -> None:
    done = failed = 0
    waiting = iter(running)
    pending: dict[Future[None], Running[Any]] = {}
    workers = batch.asked.workers
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="memslot-batch") as pool:
        try:
            while True:
                while len(pending) < workers * WAITING_AHEAD and (one := next(waiting, None)) is not None:
                    pending[pool.submit(batch.run, one)] = one
                if not pending:
                    return
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    one = pending.pop(future)
                    future.result()
                    done, failed = done + 1, failed + one.failed
                    show(done, failed)
        except BaseException:
            batch.stop.set()
            for future in pending:
                future.cancel()
            raise
