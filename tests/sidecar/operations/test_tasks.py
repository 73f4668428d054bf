"""Tasks: an attempt starts clean, and one that is over reaches nothing any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.sidecar.operations.requests import commit, configure, forget, read, write
from tests.sidecar.operations.tasks import begin, end, names
from tests.sidecar.services.served import StoreMaker, served

from memslot.v1 import namespace_service_pb2 as pb
from memslot.v1.slot_service_pb2 import ForgetMatchingRequest, UpdateInfoRequest
from memslot_sidecar.errors import (
    BodyTooLarge,
    InvalidField,
    InvalidName,
    NamespaceNotFound,
    RequestIdReused,
    SlotLimitReached,
    SlotNotFound,
    StaleAttempt,
)
from memslot_sidecar.operations.clearing import KEPT_MS, clear_due

DAY_MS = 86_400_000


async def test_an_attempt_has_a_namespace_of_its_own(make: StoreMaker) -> None:
    """Attempts are numbered from 1, and each is told its own namespace below the task's."""
    async with served(make) as run:
        first = await run(begin())
        second = await run(begin())
        assert (first.task_namespace, first.attempt) == ("ns/job/attempt-1", 1)
        assert (second.task_namespace, second.attempt) == ("ns/job/attempt-2", 2)
        assert (await run(begin(7))).attempt == 7
        assert second.revision > first.revision


async def test_the_attempt_before_is_sealed_and_emptied(make: StoreMaker) -> None:
    """When the next attempt begins, the one before holds nothing, whatever it wrote below itself, and may change nothing."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(write("a", b"1", namespace=one))
        await run(write("b", b"2", namespace=f"{one}/deeper"))
        await run(begin())
        assert await names(run, one) == await names(run, f"{one}/deeper") == []
        late = [
            write("a", b"late", namespace=one),
            write("a", b"late", namespace=f"{one}/deeper"),
            forget("a", namespace=one),
            commit(write("a", b"late"), namespace=one),
            UpdateInfoRequest(namespace=one, name="a", never=True),
            ForgetMatchingRequest(namespace=one, all=True),
            configure(one, slot_limit=3),
        ]
        for request in late:
            with pytest.raises(StaleAttempt) as caught:
                await run(request)
            assert caught.value.metadata["current_attempt"] == "2"
        assert await names(run, one) == []


async def test_a_later_attempt_that_has_not_begun_may_not_write(make: StoreMaker) -> None:
    """Only the present attempt may, so that no worker takes a namespace that the next attempt will be given."""
    async with served(make) as run:
        await run(begin())
        with pytest.raises(StaleAttempt, match="has not begun"):
            await run(write("a", b"1", namespace="ns/job/attempt-2"))
        await run(write("a", b"1", namespace="ns/job/attempt-x"))
        await run(write("a", b"1", namespace="ns/other/attempt-2"))


async def test_what_is_carried_over_moves_with_all_that_is_known_of_it(make: StoreMaker) -> None:
    """A slot keeps body, metadata and expiry; what is missing is told; the rest of the attempt is gone."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(
            write(
                "plan",
                b"step 3",
                namespace=one,
                description="the plan",
                tags=["t"],
                importance=0.5,
                ttl=Duration(seconds=60),
            )
        )
        await run(write("scratch", b"x", namespace=one))
        before = (await run(read("plan", namespace=one))).slot
        two = await run(begin(2, "plan", "notes"))
        assert (list(two.carried_over), list(two.missing)) == (["plan"], ["notes"])
        after = (await run(read("plan", namespace=two.task_namespace))).slot
        assert after.body == b"step 3"
        for field in ("description", "tags", "importance", "create_time", "expire_time", "origin", "written_by"):
            assert getattr(after.info, field) == getattr(before.info, field), field
        assert after.info.namespace == two.task_namespace
        assert await names(run, two.task_namespace) == ["plan"]
        assert await names(run, one) == []


async def test_beginning_an_attempt_again_changes_nothing(make: StoreMaker) -> None:
    """A worker that starts anew finds its attempt as it left it; an earlier attempt cannot come back."""
    async with served(make) as run:
        await run(begin(1))
        two = await run(begin(2))
        await run(write("a", b"1", namespace=two.task_namespace))
        again = await run(begin(2))
        assert again.resumed
        assert await names(run, two.task_namespace) == ["a"]
        with pytest.raises(StaleAttempt):
            await run(begin(1))


async def test_a_task_ends_with_what_it_promotes(make: StoreMaker) -> None:
    """Promoted slots go to the parent, over what is there; the rest is gone; the attempt is sealed."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(write("result", b"old"))
        await run(write("result", b"new", namespace=one))
        await run(write("scratch", b"x", namespace=one))
        done = await run(end(1, "result", "absent"))
        assert (list(done.promoted), list(done.missing)) == (["result"], ["absent"])
        assert (await run(read("result"))).slot.body == b"new"
        assert await names(run, one) == []
        with pytest.raises(StaleAttempt, match="has ended"):
            await run(write("a", b"late", namespace=one))
        assert (await run(end(1, "result"))).repeated_end
        with pytest.raises(StaleAttempt):
            await run(end(1, outcome=pb.TASK_OUTCOME_FAILED))
        with pytest.raises(StaleAttempt):
            await run(begin(1))
        assert (await run(begin(2))).attempt == 2


async def test_a_failed_attempt_can_be_kept_and_carried_over(make: StoreMaker) -> None:
    """With ``retain`` an ended attempt can be read, not written, until then; the next one may take of it."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(write("plan", b"1", namespace=one, never=True))
        await run(write("log", b"2", namespace=one, never=True))
        await run(end(1, outcome=pb.TASK_OUTCOME_FAILED, retain=Duration(seconds=60)))
        assert await names(run, one) == ["log", "plan"]
        with pytest.raises(StaleAttempt):
            await run(write("plan", b"late", namespace=one))
        two = await run(begin(2, "plan"))
        assert await names(run, two.task_namespace) == ["plan"]
        assert await names(run, one) == []


async def test_what_is_kept_goes_when_its_time_is_over(make: StoreMaker) -> None:
    """The server forgets it by itself, and the task a day later; then its name is free."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(write("log", b"2", namespace=one, never=True))
        await run(end(1, retain=Duration(seconds=60)))
        run.clock.forward(59_000)
        await clear_due(run.ctx)
        assert await names(run, one) == ["log"]
        run.clock.forward(1_000)
        await clear_due(run.ctx)
        assert await names(run, one) == []
        run.clock.forward(KEPT_MS)
        await clear_due(run.ctx)
        assert run.ctx.store.namespace("ns/job") is None
        assert (await run(begin())).attempt == 1


async def test_a_running_task_is_remembered_while_it_holds_something(make: StoreMaker) -> None:
    """A task that nobody ends goes when nothing of it is left, and no sooner."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        await run(write("a", b"1", namespace=one, ttl=Duration(seconds=3 * DAY_MS // 1000)))
        for _ in range(2):
            run.clock.forward(KEPT_MS)
            await clear_due(run.ctx)
            assert (await run(begin(1))).resumed
        run.clock.forward(2 * KEPT_MS)
        await clear_due(run.ctx)
        assert run.ctx.store.namespace("ns/job") is None


async def test_a_task_is_no_namespace_of_its_own(make: StoreMaker) -> None:
    """The record of a task is neither listed nor found; its attempts are, while they hold slots."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        assert [found.name for found in (await run(pb.ListNamespacesRequest())).namespaces] == []
        with pytest.raises(NamespaceNotFound):
            await run(pb.GetNamespaceRequest(namespace="ns/job"))
        await run(write("a", b"1", namespace=one))
        assert [found.name for found in (await run(pb.ListNamespacesRequest())).namespaces] == [one]


async def test_settings_are_those_of_the_parent(make: StoreMaker) -> None:
    """An attempt inherits, and a move keeps to the limits of where it goes: nothing is lost when it does not fit."""
    async with served(make) as run:
        await run(configure("ns", slot_limit=2, body_limit_bytes=10))
        one = (await run(begin())).task_namespace
        await run(write("a", b"1", namespace=one))
        await run(write("b", b"1", namespace=one))
        with pytest.raises(SlotLimitReached):
            await run(write("c", b"1", namespace=one))
        await run(write("x", b"1"))
        with pytest.raises(SlotLimitReached):
            await run(end(1, "a", "b"))
        assert await names(run, one) == ["a", "b"]
        await run(configure(one, body_limit_bytes=100))
        await run(write("b", b"long" * 10, namespace=one))
        with pytest.raises(BodyTooLarge):
            await run(end(1, "b"))
        assert (await run(end(1, "a"))).promoted == ["a"]


async def test_a_repeated_request_answers_as_the_first(make: StoreMaker) -> None:
    """With a request id a retry does not begin a second attempt, nor promote twice."""
    request_id = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
    async with served(make) as run:
        first = await run(begin(request_id=request_id))
        assert await run(begin(request_id=request_id)) == first
        with pytest.raises(RequestIdReused):
            await run(begin(3, request_id=request_id))
        assert (await run(begin())).attempt == 2


async def test_a_late_repeat_of_an_answered_write_is_answered(make: StoreMaker) -> None:
    """What was acknowledged before the seal stays acknowledged, and is not done again."""
    request_id = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a12"
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        request = write("a", b"1", namespace=one, request_id=request_id)
        first = await run(request)
        await run(begin())
        assert await run(request) == first
        assert await names(run, one) == []


async def test_many_slots_are_cleared(make: StoreMaker) -> None:
    """More than a portion of slots goes too, and a count of slots agrees."""
    async with served(make) as run:
        await run(configure("ns", slot_limit=2_000))
        one = (await run(begin())).task_namespace
        for start in range(0, 1_200, 100):
            await run(commit(*(write(f"s{n}", b"x") for n in range(start, start + 100)), namespace=one))
        await run(begin())
        assert run.ctx.store.usage().slots == 0
        assert not (await run.ctx.store.check()).problems


async def test_writers_of_the_old_attempt_lose_the_race(make: StoreMaker) -> None:
    """Whatever is written around the begin of an attempt is refused or forgotten: nothing of the old one stays."""
    async with served(make) as run:
        one = (await run(begin())).task_namespace
        calls = [run(write(f"w{n}", b"x", namespace=one)) for n in range(20)]
        calls.insert(10, run(begin(2)))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(a, StaleAttempt) or not isinstance(a, BaseException) for a in answers)
        assert await names(run, one) == []
        with pytest.raises(SlotNotFound):
            await run(read("w0", namespace=one))


async def test_a_task_survives_the_process(durable: StoreMaker) -> None:
    """After a restart the fence stands, and what waited to be forgotten is forgotten."""
    async with served(durable) as run:
        one = (await run(begin())).task_namespace
        await run(write("a", b"1", namespace=one, never=True))
        await run(end(1, retain=Duration(seconds=1)))
    async with served(durable) as run:
        run.clock.forward(5_000)
        with pytest.raises(StaleAttempt):
            await run(write("a", b"late", namespace=one))
        await clear_due(run.ctx)
        assert await names(run, one) == []
        assert not (await run.ctx.store.check()).problems


async def test_a_task_without_an_id_is_told_so(make: StoreMaker) -> None:
    """Not of parts of a namespace, which the caller did not write."""
    async with served(make) as run:
        with pytest.raises(InvalidName, match=r"^task_id is empty: "):
            await run(pb.BeginTaskRequest(namespace="ns"))


@pytest.mark.parametrize(
    ("request_", "field", "error"),
    [
        (pb.BeginTaskRequest(namespace="ns"), "task_id", InvalidName),
        (pb.BeginTaskRequest(namespace="ns", task_id="x" * 129), "task_id", InvalidName),
        (pb.BeginTaskRequest(namespace="a/b/c/d/e/f/g", task_id="x"), "task_id", InvalidName),
        (begin(-1), "attempt", InvalidField),
        (begin(1, ""), "carry_over[0]", InvalidName),
        (begin(1, *(f"n{n}" for n in range(129))), "carry_over", InvalidField),
        (end(0), "attempt", InvalidField),
        (end(1, outcome=pb.TASK_OUTCOME_UNSPECIFIED), "outcome", InvalidField),
        (end(1, retain=Duration(seconds=-1)), "retain", InvalidField),
        (end(1, retain=Duration(seconds=31 * 86_400)), "retain", InvalidField),
    ],
)
async def test_wrong_requests_name_their_field(make: StoreMaker, request_: Any, field: str, error: type) -> None:
    """Nothing begins or ends by a request that is wrong."""
    async with served(make) as run:
        with pytest.raises(error) as caught:
            await run(request_)
        assert caught.value.field == field
        assert run.ctx.store.revision == 0


async def test_any_text_names_a_task(make: StoreMaker) -> None:
    """What a segment cannot hold is escaped, so that two tasks never share a namespace."""
    async with served(make) as run:
        told = [(await run(begin(task_id=name))).task_namespace for name in ("a/b", "a%2Fb", "任务-7", "..", "😀")]
        assert len(set(told)) == len(told)
        assert told[2] == "ns/任务-7/attempt-1"


async def test_ending_what_never_began_is_stale(make: StoreMaker) -> None:
    """There is nothing to end."""
    async with served(make) as run:
        with pytest.raises(StaleAttempt):
            await run(end(1))
