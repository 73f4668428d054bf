"""Erasing, checking, copying: what an operator asks of a store."""

from __future__ import annotations

import asyncio

from tests.contract.world import World
from tests.contract.writing import forget, put, remove, write

from memslot_sidecar.stores.base import Transaction


class UpkeepContract:
    """What holds for the store as a whole."""

    async def test_a_store_has_an_identity_and_a_secret(self, world: World) -> None:
        """The id names the store, and the secret is long enough for keyed hashes."""
        async with world.store() as store:
            assert store.kind in ("ram", "sqlite")
            assert len(store.store_id) >= 16
            assert len(store.digest_key) >= 32

    async def test_a_store_after_many_changes_is_sound(self, world: World) -> None:
        """After creations, overwrites, versions, removals and evictions the check finds no problem."""
        async with world.store() as store:
            for number in range(60):
                path, name = f"n{number % 3}/m", f"slot-{number % 17}"
                await write(store, path, name, b"x" * number, keep_versions=number % 4, tags=("t", str(number % 5)))
                if number % 7 == 0:
                    await forget(store, path, name)
            report = await store.check()
            assert report.problems == []
            assert report.slots_checked == store.usage().slots

    async def test_erasing_ends_what_is_pending(self, world: World) -> None:
        """After erase() nothing waits to be wiped, what lives is as it was, and concurrent calls all return."""
        async with world.store() as store:
            await write(store, "n", "kept", b"kept")
            await write(store, "n", "x", b"secret")

            def decide(tx: Transaction) -> None:
                remove(tx, "n", "x")
                tx.request_erase()

            await store.transact(decide)
            await asyncio.gather(
                *(store.erase() for _ in range(5)), *(write(store, "n", str(number)) for number in range(5))
            )
            assert not store.erase_pending
            stored = store.read("n", "kept")
            assert stored is not None
            assert stored.body == b"kept"
            assert store.usage().slots == 6
            assert (await store.check()).problems == []

    async def test_a_mutation_without_changes_is_answered(self, world: World) -> None:
        """Looking through a transaction takes no revision."""
        async with world.store() as store:
            await write(store, "n", "x")
            assert await store.transact(lambda tx: tx.slot("n", "x")) == store.describe("n", "x")
            assert store.revision == 1

    async def test_a_commit_of_many_slots_is_one_revision(self, world: World) -> None:
        """Slots that one mutation creates under one revision are listed by name within it."""
        async with world.store() as store:

            def decide(tx: Transaction) -> None:
                for name in ("c", "a", "b"):
                    put(tx, "n", name, created_revision=1)

            await store.transact(decide)
            assert store.usage().slots == 3
