"""Commit: all or none, checks against the state before, limits against the state after."""

from __future__ import annotations

import asyncio

import pytest
from tests.sidecar.operations.requests import IF_ABSENT, at, check, commit, forget, lookup, read, write
from tests.sidecar.services.served import StoreMaker, served

from memslot.v1.slot_pb2 import Outcome
from memslot.v1.slot_service_pb2 import WRITE_MODE_APPEND
from memslot_sidecar.errors import InvalidField, MemslotError, RevisionMismatch, SlotExists, SlotLimitReached
from memslot_sidecar.model import EffectiveSettings, Overflow


async def test_a_commit_is_one_change(make: StoreMaker) -> None:
    """Its receipts are aligned with its operations, all changes have its revision, and the feed has one record of it."""
    async with served(make) as run:
        for name in ("old", "gone", "seen"):
            await run(write(name))
        reply = await run(
            commit(
                write("new"),
                write("old", b"y", mode=WRITE_MODE_APPEND),
                forget("gone"),
                check("seen", at(3)),
                forget("absent"),
                check("absent too", IF_ABSENT),
            )
        )
        told = [
            (
                result.receipt.name,
                Outcome.Name(result.receipt.outcome).removeprefix("OUTCOME_"),
                result.receipt.revision,
            )
            for result in reply.results
        ]
        assert told == [
            ("new", "CREATED", 4),
            ("old", "APPENDED", 4),
            ("gone", "FORGOTTEN", 4),
            ("seen", "CHECKED", 3),
            ("absent", "ABSENT", 0),
            ("absent too", "CHECKED", 0),
        ]
        (record,) = await run.store.feed(3, 10)
        assert [(change.name, change.change.value) for change in record.changes] == [
            ("new", "CREATED"), ("old", "APPENDED"), ("gone", "FORGOTTEN"),
        ]  # fmt: skip


async def test_an_empty_commit_is_not_told_to_split_it(make: StoreMaker) -> None:
    """The remedy is one for what was wrong."""
    async with served(make) as run:
        with pytest.raises(InvalidField, match=r"operations is empty: a commit takes 1 to 128$"):
            await run(commit())


@pytest.mark.parametrize("position", [0, 1, 2])
async def test_a_commit_that_fails_changes_nothing(make: StoreMaker, position: int) -> None:
    """Wherever the operation stands that fails, nothing is changed, and the error names its op_index and field."""
    async with served(make) as run:
        await run(write("taken"))
        operations = [write("x"), forget("taken", precondition=at(1))]
        operations.insert(position, check("missing", at(7)))
        with pytest.raises(RevisionMismatch) as refused:
            await run(commit(*operations))
        assert refused.value.metadata["op_index"] == str(position)
        assert refused.value.field == f"operations[{position}].check.precondition.if_revision"
        assert [slot.name for slot in (await run(lookup())).slots] == ["taken"]
        assert run.store.revision == 1


async def test_checks_see_the_state_before(make: StoreMaker) -> None:
    """A precondition within a commit is about the slot before the commit, whatever the other operations do."""
    async with served(make) as run:
        await run(write("a"))
        await run(commit(forget("a"), write("b"), check("c", IF_ABSENT)))
        with pytest.raises(SlotExists):
            await run(commit(write("c"), check("b", IF_ABSENT)))


async def test_limits_see_the_state_after(make: StoreMaker) -> None:
    """In a full namespace a commit that forgets one slot may write another; one that adds more than it frees is refused whole."""
    async with served(make, defaults=EffectiveSettings(slot_limit=2)) as run:
        await run(commit(write("a"), write("b")))
        await run(commit(write("c"), forget("a")))
        with pytest.raises(SlotLimitReached):
            await run(commit(write("d"), write("e"), forget("b")))
        assert {slot.name for slot in (await run(lookup())).slots} == {"b", "c"}


async def test_a_commit_evicts_nothing_that_it_touches(make: StoreMaker) -> None:
    """Eviction spares slots that the same commit writes or checks, though they rank lowest, and pinned ones."""
    settings = EffectiveSettings(slot_limit=4, overflow=Overflow.EVICT_LOWEST_RANK)
    async with served(make, defaults=settings) as run:
        for importance, name in enumerate(("checked", "written", "pinned", "victim")):
            await run(write(name, importance=importance / 10, pinned=name == "pinned"))
        reply = await run(commit(check("checked", at(1)), write("written", b"y"), write("new")))
        assert list(reply.results[2].receipt.evicted) == ["victim"]
        assert {slot.name for slot in (await run(lookup())).slots} == {"checked", "written", "pinned", "new"}
        with pytest.raises(SlotLimitReached):
            await run(commit(check("checked", at(1)), check("new", at(5)), write("written", b"z"), write("more")))


async def test_concurrent_commits_move_without_loss(make: StoreMaker) -> None:
    """Twenty commits that each move a token from one slot to another: one moves it, the others are refused whole."""
    async with served(make) as run:
        seen = (await run(write("here", b"token"))).revision
        moves = [
            commit(forget("here", precondition=at(seen)), write(f"there{i}", b"token", precondition=IF_ABSENT))
            for i in range(20)
        ]
        replies = await asyncio.gather(*[run(move) for move in moves], return_exceptions=True)
        assert sum(not isinstance(reply, MemslotError) for reply in replies) == 1
        (left,) = (await run(lookup())).slots
        assert (await run(read(left.name))).slot.body == b"token"
