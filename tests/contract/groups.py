"""Many mutations at once: each atomic, none lost, none affected by another's failure."""

from __future__ import annotations

import asyncio

import pytest
from tests.contract.world import World
from tests.contract.writing import put, write

from memslot_sidecar.model import FeedRecord
from memslot_sidecar.stores.base import Transaction


class GroupContract:
    """What holds for concurrent mutations."""

    async def test_a_failing_mutation_leaves_the_rest_of_its_group(self, world: World) -> None:
        """Of twenty concurrent mutations each third fails; the others are all there, and no revision is missing or taken twice."""
        async with world.store() as store:

            def decide(number: int, tx: Transaction) -> int:
                record = put(tx, "n", f"slot-{number}", str(number).encode())
                if number % 3 == 0:
                    raise ValueError(number)
                return record.revision

            work = [store.transact(lambda tx, number=number: decide(number, tx)) for number in range(20)]
            results = await asyncio.gather(*work, return_exceptions=True)
            revisions = []
            for number, result in enumerate(results):
                stored = store.read("n", f"slot-{number}")
                if number % 3 == 0:
                    assert isinstance(result, ValueError)
                    assert stored is None
                else:
                    assert stored is not None
                    assert (stored.body, stored.record.revision) == (str(number).encode(), result)
                    revisions.append(result)
            assert sorted(revisions) == list(range(1, len(revisions) + 1))
            assert (await store.check()).problems == []

    async def test_twenty_appenders_lose_nothing(self, world: World) -> None:
        """Read-modify-write in a mutation is atomic: every one of 200 concurrent appends is in the body."""
        async with world.store() as store:
            await write(store, "n", "log", b"")

            def append(piece: bytes, tx: Transaction) -> None:
                record = tx.slot("n", "log")
                assert record is not None
                put(tx, "n", "log", tx.body(record) + piece)

            async def appender(number: int) -> None:
                for turn in range(10):
                    await store.transact(lambda tx: append(f"{number}.{turn};".encode(), tx))  # noqa: B023

            await asyncio.gather(*(appender(number) for number in range(20)))
            stored = store.read("n", "log")
            assert stored is not None
            pieces = stored.body.decode().split(";")[:-1]
            assert sorted(pieces) == sorted(f"{number}.{turn}" for number in range(20) for turn in range(10))
            for number in range(20):
                own = [piece for piece in pieces if piece.startswith(f"{number}.")]
                assert own == [f"{number}.{turn}" for turn in range(10)]

    async def test_a_cancelled_caller_does_not_disturb_the_others(self, world: World) -> None:
        """Callers that go away while they wait leave every other mutation of the group whole and answered."""
        async with world.store() as store:
            tasks = [asyncio.ensure_future(write(store, "n", f"slot-{number}")) for number in range(20)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for number in range(1, 20, 2):
                assert tasks[number].result().name == f"slot-{number}"
                assert store.read("n", f"slot-{number}") is not None
            assert (await store.check()).problems == []

    async def test_a_large_mutation_is_as_atomic_as_a_small_one(self, world: World) -> None:
        """A mutation of a thousand slots, and one of a large body, among small ones: all whole, and a failing one leaves nothing."""
        async with world.store() as store:

            def many(tx: Transaction, fail: bool) -> int:
                for number in range(1000):
                    put(tx, "many", f"slot-{number}", b"x")
                if fail:
                    raise ValueError("many")
                return 1000

            failing = store.transact(lambda tx: many(tx, fail=True))
            passing = store.transact(lambda tx: many(tx, fail=False))
            large = write(store, "large", "x", b"x" * 3_000_000)
            small = [write(store, "small", str(number)) for number in range(20)]
            results = await asyncio.gather(failing, passing, large, *small, return_exceptions=True)
            assert isinstance(results[0], ValueError)
            assert results[1] == 1000
            assert store.usage().slots == 1000 + 1 + 20
            assert store.usage().stored_bytes == 1000 + 3_000_000 + 20 * 4
            assert (await store.check()).problems == []

    async def test_listeners_hear_of_a_commit_before_its_callers(self, world: World) -> None:
        """The feed's listener has every record, in order, by the time the mutation is answered, and the commit can be read."""
        async with world.store() as store:
            heard: list[FeedRecord] = []

            def listen(records: object) -> None:
                assert isinstance(records, list | tuple)
                heard.extend(records)
                for record in records:
                    assert store.revision >= record.revision
                    assert store.read("n", record.changes[0].name) is not None

            store.subscribe(listen)

            async def one(number: int) -> None:
                record = await write(store, "n", f"slot-{number}")
                assert record.revision in {told.revision for told in heard}

            await asyncio.gather(*(one(number) for number in range(50)))
            assert [record.revision for record in heard] == list(range(1, 51))

    async def test_a_closed_store_accepts_nothing(self, world: World) -> None:
        """A mutation after the end is refused as unavailable, and closing twice is once."""
        from memslot_sidecar.errors import StoreUnavailable

        async with world.store() as store:
            await write(store, "n", "x")
            await store.close()
            with pytest.raises(StoreUnavailable):
                await write(store, "n", "y")

    async def test_closing_finishes_what_was_accepted(self, world: World) -> None:
        """Mutations that were accepted before the store closes are answered."""
        async with world.store() as store:
            tasks = [asyncio.ensure_future(write(store, "n", str(number))) for number in range(20)]
            await asyncio.sleep(0)
            await store.close()
            records = await asyncio.gather(*tasks)
            assert sorted(record.revision for record in records) == list(range(1, 21))
