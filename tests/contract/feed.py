"""The change feed: contiguous, ordered, complete."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import CALL, put, write

from memslot_sidecar.model import Change, FeedRecord, SlotChange
from memslot_sidecar.stores.base import Transaction


class FeedContract:
    """What holds for revisions, time and the feed."""

    async def test_a_record_comes_back_as_it_was_emitted(self, world: World) -> None:
        """Every field of a record of the feed survives, for a revision of several slots too."""
        async with world.store() as store:
            changes = (
                SlotChange("用户", Change.CREATED, 0, 12),
                SlotChange("a'b", Change.EVICTED, 7),
                SlotChange("", Change.CONFIGURED),
            )

            def decide(tx: Transaction) -> None:
                tx.emit(tx.next_revision(), "acme/用户", CALL, changes, "CREATED")

            await store.transact(decide)
            (record,) = await store.feed(0, 10)
            assert (record.revision, record.time_ms, record.namespace) == (1, START_MS, "acme/用户")
            assert (record.call, record.changes, record.outcome) == (CALL, changes, "CREATED")
            assert all(isinstance(change.change, Change) for change in record.changes)

    async def test_revisions_have_no_gaps(self, world: World) -> None:
        """Revisions grow by one, over mutations that change nothing, that fail, and that take several."""
        async with world.store() as store:
            await write(store, "n", "a")
            await store.transact(lambda tx: None)

            def fail(tx: Transaction) -> None:
                put(tx, "n", "b")
                raise ValueError

            def twice(tx: Transaction) -> None:
                put(tx, "n", "b")
                put(tx, "n", "c")

            work = [store.transact(fail), store.transact(twice), write(store, "n", "d"), store.transact(fail)]
            await asyncio.gather(*work, return_exceptions=True)
            assert [record.revision for record in await store.feed(0, 100)] == [1, 2, 3, 4]
            assert store.revision == 4

    async def test_a_listener_that_fails_holds_up_nobody(self, world: World, caplog: pytest.LogCaptureFixture) -> None:
        """When a listener raises, it is logged; the mutation is answered, other listeners are told, and writes go on."""
        async with world.store() as store:
            told: list[int] = []

            def fail(_: Sequence[FeedRecord]) -> None:
                raise ValueError

            store.subscribe(fail)
            store.subscribe(lambda records: told.extend(record.revision for record in records))
            for name in "ab":
                await asyncio.wait_for(write(store, "n", name), 10)
            assert told == [1, 2]
            assert "listener" in caplog.text

    async def test_the_feed_is_read_in_portions(self, world: World) -> None:
        """Reading after a revision with a limit walks through all records once."""
        async with world.store() as store:
            for number in range(7):
                await write(store, "n", str(number))
            seen: list[int] = []
            while portion := await store.feed(seen[-1] if seen else 0, 3):
                assert len(portion) <= 3
                seen += [record.revision for record in portion]
            assert seen == list(range(1, 8))
            assert await store.feed(7, 3) == []

    async def test_trimming_keeps_what_any_rule_keeps(self, world: World) -> None:
        """A record goes only when it is outside of the newest ones, and old, and not after the bound."""
        async with world.store() as store:
            for number in range(10):
                await write(store, "n", str(number))
                world.clock.move(100)

            async def left() -> list[int]:
                return [record.revision for record in await store.feed(0, 100)]

            await store.trim_feed(100, START_MS + 10_000, 10)
            await store.trim_feed(0, START_MS, 10)
            await store.trim_feed(0, START_MS + 10_000, 0)
            assert await left() == list(range(1, 11))
            await store.trim_feed(8, START_MS + 10_000, 10)
            assert await left() == list(range(3, 11))
            await store.trim_feed(0, START_MS + 301, 10)
            assert await left() == list(range(5, 11))
            await store.trim_feed(0, START_MS + 10_000, 6)
            assert await left() == list(range(7, 11))
            assert (await store.check()).problems == []
            await store.trim_feed(0, START_MS + 10_000, 10)
            assert await left() == []
            assert (await write(store, "n", "next")).revision == 11
            assert [record.revision for record in await store.feed(3, 100)] == [11]

    async def test_time_never_runs_backwards(self, world: World) -> None:
        """After the wall clock was set back, commits and the store's own time stay at the last commit's until it has caught up."""
        async with world.store() as store:
            await write(store, "n", "a")
            world.clock.move(-1_000)
            assert store.now_ms() == START_MS
            record = await write(store, "n", "b")
            assert record.updated_ms == START_MS
            world.clock.move(2_000)
            assert store.now_ms() == START_MS + 1_000
            await write(store, "n", "c")
            times = [entry.time_ms for entry in await store.feed(0, 10)]
            assert times == [START_MS, START_MS, START_MS + 1_000]

    async def test_watermarks_are_kept_apart(self, world: World) -> None:
        """A projection's watermark is what it last said, and zero before."""
        async with world.store() as store:
            assert store.watermark("audit") == 0
            await store.set_watermark("audit", 5)
            await store.set_watermark("words", 2**40)
            await store.set_watermark("audit", 6)
            assert (store.watermark("audit"), store.watermark("words"), store.watermark("other")) == (6, 2**40, 0)
