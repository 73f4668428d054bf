"""Counting accesses: without revisions, and into the rank."""

from __future__ import annotations

import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import forget, names, write

from memslot_index.filters import TagsAny
from memslot_index.ranking import Decay

DECAY = Decay()


class AccessContract:
    """What holds for accesses."""

    async def test_accesses_are_counted_and_raise_the_rank(self, world: World) -> None:
        """After a flush count, time and rank of a slot are those of its accesses; no revision is taken."""
        async with world.store() as store:
            rank = DECAY.first(START_MS, 0.5)
            record = await write(store, "n", "x", rank=rank, importance=0.5, tags=("t",))
            other = await write(store, "n", "y", rank=rank + 0.1, importance=0.5, tags=("t",))
            assert await names(store, "n") == ["y", "x"]
            world.clock.move(1_000)
            for _ in range(3):
                store.note_access(record, store.now_ms())
            await store.flush_accesses()
            accessed = store.describe("n", "x")
            assert accessed is not None
            assert (accessed.access_count, accessed.accessed_ms) == (3, START_MS + 1_000)
            assert accessed.rank == pytest.approx(DECAY.accessed(rank, START_MS + 1_000, 0.5, 3))
            assert (accessed.revision, accessed.version) == (record.revision, 1)
            assert store.describe("n", "y") == other
            assert await names(store, "n") == ["x", "y"]
            assert await names(store, "n", filter=TagsAny(frozenset({"t"}))) == ["x", "y"]
            stored = store.read("n", "x")
            assert stored is not None
            assert stored.record == accessed
            assert store.revision == 2
            assert (await store.check()).problems == []

    async def test_a_recreated_slot_starts_anew(self, world: World) -> None:
        """Accesses to a slot that was forgotten, or forgotten and created again, are ignored."""
        async with world.store() as store:
            first = await write(store, "n", "x")
            await forget(store, "n", "x")
            store.note_access(first, START_MS)
            await store.flush_accesses()
            await write(store, "n", "x")
            store.note_access(first, START_MS)
            await store.flush_accesses()
            record = store.describe("n", "x")
            assert record is not None
            assert (record.access_count, record.accessed_ms) == (0, None)

    async def test_many_accesses_are_flushed_whole(self, world: World) -> None:
        """A flush of many slots counts every one, while mutations go on."""
        async with world.store() as store:
            records = [await write(store, "n", f"slot-{number}") for number in range(300)]
            for record in records:
                store.note_access(record, START_MS)
            await store.flush_accesses()
            counts = {
                record.name: found.access_count for record in records if (found := store.describe("n", record.name))
            }
            assert counts == dict.fromkeys((record.name for record in records), 1)
            await store.flush_accesses()

    async def test_an_overwrite_keeps_the_count_that_it_found(self, world: World) -> None:
        """Accesses noted before an overwrite count after it too: it is the same slot."""
        async with world.store() as store:
            record = await write(store, "n", "x", b"a")
            store.note_access(record, START_MS)
            await write(store, "n", "x", b"b")
            await store.flush_accesses()
            found = store.describe("n", "x")
            assert found is not None
            assert found.access_count == 1
