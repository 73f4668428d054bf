"""Tasks and batches, as whoever writes an agent meets them."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest

import memslot
from memslot import aio
from memslot.tasks import Task


@pytest.fixture
def memory() -> Iterator[memslot.Memory]:
    """A client of an embedded store in RAM."""
    with memslot.embedded(namespace="jobs") as client:
        yield client


def _names(memory: memslot.Memory) -> list[str]:
    return sorted(entry.name for entry in memory.lookup())


def test_a_task_has_a_memory_of_its_own(memory: memslot.Memory) -> None:
    """It starts empty, promotes what it names, and leaves nothing else."""
    memory.write("shared", "x")
    with memory.task("job-17") as task:
        assert (task.attempt, task.resumed, _names(task.memory)) == (1, False, [])
        task.memory.write("scratch", "y")
        task.memory.write("result", "done")
        task.promote("result")
    assert _names(memory) == ["result", "shared"]
    assert memory.read("result").value == "done"
    assert _names(task.memory) == []
    with pytest.raises(memslot.StaleAttempt) as caught:
        task.memory.write("late", "z")
    assert caught.value.current_attempt == 1


def test_what_raises_has_failed(memory: memslot.Memory) -> None:
    """Its error comes out as it is; nothing is promoted; the next attempt carries over what it asks for."""

    def fail(task: Task) -> None:
        with task:
            task.memory.write("plan", "step 3")
            task.promote("plan")
            raise KeyError("oops")

    task = memory.task("job-17")
    with pytest.raises(KeyError, match="oops"):
        fail(task)
    assert _names(memory) == []
    assert task.memory.read("plan").value == "step 3"
    with memory.task("job-17", attempt=2, carry_over=["plan", "notes"]) as second:
        assert (second.attempt, second.carried_over, second.missing) == (2, ("plan",), ("notes",))
        assert second.memory.read("plan").value == "step 3"
    assert _names(task.memory) == []


def test_a_slow_attempt_is_told_that_it_is_over(memory: memslot.Memory) -> None:
    """When another worker has begun the next attempt, the first one's writes raise StaleAttempt, and so does its end."""

    def be_slow() -> None:
        with memory.task("job-17") as slow:
            with memory.task("job-17") as quick:
                quick.memory.write("a", "1")
                quick.promote("a")
            slow.memory.write("a", "late")

    with pytest.raises(memslot.StaleAttempt):
        be_slow()
    with pytest.raises(memslot.StaleAttempt), memory.task("job-18"):
        memory.task("job-18").__enter__()
    assert memory.read("a").value == "1"


def test_an_attempt_is_not_taken_for_the_one_before(memory: memslot.Memory) -> None:
    """An attempt whose block is told that an earlier one is over has failed by that: it has ended, and can be written no more."""
    with memory.task("job-17") as first:
        pass
    second = memory.task("job-17")
    with pytest.raises(memslot.StaleAttempt), second:
        first.memory.write("a", "late")
    with pytest.raises(memslot.StaleAttempt):
        second.memory.write("a", "late")


def test_an_attempt_may_begin_again_where_it_stopped(memory: memslot.Memory) -> None:
    """A worker that was restarted in the middle of its attempt finds what it had written."""
    memory.task("job", attempt=1).__enter__().memory.write("step", "3")
    with memory.task("job", attempt=1) as task:
        assert task.resumed
        assert task.memory.read("step").value == "3"


@pytest.mark.parametrize(
    ("asked", "error"),
    [({"attempt": 0}, ValueError), ({"carry_over": "plan"}, TypeError), ({"retain": -1}, memslot.InvalidRequest)],
)
def test_wrong_use_is_refused(memory: memslot.Memory, asked: dict[str, object], error: type[Exception]) -> None:
    """What cannot work is said at once."""
    with pytest.raises(error), memory.task("job", **asked):  # type: ignore[arg-type]
        pass


async def test_the_same_for_asyncio() -> None:
    """An async block begins and ends an attempt, well or failed."""
    async with aio.embedded(namespace="jobs") as memory:

        async def fail() -> None:
            async with memory.task("job") as task:
                await task.memory.write("plan", "1")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()
        async with memory.task("job", carry_over=["plan"]) as task:
            assert (task.attempt, task.carried_over) == (2, ("plan",))
            task.promote("plan")
        assert (await memory.read("plan")).value == "1"


def test_a_batch_gives_each_item_a_memory(memory: memslot.Memory) -> None:
    """Items run side by side, none sees what another wrote, and the report tells each in the order of the input."""
    together = threading.Barrier(3, timeout=20)

    def work(item: int, task: Task) -> int:
        together.wait()
        assert _names(task.memory) == []
        task.memory.write("x", {"item": item})
        together.wait()
        return task.memory.read("x").value["item"] * 10  # type: ignore[index, call-overload, operator, no-any-return]

    report = memslot.run_batch([1, 2, 3], work, workers=3, memory=memory)
    assert [item.result for item in report.items] == [10, 20, 30]
    assert len({item.attempts[0].namespace_path for item in report.items}) == 3
    assert not report.failed
    assert str(report).startswith("3 of 3 items did well, in 3 attempts")


def test_a_failed_attempt_leaves_nothing_to_the_next(memory: memslot.Memory) -> None:
    """A retry starts clean but for what is carried over; the report traces every attempt, without the words of an exception."""
    seen: list[list[str]] = []

    def work(item: str, task: Task) -> str:
        seen.append(_names(task.memory))
        task.memory.write("notes", "kept", importance=0.5)
        task.memory.write("mess", "half done")
        if len(seen) < 3:
            raise RuntimeError("CANARY of a body")
        task.promote("notes")
        return item

    report = memslot.run_batch(["a"], work, retries=2, memory=memory, carry_over=["notes"], backoff=0)
    assert seen == [[], ["notes"], ["notes"]]
    (item,) = report.items
    assert (item.succeeded, item.result, [one.attempt for one in item.attempts]) == (True, "a", [1, 2, 3])
    assert isinstance(item.attempts[0].error, RuntimeError)
    assert "RuntimeError" in str(report)
    assert "CANARY" not in str(report)
    assert _names(memory) == ["notes"]


def test_an_item_that_fails_stops_no_other(memory: memslot.Memory) -> None:
    """It is tried as often as was asked, only for errors that were asked, and reported."""

    def work(item: int, task: Task) -> int:
        if item == 1:
            raise OSError
        if item == 2:
            raise ValueError
        return item

    shown: list[tuple[int, int, int]] = []
    report = memslot.run_batch(
        range(4),
        work,
        workers=1,
        retries=1,
        memory=memory,
        backoff=0,
        retry_on=OSError,
        progress=lambda *n: shown.append(n),
    )
    assert [len(item.attempts) for item in report.items] == [1, 2, 1, 1]
    assert [item.index for item in report.failed] == [1, 2]
    assert isinstance(report.items[1].error, OSError)
    assert shown[-1] == (4, 2, 4)
    again = memslot.run_batch(range(4), lambda item, _: item, memory=memory)
    assert [item.attempts[0].attempt for item in again.items] == [2, 3, 2, 2]


def test_an_interrupt_ends_a_batch(memory: memslot.Memory) -> None:
    """Ctrl-C is passed on, and items that have not begun do not begin."""
    begun: list[int] = []

    def work(item: int, _: Task) -> None:
        begun.append(item)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memslot.run_batch(range(100), work, workers=1, memory=memory)
    assert len(begun) < 10


def test_items_need_tasks_of_their_own(memory: memslot.Memory) -> None:
    """Two items under one name would seal each other's attempts: that is refused before anything runs."""
    with pytest.raises(ValueError, match="items 0 and 2 have one task_id"):
        memslot.run_batch([1, 2, 1], lambda item, task: None, memory=memory, task_id=str)
    for wrong in ({"workers": 0}, {"retries": -1}, {"backoff": -1}):
        with pytest.raises(ValueError, match="at least 1"):
            memslot.run_batch([1], lambda item, task: None, memory=memory, **wrong)  # type: ignore[arg-type]


def test_progress_is_shown_on_a_terminal(memory: memslot.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line tells how far it is; where nobody watches, nothing is written."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, told in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        memslot.run_batch(["a", "b"], lambda item, task: None, memory=memory)
        assert ("2 of 2 items, 0 failed" in stream.getvalue()) == told
