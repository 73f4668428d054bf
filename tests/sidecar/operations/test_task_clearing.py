"""Tasks: what is left of attempts that are over, and what must not be touched with it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.sidecar.operations.requests import commit, configure, new_id, read, write
from tests.sidecar.operations.tasks import begin, end, names
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1 import namespace_service_pb2 as pb
from memslot.v1.slot_service_pb2 import ForgetMatchingRequest, ListVersionsRequest
from memslot_sidecar.errors import NamespaceNotEmpty, NamespaceNotFound, StaleAttempt, StoreFull
from memslot_sidecar.operations.clearing import KEPT_MS, clear_due
from memslot_sidecar.rules import Limits

HOUR_S = 3_600
FAILED = pb.TASK_OUTCOME_FAILED


async def _filled(run: Served, namespace: str, slots: int) -> None:
    for start in range(0, slots, 100):
        await run(commit(*(write(f"s{n}", b"x", never=True) for n in range(start, start + 100)), namespace=namespace))


async def _interrupted(run: Served, request: Any) -> None:
    """A call that dies when its first transaction is committed, as in a crash."""
    transact = run.store.transact
    commits = 0

    def once(decide: Any) -> Any:
        nonlocal commits
        commits += 1
        if commits > 1:
            raise asyncio.CancelledError
        return transact(decide)

    run.store.transact = once  # type: ignore[method-assign]
    try:
        with pytest.raises(asyncio.CancelledError):
            await run(request)
    finally:
        run.store.transact = transact  # type: ignore[method-assign]


async def test_beginning_is_one_commit(make: StoreMaker) -> None:
    """What an attempt of usual size left is gone in the very transaction that begins the next one: no crash can come between."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(commit(*(write(f"s{n}", b"x") for n in range(60)), namespace=one))
        await run(write("deep", b"x", namespace=f"{one}/a/b"))
        seen: list[set[str]] = []
        run.store.subscribe(lambda records: seen.append({record.outcome for record in records}))
        two = await run(begin(2, "s7"))
        assert seen == [{"CREATED", "FORGOTTEN", "BEGUN"}]
        assert await names(run, two.task_namespace) == ["s7"]
        await run(end(2, "s7"))
        assert len(seen) == 2
        assert run.ctx.store.usage().slots == 1


async def test_a_begin_that_was_cut_short_is_completed(make: StoreMaker) -> None:
    """Whatever is more than a portion goes with the repeat, with the next begin, or by the server's upkeep."""
    async with served(make) as run:
        await run(configure("ns", slot_limit=2_000))
        for complete in ("repeat", "again", "upkeep"):
            one = await run(begin())
            await _filled(run, one.task_namespace, 1_100)
            request = begin(one.attempt + 1, "s0", request_id=new_id())
            await _interrupted(run, request)
            assert 0 < len(await names(run, one.task_namespace)) < 1_099
            if complete == "upkeep":
                await clear_due(run.ctx)
            else:
                await run(request if complete == "repeat" else begin(one.attempt + 1))
            assert await names(run, one.task_namespace) == []
            assert await names(run, f"ns/job/attempt-{one.attempt + 1}") == ["s0"]
        assert not (await run.store.check()).problems


async def test_retaining_an_attempt_keeps_no_earlier_one(make: StoreMaker) -> None:
    """An attempt that ends with ``retain`` does not put off what still waits to be forgotten of the one before it."""
    async with served(make) as run:
        await run(configure("ns", slot_limit=2_000))
        one = (await run(begin())).task_namespace
        await _filled(run, one, 1_100)
        await _interrupted(run, begin(2))
        await run(write("log", b"x", namespace="ns/job/attempt-2", never=True))
        await run(end(2, outcome=FAILED, retain=Duration(seconds=HOUR_S)))
        assert await names(run, one) == []
        assert await names(run, "ns/job/attempt-2") == ["log"]
        run.clock.forward(HOUR_S * 1_000)
        await clear_due(run.ctx)
        assert await names(run, "ns/job/attempt-2") == []


async def test_settings_of_an_attempt_go_with_it(make: StoreMaker) -> None:
    """A namespace that an attempt configured, for itself or below, is no namespace any more when the attempt is over."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(configure(one, slot_limit=3))
        await run(configure(f"{one}/deeper", slot_limit=3))
        await run(write("a", b"1", namespace=f"{one}/deeper"))
        await run(begin())
        assert list((await run(pb.ListNamespacesRequest())).namespaces) == []
        assert run.store.namespace(one) is None
        await run(configure("ns/job/attempt-2", slot_limit=3))
        run.clock.forward(KEPT_MS)
        await clear_due(run.ctx)
        assert (run.store.namespace("ns/job"), run.store.namespace("ns/job/attempt-2")) == (None, None)
        assert not (await run.store.check()).problems


async def test_deleting_the_task_s_namespace_lifts_no_fence(make: StoreMaker) -> None:
    """A namespace is deleted with its settings and slots; the attempts below it stay, fenced as they were."""
    async with served(make) as run:
        await run(begin())
        await run(begin())
        with pytest.raises(NamespaceNotFound):
            await run(pb.DeleteNamespaceRequest(namespace="ns/job", force=True))
        await run(configure("ns/job", slot_limit=3))
        await run(write("own", b"1", namespace="ns/job"))
        await run(pb.DeleteNamespaceRequest(namespace="ns/job", force=True))
        await run(pb.UpdateNamespaceRequest(namespace="ns", settings=pb.NamespaceSettings(slot_limit=9)))
        await run(pb.DeleteNamespaceRequest(namespace="ns", force=True))
        with pytest.raises(StaleAttempt):
            await run(write("late", b"1", namespace="ns/job/attempt-1"))
        await run(write("a", b"1", namespace="ns/job/attempt-2"))
        assert (await run(begin())).attempt == 3


async def test_what_was_there_before_the_task_is_neither_shown_nor_lost(make: StoreMaker) -> None:
    """An attempt never finds slots that no attempt wrote: it begins beside them, or is refused where it was asked for by number."""
    async with served(make) as run:
        await run(write("mine", b"1", namespace="ns/job/attempt-1/deeper"))
        with pytest.raises(NamespaceNotEmpty):
            await run(begin(1))
        assert (await run(begin())).attempt == 2
        assert (await run(read("mine", namespace="ns/job/attempt-1/deeper"))).slot.body == b"1"
        run.clock.forward(KEPT_MS + 1)
        assert (await run(begin(1, task_id="other"))).attempt == 1


async def test_names_that_only_look_like_attempts_are_free(make: StoreMaker) -> None:
    """Only the very name of an attempt below a task is fenced."""
    async with served(make) as run:
        await run(begin(3))
        for free in ("attempt-03", "ATTEMPT-2", "attempt-", "attempt-2x", "xattempt-2", "attempt-0", "attempt-２"):
            await run(write("a", b"1", namespace=f"ns/job/{free}"))
        await run(write("a", b"1", namespace="attempt-2/attempt-2"))
        with pytest.raises(StaleAttempt):
            await run(write("a", b"1", namespace="ns/job/attempt-4"))


async def test_tasks_within_attempts(make: StoreMaker) -> None:
    """An attempt may have tasks of its own, down to eight segments; they end with it."""
    async with served(make) as run:
        outer = (await run(begin())).task_namespace
        inner = (await run(begin(namespace=outer, task_id="子任务/1"))).task_namespace
        assert inner == "ns/job/attempt-1/子任务%2F1/attempt-1"
        deepest = (await run(begin(namespace=inner, task_id="x"))).task_namespace
        assert deepest.count("/") == 6
        await run(write("a", b"1", namespace=deepest))
        await run(begin())
        assert run.store.usage().slots == 0
        for stale in (inner, deepest):
            with pytest.raises(StaleAttempt):
                await run(write("late", b"1", namespace=stale))
        with pytest.raises(StaleAttempt):
            await run(begin(namespace=outer, task_id="子任务/1"))
        with pytest.raises(StaleAttempt):
            await run(end(1, namespace=inner, task_id="x"))
        assert run.store.namespace("ns/job/attempt-1/子任务%2F1") is None
        assert not (await run.store.check()).problems


async def test_tasks_are_no_namespaces_of_the_quota(make: StoreMaker) -> None:
    """However many tasks have ended today, only namespaces that hold something count against namespace_limit."""
    async with served(make, limits=Limits(namespace_limit=2)) as run:
        await run(write("mine", b"1"))
        for number in range(5):
            task = f"t{number}"
            one = (await run(begin(task_id=task))).task_namespace
            await run(write("a", b"1", namespace=one))
            await run(end(1, "a", task_id=task))
        assert run.store.usage().namespaces == 1
        await run(begin(task_id="last"))
        await run(write("a", b"1", namespace="second"))
        with pytest.raises(StoreFull):
            await run(write("a", b"1", namespace="ns/last/attempt-1"))
        assert not (await run.store.check()).problems


async def test_forgetting_everything_below_the_parent_leaves_the_task(make: StoreMaker) -> None:
    """ForgetMatching from above empties attempts too; the running one goes on, the fence stands."""
    async with served(make) as run:
        await run(begin())
        two = (await run(begin())).task_namespace
        await run(write("a", b"1", namespace=two))
        await run(ForgetMatchingRequest(namespace="ns", all=True, recursive=True))
        assert await names(run, two) == []
        await run(write("b", b"1", namespace=two))
        with pytest.raises(StaleAttempt):
            await run(write("a", b"1", namespace="ns/job/attempt-1"))
        assert (await run(end(2, "b"))).promoted == ["b"]


async def test_two_workers_that_name_one_attempt_share_it(make: StoreMaker) -> None:
    """The first begins it and the second is told that it is resumed; without a number each gets its own and the earlier is sealed."""
    async with served(make) as run:
        named = await asyncio.gather(*(run(begin(1)) for _ in range(3)))
        assert [one.resumed for one in named] == [False, True, True]
        numbered = await asyncio.gather(*(run(begin()) for _ in range(3)))
        assert [(one.attempt, one.resumed) for one in numbered] == [(2, False), (3, False), (4, False)]


async def test_an_end_races_with_writes(make: StoreMaker) -> None:
    """A write is answered before the end, and then promoted or forgotten, or refused: nothing is left behind."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        calls = [run(write(f"w{n}", b"x", namespace=one)) for n in range(20)]
        calls.insert(10, run(end(1, *(f"w{n}" for n in range(20)))))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        done = answers.pop(10)
        written = {f"w{n}" for n, answer in enumerate(answers) if not isinstance(answer, BaseException)}
        assert not isinstance(done, BaseException)
        assert set(done.promoted) == written == set(await names(run, "ns"))
        assert all(isinstance(a, StaleAttempt) for a in answers if isinstance(a, BaseException))
        assert await names(run, one) == []


async def test_slots_of_every_kind_are_carried_over(make: StoreMaker) -> None:
    """Pinned and summarised slots move whole, one that has expired is missing, and earlier versions stay behind and go."""
    async with served(make) as run:
        await run(configure("ns", versions_kept=5, erase_on_forget=True))
        one = (await run(begin())).task_namespace
        await run(write("pinned", b"1", namespace=one, pinned=True))
        await run(write("told", b"22", namespace=one, summary="in short"))
        for body in (b"1", b"2", b"3"):
            await run(write("versions", body, namespace=one))
        await run(write("brief", b"1", namespace=one, ttl=Duration(seconds=1)))
        run.clock.forward(1_000)
        two = await run(begin(2, "pinned", "told", "versions", "brief", "pinned"))
        assert (list(two.carried_over), list(two.missing)) == (["pinned", "told", "versions"], ["brief"])
        at = two.task_namespace
        assert (await run(read("pinned", namespace=at))).slot.info.pinned
        assert (await run(read("told", namespace=at))).slot.info.has_summary
        assert [
            found.version for found in (await run(ListVersionsRequest(namespace=at, name="versions"))).versions
        ] == [1]
        assert not run.store.erase_pending
        usage = run.store.usage()
        assert (usage.slots, usage.namespaces) == (3, 2)
        assert not (await run.store.check()).problems
