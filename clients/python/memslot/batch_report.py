"""What became of a batch, item by item; and what both ways to run one share."""

from __future__ import annotations

import hashlib
import random
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from memslot.errors import ClientClosed, StaleAttempt
from memslot.tasks import AsyncTask, Task

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

BACKOFF_S = 0.5
BACKOFF_LIMIT_S = 30.0
_FINAL = (StaleAttempt, ClientClosed)
WAITING_AHEAD = 2
"""How many items a worker are handed out ahead."""

RetryOn: TypeAlias = "type[BaseException] | tuple[type[BaseException], ...]"
Progress: TypeAlias = "Callable[[int, int, int], object] | bool | None"


@dataclass(frozen=True, slots=True)
class AttemptReport:
    """One attempt at an item. ``error`` is what it raised; None when it did well. Times are in seconds.

    ``carried_over`` and ``promoted`` are the slots that came from the attempt before, and that went to the namespace of the batch;
    ``missing`` are those that were to and were not there. Of an error's traceback the lines are kept, and not the values of variables.
    """

    attempt: int
    namespace_path: str
    seconds: float
    error: BaseException | None = None
    carried_over: Sequence[str] = ()
    promoted: Sequence[str] = ()
    missing: Sequence[str] = ()


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
            f"  item {item.index}, task {item.task_id!r}: {_failure(attempt)}"
            for item in self.items
            for attempt in item.attempts
            if attempt.error is not None
        ]
        return "\n".join(lines)


def _failure(attempt: AttemptReport) -> str:
    raised = type(attempt.error).__name__
    if not attempt.namespace_path:
        return f"an attempt could not begin: {raised}"
    return f"attempt {attempt.attempt} raised {raised} after {attempt.seconds:.1f} s, in {attempt.namespace_path}"


@dataclass(frozen=True, slots=True)
class Wanted(Generic[ItemT]):
    """What was asked of a batch, checked."""

    workers: int
    retries: int
    carry_over: tuple[str, ...]
    promote: tuple[str, ...]
    retain: float
    backoff: float
    retry_on: RetryOn

    def pause_s(self, tried: int) -> float:
        """Doubled each time and varied, so that those that failed together do not come back together."""
        return random.uniform(0.5, 1.0) * min(self.backoff * float(2 ** (tried - 1)), BACKOFF_LIMIT_S)

    def again(self, error: BaseException | None) -> bool:
        """Whether an attempt that ended so is followed by another one: never when somebody else has begun it already, or the client is closed."""
        return error is not None and isinstance(error, self.retry_on) and not isinstance(error, _FINAL)


@dataclass(slots=True)
class Running(Generic[ItemT]):
    """An item under way."""

    index: int
    item: ItemT
    task_id: str
    attempts: list[AttemptReport] = field(default_factory=list)
    result: Any = None

    @property
    def failed(self) -> bool:
        """Whether the last attempt failed."""
        return self.attempts[-1].error is not None

    def note(self, task: Task | AsyncTask, seconds: float, error: BaseException | None) -> None:
        """An attempt is over."""
        if error is not None:
            self.result = None
            traceback.clear_frames(error.__traceback__)
        begun = hasattr(task, "memory")
        self.attempts.append(
            AttemptReport(
                task.attempt if begun else 0,
                task.memory.namespace_path if begun else "",
                seconds,
                error,
                task.carried_over if begun else (),
                task.promoted,
                (*(task.missing if begun else ()), *task.not_promoted),
            )
        )

    def report(self) -> ItemReport[ItemT, Any]:
        """What became of it."""
        return ItemReport(self.index, self.item, self.task_id, tuple(self.attempts), self.result)


def checked(
    workers: int,
    retries: int,
    carry_over: Iterable[str],
    promote: Iterable[str],
    retain: float,
    backoff: float,
    retry_on: RetryOn,
) -> Wanted[Any]:
    """What was asked for. Raises ValueError and TypeError."""
    if workers < 1 or retries < 0 or backoff < 0:
        raise ValueError(
            f"workers is {workers}, retries {retries}, backoff {backoff}: give at least 1 worker, and no negative number"
        )
    for what, names in (("carry_over", carry_over), ("promote", promote)):
        if isinstance(names, str):
            raise TypeError(f"{what} is a list of names, not one name")
    return Wanted(workers, retries, tuple(carry_over), tuple(promote), retain, backoff, retry_on)


def taken_up(items: Iterable[ItemT], task_id: Callable[[ItemT], str] | None) -> list[Running[ItemT]]:
    """The items with their tasks. Raises ValueError when two have one, before anything runs."""
    running = [Running(index, item, (task_id or _task_id(index))(item)) for index, item in enumerate(items)]
    known: dict[str, int] = {}
    for one in running:
        first = known.setdefault(one.task_id, one.index)
        if first != one.index:
            raise ValueError(
                f"items {first} and {one.index} have one task_id, {one.task_id!r}: each needs its own, or they would seal each other"
            )
    return running


def _task_id(index: int) -> Callable[[Any], str]:
    return lambda item: f"{index}-{hashlib.sha256(repr(item).encode('utf-8', 'replace')).hexdigest()[:12]}"


def shown(progress: Progress, total: int) -> Callable[[int, int], object]:
    """What is told after each item: (done, failed)."""
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
