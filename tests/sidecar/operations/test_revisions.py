"""Revisions, preconditions, and time that never runs backwards."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.sidecar.operations.requests import (
    IF_ABSENT,
    at,
    batch,
    check,
    commit,
    configure,
    describe,
    forget,
    forget_matching,
    lookup,
    read,
    update,
    versions,
    write,
)
from tests.sidecar.services.served import Clock, StoreMaker, served, store_maker

from memslot.v1.namespace_service_pb2 import ListNamespacesRequest
from memslot.v1.slot_pb2 import Outcome, SlotInfo
from memslot.v1.slot_service_pb2 import ReadVersionRequest
from memslot_sidecar.errors import MemslotError, RevisionMismatch, SlotExists, StoreReplaced
from memslot_sidecar.stores.ram import RamStore


async def test_each_mutating_call_has_a_revision_of_its_own(make: StoreMaker) -> None:
    """Fifty concurrent writes get fifty revisions, increasing in the order of the calls; a commit of many operations gets one."""
    async with served(make) as run:
        replies = await asyncio.gather(*[run(write(f"n{i}")) for i in range(50)])
        revisions = [reply.receipt.revision for reply in replies]
        assert revisions == sorted(set(revisions))
        reply = await run(commit(write("x"), write("y"), forget("n0")))
        assert {result.receipt.revision for result in reply.results} == {reply.revision} == {revisions[-1] + 1}


class _Lagging(RamStore):
    """A store whose last commit can be read already, though it is not counted as its last yet."""

    @property
    def revision(self) -> int:
        """The commit before the last."""
        return super().revision - 1


async def test_no_reply_shows_a_slot_of_a_later_revision_than_its_own() -> None:
    """Also while a commit becomes visible, a reply's revision is at least that of every slot in it."""
    async with served(_Lagging) as run:
        latest = (await run(write())).receipt.revision
        assert run.store.revision < latest
        for request in (
            read(),
            describe("a"),
            batch("a"),
            lookup(view="LOOKUP_VIEW_INFO"),
            versions(),
            ReadVersionRequest(namespace="ns", name="a", version_revision=latest),
        ):
            assert (await run(request)).revision == latest, request


async def test_a_rejected_call_leaves_the_rest_of_its_group_untouched(make: StoreMaker) -> None:
    """Of concurrent writes every second of which is refused, the others are all there."""
    async with served(make) as run:
        await run(write("taken"))
        calls = [run(write(f"n{i}") if i % 2 else write("taken", precondition=IF_ABSENT)) for i in range(40)]
        replies = await asyncio.gather(*calls, return_exceptions=True)
        assert [isinstance(reply, SlotExists) for reply in replies] == [i % 2 == 0 for i in range(40)]
        found = await run(lookup(order_by="LOOKUP_ORDER_NAME"))
        assert {slot.name for slot in found.slots} == {"taken", *(f"n{i}" for i in range(1, 40, 2))}


async def test_a_refused_call_takes_no_revision(make: StoreMaker) -> None:
    """Neither a refusal nor a call that changes nothing moves the revision."""
    async with served(make) as run:
        await run(write())
        with pytest.raises(SlotExists):
            await run(write(precondition=IF_ABSENT))
        await run(write())
        await run(forget("absent"))
        assert (await run(write("b"))).revision == 2


async def test_revisions_are_never_reused(durable: StoreMaker) -> None:
    """After a forget, and after the store was opened again, revisions go on."""
    async with served(durable) as run:
        await run(write())
        last = (await run(forget())).revision
    async with served(durable) as run:
        assert (await run(read_nothing())).revision == last
        assert (await run(write())).receipt.revision == last + 1


def read_nothing() -> ListNamespacesRequest:
    """A request that finds nothing and fails at nothing."""
    return ListNamespacesRequest()


async def test_a_token_of_another_store_is_refused(durable: StoreMaker, tmp_path: Path) -> None:
    """A restored copy has a store id of its own, and refuses page tokens made before."""
    async with served(durable) as run:
        for name in "abc":
            await run(write(name))
        tokens = [(await run(lookup(page_size=1))).next_page_token]
        store_id = run.store.store_id
        restored = tmp_path / "restored" / "data"
        restored.mkdir(parents=True)
        with (restored / "memslot.db").open("wb") as file:
            async for chunk, _, _ in run.store.backup():
                file.write(chunk)
    async with served(store_maker("sqlite", tmp_path / "restored")) as run:
        assert run.store.store_id != store_id
        assert (await run(read("a"))).slot.body == b"x"
        for token in tokens:
            with pytest.raises(StoreReplaced):
                await run(lookup(page_size=1, page_token=token))


async def test_every_reply_carries_the_revision(make: StoreMaker) -> None:
    """Each reply tells a revision of the store that contains what it says."""
    async with served(make) as run:
        for request in (
            write(),
            update(mask=["pinned"], info=SlotInfo(pinned=True)),
            read(),
            lookup(),
            describe("a", "b"),
            versions(),
            commit(check("a", at(2)), write("b")),
            forget("b"),
            forget("absent"),
            configure(slot_limit=9),
            configure(slot_limit=9),
            forget_matching(),
            forget_matching(),
            read_nothing(),
        ):
            before = run.store.revision
            reply = await run(request)
            assert before <= reply.revision <= run.store.revision, request
            assert reply.revision > 0, request


async def test_time_never_runs_backwards(make: StoreMaker) -> None:
    """Whatever the wall clock does, no commit is older than one before it."""
    async with served(make) as run:
        await run(write("a"))
        run.clock.forward(-3_600_000)
        await run(write("b"))
        await run(write("a", b"y"))
        a, b = (result.info for result in (await run(describe("a", "b"))).results)
        assert a.update_time.ToMilliseconds() >= a.create_time.ToMilliseconds()
        assert b.create_time.ToMilliseconds() >= a.create_time.ToMilliseconds()


async def test_time_does_not_run_backwards_over_a_restart(durable: StoreMaker) -> None:
    """A store that is opened with a clock set back goes on from its last commit."""
    clock = Clock()
    async with served(durable, clock=clock) as run:
        await run(write("a"))
    clock.forward(-3_600_000)
    async with served(durable, clock=clock) as run:
        await run(write("b"))
        a, b = (result.info for result in (await run(describe("a", "b"))).results)
        assert b.create_time.ToMilliseconds() >= a.create_time.ToMilliseconds()


async def test_a_precondition_compares_with_the_current_revision(make: StoreMaker) -> None:
    """if_revision lets a write through exactly at the slot's revision, and otherwise tells the current one, 0 for none."""
    async with served(make) as run:
        first = (await run(write())).receipt
        with pytest.raises(RevisionMismatch) as refused:
            await run(write(body=b"y", precondition=at(first.revision + 1)))
        assert refused.value.metadata["current_revision"] == str(first.revision)
        second = (await run(write(body=b"y", precondition=at(first.revision)))).receipt
        assert (second.outcome, second.previous_revision) == (Outcome.Value("OUTCOME_OVERWRITTEN"), first.revision)
        await run(forget(precondition=at(second.revision)))
        for request in (write(precondition=at(second.revision)), forget(precondition=at(second.revision))):
            with pytest.raises(RevisionMismatch) as refused:
                await run(request)
            assert refused.value.metadata["current_revision"] == "0"


async def test_of_concurrent_compare_and_sets_one_wins(make: StoreMaker) -> None:
    """Twenty writers that saw the same revision: one writes, nineteen are told the new revision."""
    async with served(make) as run:
        seen = (await run(write())).receipt.revision
        calls = [run(write(body=b"%d" % i, precondition=at(seen))) for i in range(20)]
        replies = await asyncio.gather(*calls, return_exceptions=True)
        lost = [reply for reply in replies if isinstance(reply, RevisionMismatch)]
        (won,) = (reply for reply in replies if not isinstance(reply, MemslotError))
        assert {error.metadata["current_revision"] for error in lost} == {str(won.receipt.revision)}


async def test_a_failed_update_tells_an_absent_slot_from_a_wrong_revision(make: StoreMaker) -> None:
    """UpdateInfo of an absent slot with a precondition is a failed precondition that tells revision 0."""
    async with served(make) as run:
        with pytest.raises(RevisionMismatch) as refused:
            await run(update(mask=["pinned"], precondition=at(5)))
        assert refused.value.metadata["current_revision"] == "0"
