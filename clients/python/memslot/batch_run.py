"""Running many items, each in a memory of its own, with retries that start clean."""

from __future__ import annotations

import hashlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memslot.errors import StaleAttempt

if TYPE_CHECKING:
    from memslot.client import Memory
    from memslot.tasks import Task

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

BACKOFF_S = 0.5
BACKOFF_LIMIT_S = 30.0
_WAITING_AHEAD = 2


@dataclass(frozen=True, slots=True)
class AttemptReport:
    """One attempt at an item. ``error`` is what it raised; None when it did well. Times are in seconds."""

    attempt: int
    namespace_path: str
    seconds: float
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class ItemReport(Generic[ItemT, ResultT]):
    """One item: where it stood in the input, its task, each attempt at it, and the last one's result (None when none did well)."""

    index: int
    item: ItemT
    task_id: str
    attempts: Sequence[AttemptReport]
    result: ResultT | None

    @property
    def succeeded(self) -> bool:
        """Whether an attempt did well."""
        return bool(self.attempts) and self.attempts[-1].error is None

    @property
    def error(self) -> BaseException | None:
        """What the last attempt raised; None when it did well."""
        return self.attempts[-1].error if self.attempts else None


@dataclass(frozen=True, slots=True)
class BatchReport(Generic[ItemT, ResultT]):
    """What became of each item, in the order of the input. ``seconds`` is how long it all took.

    As text it names exceptions by their type alone: a message may quote what an agent remembers.
    """

    items: Sequence[ItemReport[ItemT, ResultT]]
    seconds: float

    @property
    def succeeded(self) -> Sequence[ItemReport[ItemT, ResultT]]:
        """Items that did well."""
        return [item for item in self.items if item.succeeded]

    @property
    def failed(self) -> Sequence[ItemReport[ItemT, ResultT]]:
        """Items of which every attempt failed."""
        return [item for item in self.items if not item.succeeded]

    def __str__(self) -> str:
        attempts = sum(len(item.attempts) for item in self.items)
        lines = [
            f"{len(self.succeeded)} of {len(self.items)} items did well, in {attempts} attempts and {self.seconds:.1f} s"
        ]
        lines += [
            f"  item {item.index}, task {item.task_id!r}: attempt {attempt.attempt} raised "
            f"{type(attempt.error).__name__} after {attempt.seconds:.1f} s, in {attempt.namespace_path}"
            for item in self.items
            for attempt in item.attempts
            if attempt.error is not None
        ]
        return "\n".join(lines)


@dataclass(slots=True)
class _Running(Generic[ItemT]):
    index: int
    item: ItemT
    task_id: str
    attempts: list[AttemptReport] = field(default_factory=list)
    result: Any = None


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
    retry_on: type[BaseException] | tuple[type[BaseException], ...] = Exception,
    progress: Callable[[int, int, int], object] | bool | None = None,
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

    An item that fails stops no other one. KeyboardInterrupt and other exceptions that are no Exception end the batch. Raises ValueError.
    """
    if workers < 1 or retries < 0 or backoff < 0:
        raise ValueError("workers is at least 1, retries and backoff are not negative")
    if memory is None:
        from memslot.client import connect  # noqa: PLC0415 - only when no client is given

        with connect() as own:
            return run_batch(
                items, fn, workers, retries, memory=own, task_id=task_id, carry_over=carry_over, promote=promote,
                retain=retain, backoff=backoff, retry_on=retry_on, progress=progress,
            )  # fmt: skip
    began = time.monotonic()
    running = [_Running(index, item, (task_id or _task_id(index))(item)) for index, item in enumerate(items)]
    _check_distinct(running)
    batch = _Batch(memory, fn, retries, tuple(carry_over), tuple(promote), retain, backoff, retry_on)
    _run_all(batch, running, workers, _shown(progress, len(running)))
    reports = [ItemReport(one.index, one.item, one.task_id, tuple(one.attempts), one.result) for one in running]
    return BatchReport(reports, time.monotonic() - began)


@dataclass(slots=True)
class _Batch(Generic[ItemT, ResultT]):
    memory: Memory
    fn: Callable[[ItemT, Task], ResultT]
    retries: int
    carry_over: tuple[str, ...]
    promote: tuple[str, ...]
    retain: float
    backoff: float
    retry_on: type[BaseException] | tuple[type[BaseException], ...]
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, one: _Running[ItemT]) -> None:
        """Try an item until it does well, or may not be tried again."""
        for tried in range(self.retries + 1):
            if tried and self.stop.wait(_pause(self.backoff, tried)):
                return
            error = self._attempt(one)
            if error is None or not isinstance(error, self.retry_on) or isinstance(error, StaleAttempt):
                return

    def _attempt(self, one: _Running[ItemT]) -> Exception | None:
        began = time.monotonic()
        task = self.memory.task(one.task_id, carry_over=self.carry_over, retain=self.retain)
        failed: Exception | None = None
        try:
            with task:
                task.promote(*self.promote)
                one.result = self.fn(one.item, task)
        except Exception as error:  # noqa: BLE001 - it is reported, and may be tried again
            one.result, failed = None, error
        path = task.memory.namespace_path if hasattr(task, "memory") else ""
        one.attempts.append(AttemptReport(getattr(task, "attempt", 0), path, time.monotonic() - began, failed))
        return failed


def _run_all(
    batch: _Batch[ItemT, ResultT],
    running: Sequence[_Running[ItemT]],
    workers: int,
    show: Callable[[int, int], object],
) -> None:
    done = failed = 0
    waiting = iter(running)
    pending: dict[Future[None], _Running[ItemT]] = {}
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="memslot-batch") as pool:
        try:
            while True:
                for one in waiting:
                    pending[pool.submit(batch.run, one)] = one
                    if len(pending) >= workers * _WAITING_AHEAD:
                        break
                if not pending:
                    return
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    one = pending.pop(future)
                    future.result()
                    done, failed = done + 1, failed + (one.attempts[-1].error is not None)
                    show(done, failed)
        except BaseException:
            batch.stop.set()
            for future in pending:
                future.cancel()
            raise


def _pause(backoff: float, tried: int) -> float:
    """Doubled each time and varied, so that those that failed together do not come back together."""
    return random.uniform(0.5, 1.0) * min(backoff * float(2 ** (tried - 1)), BACKOFF_LIMIT_S)


def _task_id(index: int) -> Callable[[Any], str]:
    return lambda item: f"{index}-{hashlib.sha256(repr(item).encode('utf-8', 'replace')).hexdigest()[:12]}"


def _check_distinct(running: Sequence[_Running[Any]]) -> None:
    known: dict[str, int] = {}
    for one in running:
        first = known.setdefault(one.task_id, one.index)
        if first != one.index:
            raise ValueError(
                f"items {first} and {one.index} have one task_id, {one.task_id!r}: each needs its own, or they would seal each other"
            )


def _shown(progress: Callable[[int, int, int], object] | bool | None, total: int) -> Callable[[int, int], object]:
    if callable(progress):
        told = progress
        return lambda done, failed: told(done, failed, total)
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return lambda *_: None

    def line(done: int, failed: int) -> None:
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{done} of {total} items, {failed} failed{end}")
        sys.stderr.flush()

    return line
