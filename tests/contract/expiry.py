"""An expired slot is invisible at once, on every path, whether or not anything swept it."""

from __future__ import annotations

from dataclasses import replace

from tests.contract.world import START_MS, World
from tests.contract.writing import ORDERS, names, remove, write

from memslot_index.filters import TagsAny, TaskTypeIn
from memslot_sidecar.stores.base import Order, Query, Transaction

SOON = START_MS + 10


class ExpiryContract:
    """What holds for slots with an end."""

    async def test_an_expired_slot_is_on_no_path(self, world: World) -> None:
        """At its very millisecond a slot is gone from read, describe, every lookup, versions and counts; before it, it is there."""
        async with world.store() as store:
            await write(store, "n", "x", expire_ms=SOON, tags=("t",), task_type="p")
            await write(store, "n", "y", tags=("t",), task_type="p")
            world.clock.move(9)
            assert store.read("n", "x") is not None
            assert await store.live_count("n") == 2
            world.clock.move(1)
            assert store.read("n", "x") is None
            assert store.describe("n", "x") is None
            assert await store.versions("n", "x") == []
            for order in ORDERS:
                for reverse in (False, True):
                    assert await names(store, "n", order=order, reverse=reverse) == ["y"]
                    assert await names(store, "n", order=order, reverse=reverse, recursive=True) == ["y"]
            for condition in (TagsAny(frozenset({"t"})), TaskTypeIn(frozenset({"p"}))):
                assert await names(store, "n", filter=condition) == ["y"]
            assert await names(store, "n", order=Order.NAME, name_prefix="x") == []
            page = await store.lookup(Query("n", count_to=100))
            assert page.total == await store.live_count("n") == 1

    async def test_a_clock_that_was_set_back_brings_nothing_back(self, world: World) -> None:
        """Once a commit was made after its end, an expired slot stays invisible though the wall clock is set back."""
        async with world.store() as store:
            await write(store, "n", "x", expire_ms=SOON)
            world.clock.move(10)
            await write(store, "n", "y")
            world.clock.move(-100)
            assert store.read("n", "x") is None
            assert await names(store, "n") == ["y"]

    async def test_a_renewed_end_counts_at_once(self, world: World) -> None:
        """Moving the end is seen by the next read and lookup, in either direction."""
        async with world.store() as store:
            await write(store, "n", "x", expire_ms=SOON, tags=("t",))
            assert store.read("n", "x") is not None
            await write(store, "n", "x", None, expire_ms=SOON + 10)
            world.clock.move(15)
            assert store.read("n", "x") is not None
            assert await names(store, "n", filter=TagsAny(frozenset({"t"}))) == ["x"]
            await write(store, "n", "x", None, expire_ms=START_MS + 15)
            assert store.read("n", "x") is None
            assert await names(store, "n", filter=TagsAny(frozenset({"t"}))) == []

    async def test_a_mutation_finds_expired_slots_soonest_first(self, world: World) -> None:
        """Inside a mutation expired slots are there to be reaped: of one namespace or of all, within the limit, live ones left out."""
        async with world.store() as store:
            for number, path in enumerate(["a", "b", "a", "b", "a"]):
                await write(store, path, f"slot-{number}", expire_ms=START_MS + 10 - number)
            await write(store, "a", "later", expire_ms=START_MS + 100)
            await write(store, "a", "never")
            world.clock.move(9)

            def look(tx: Transaction) -> list[list[str]]:
                found = [tx.expired("a", 10), tx.expired(None, 10), tx.expired(None, 2), tx.expired("c", 10)]
                return [[record.name for record in records] for records in found]

            assert await store.transact(look) == [
                ["slot-4", "slot-2"],
                ["slot-4", "slot-3", "slot-2", "slot-1"],
                ["slot-4", "slot-3"],
                [],
            ]

    async def test_an_expired_slot_is_replaced_by_a_new_one(self, world: World) -> None:
        """Removing the expired slot and creating the same name in one mutation makes another slot, with right counters."""
        async with world.store() as store:
            first = await write(store, "n", "x", b"old", expire_ms=SOON, tags=("t",), attributes={"k": "v"})
            world.clock.move(10)

            def decide(tx: Transaction) -> None:
                remove(tx, "n", "x")
                revision = tx.next_revision()
                record = replace(
                    first, revision=revision, created_revision=revision, version=1, expire_ms=None, body_bytes=5
                )
                tx.put(replace(record, tags=("u",), attributes={}), b"newer")
                _tell(tx, revision)

            await store.transact(decide)
            stored = store.read("n", "x")
            assert stored is not None
            assert (stored.body, stored.record.tags, stored.record.attributes) == (b"newer", ("u",), {})
            assert await names(store, "n", filter=TagsAny(frozenset({"t"}))) == []
            assert store.usage().stored_bytes == 5
            assert (await store.check()).problems == []

    async def test_the_lowest_ranked_are_live_and_not_pinned(self, world: World) -> None:
        """Candidates for eviction come lowest rank first, without pinned, expired and excluded ones."""
        async with world.store() as store:
            for number in range(6):
                await write(store, "n", f"slot-{number}", rank=float(number), pinned=number == 1)
            await write(store, "n", "expired", rank=-1.0, expire_ms=SOON)
            await write(store, "m", "other", rank=-2.0)
            world.clock.move(10)

            def look(tx: Transaction) -> list[str]:
                return [record.name for record in tx.lowest_ranked("n", 3, ["slot-2"])]

            assert await store.transact(look) == ["slot-0", "slot-3", "slot-4"]
            assert await store.transact(lambda tx: tx.lowest_ranked("none", 3)) == []


def _tell(tx: Transaction, revision: int) -> None:
    from tests.contract.writing import tell

    from memslot_sidecar.model import Change, SlotChange

    tell(tx, revision, "n", SlotChange("x", Change.CREATED))
