"""Batches under strain: many items, interruptions, wrong arguments; and the same with asyncio."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import memslot
from memslot import aio
from memslot.tasks import AsyncTask, Task


class Exit(BaseException):
    """No Exception."""


@pytest.fixture
def memory() -> Iterator[memslot.Memory]:
    """A client of an embedded store in RAM."""
    with memslot.embedded(namespace="jobs") as client:
        yield client


@asynccontextmanager
async def _opened() -> AsyncIterator[aio.Memory]:
    """The same for asyncio."""
    async with aio.embedded(namespace="jobs") as client:
        yield client


def _refused(**wrong: Any) -> dict[str, Any]:
    return {"items": [1], "fn": lambda item, task: None, **wrong}


@pytest.mark.parametrize("wrong", [{"carry_over": "plan"}, {"promote": "plan"}])
def test_one_name_is_no_list_of_names(memory: memslot.Memory, wrong: dict[str, Any]) -> None:
    """A text in the place of names would be taken letter by letter: it is refused before anything runs."""
    with pytest.raises(TypeError, match="is a list of names"):
        memslot.run_batch(**_refused(**wrong), memory=memory)
    assert not list(memory.lookup(recursive=True))


def test_items_that_break_off_start_nothing(memory: memslot.Memory) -> None:
    """The input is read whole first: what it raises comes out, and no item has begun."""
    begun: list[int] = []

    def items() -> Iterator[int]:
        yield 1
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        memslot.run_batch(items(), lambda item, task: begun.append(item), memory=memory)
    assert begun == []
    assert memslot.run_batch(iter(()), lambda item, task: None, memory=memory).items == []


def test_more_workers_than_items_and_threads_within(memory: memslot.Memory) -> None:
    """An item's memory may be used from threads of its own."""

    def work(item: int, task: Task) -> int:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: task.memory.write(f"n{n}", {"n": n}), range(40)))
        return sum(1 for _ in task.memory.lookup())

    report = memslot.run_batch([1, 2], work, workers=50, memory=memory)
    assert [item.result for item in report.items] == [40, 40]


def test_the_report_traces_slots(memory: memslot.Memory) -> None:
    """Each attempt tells what came from the one before, what was promoted, and what was to be and was not there."""

    def work(item: str, task: Task) -> None:
        task.memory.write("notes", f"attempt {task.attempt}")
        if task.attempt == 1:
            secret = [item] * 1000
            raise RuntimeError(str(len(secret)))

    asked = {"carry_over": ["notes", "gone"], "promote": ["notes", "never"]}
    report = memslot.run_batch(["a"], work, memory=memory, backoff=0, **asked)  # type: ignore[arg-type]
    first, second = report.items[0].attempts
    assert (first.carried_over, first.promoted, first.missing) == ((), (), ("notes", "gone"))
    assert (second.carried_over, second.promoted, second.missing) == (("notes",), ("notes",), ("gone", "never"))
    assert first.error is not None
    frames = []
    trace = first.error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    assert frames[-1].f_code.co_name == "work"
    assert "secret" not in frames[-1].f_locals


def test_a_stale_attempt_within_fails_the_one_around_it(memory: memslot.Memory) -> None:
    """Another task's StaleAttempt is an error like any other: this attempt ends as failed and is tried again."""

    def work(item: int, task: Task) -> None:
        if task.attempt == 1:
            with memory.task("shared") as one:
                memory.task("shared").__enter__()
                one.memory.write("late", "x")

    task = memory.task("outer")
    with pytest.raises(memslot.errors.StaleAttempt), task:
        work(0, task)
    with pytest.raises(memslot.errors.StaleAttempt) as caught:
        task.memory.write("after", "x")
    assert "has ended" in str(caught.value)


def test_what_a_task_promoted_is_told(memory: memslot.Memory) -> None:
    """A name that was never written is no silent loss."""
    with memory.task("job") as task:
        task.memory.write("result", "x")
        task.promote("result", "reslut")
    assert (task.promoted, task.not_promoted) == (("result",), ("reslut",))


@pytest.mark.slow
def test_ten_thousand_items(memory: memslot.Memory) -> None:
    """As many as there are; the store holds nothing of them afterwards but what was promoted, and counts one namespace."""

    def work(item: int, task: Task) -> int:
        task.memory.write("x", {"item": item})
        return item

    report = memslot.run_batch(range(10_000), work, workers=4, memory=memory)
    assert [item.result for item in report.items] == list(range(10_000))
    assert memory.stats().slots == 0


def test_both_ways_to_run_are_alike() -> None:
    """The same arguments and the same promises but for what is awaited."""
    one, other = inspect.signature(memslot.run_batch), inspect.signature(aio.run_batch)
    assert list(one.parameters) == list(other.parameters)
    assert [p.default for p in one.parameters.values()] == [p.default for p in other.parameters.values()]
    assert inspect.iscoroutinefunction(aio.run_batch)


async def test_a_batch_with_asyncio() -> None:
    """Items run side by side, so many at a time; a failed attempt is emptied and tried again; the report tells each."""
    async with _opened() as awaited:
        running = most = 0
        together = asyncio.Event()

        async def work(item: int, task: AsyncTask) -> int:
            nonlocal running, most
            assert [entry.name async for entry in task.memory.lookup()] == ["notes"] * (task.attempt > 1)
            running += 1
            most = max(most, running)
            if most == 3:
                together.set()
            await asyncio.wait_for(together.wait(), 20)
            await task.memory.write("notes", "kept")
            await task.memory.write("mess", "x")
            running -= 1
            if item % 2 and task.attempt == 1:
                raise RuntimeError("CANARY")
            return item * 10

        shown: list[tuple[int, int, int]] = []
        report = await aio.run_batch(
            range(6),
            work,
            workers=3,
            memory=awaited,
            carry_over=["notes"],
            backoff=0,
            progress=lambda *n: shown.append(n),
        )
        assert [item.result for item in report.items] == [0, 10, 20, 30, 40, 50]
        assert [len(item.attempts) for item in report.items] == [1, 2, 1, 2, 1, 2]
        assert shown[-1] == (6, 0, 6)
        assert most == 3
        assert "RuntimeError" in str(report)
        assert "CANARY" not in str(report)
        assert (await aio.run_batch([], work, memory=awaited)).items == []


async def test_a_cancelled_batch_ends_its_attempts() -> None:
    """Whoever gives up leaves no attempt running: those under way end as failed, and no further item begins."""
    async with _opened() as awaited:
        begun: list[AsyncTask] = []
        both = asyncio.Event()

        async def work(item: int, task: AsyncTask) -> None:
            begun.append(task)
            if len(begun) == 2:
                both.set()
            await asyncio.Event().wait()

        batch = asyncio.ensure_future(aio.run_batch(range(10), work, workers=2, memory=awaited))
        await both.wait()
        batch.cancel()
        with pytest.raises(asyncio.CancelledError):
            await batch
        assert len(begun) == 2
        for task in begun:
            with pytest.raises(memslot.errors.StaleAttempt, match="has ended"):
                await task.memory.write("late", "x")


async def test_an_item_that_exits_ends_the_batch() -> None:
    """An exception that is no Exception comes out, and cancels the others."""
    async with _opened() as awaited:
        cancelled = threading.Event()

        async def work(item: int, _: AsyncTask) -> None:
            if item:
                raise Exit
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise

        with pytest.raises(Exit):
            await aio.run_batch(range(2), work, workers=2, memory=awaited)
        assert cancelled.is_set()


def test_what_could_not_begin_is_told(tmp_path: Path) -> None:
    """Without a sidecar no attempt has a number or a namespace, and the report names none."""
    with memslot.connect(f"unix:{tmp_path}/none.sock", namespace="jobs", timeout=0.2) as unreachable:
        report = memslot.run_batch([1], lambda item, task: item, 1, 0, memory=unreachable, progress=False)
    assert str(report).splitlines()[1].endswith(": an attempt could not begin: Unreachable")
