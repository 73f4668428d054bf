"""Erasing, checking, copying: what an operator asks of a store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.contract.world import World
from tests.contract.writing import forget, put, remove, write

from memslot_sidecar.errors import ErasePending
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

    async def test_what_is_derived_is_wiped_first(self, world: World) -> None:
        """Each pass awaits everything that was registered before it is done, after the commit that asked."""
        seen: list[tuple[str, int, bool]] = []
        async with world.store() as store:

            def registered(name: str) -> Callable[[], Awaitable[None]]:
                async def wipe() -> None:
                    await asyncio.sleep(0)
                    seen.append((name, store.revision, store.erase_pending))

                return wipe

            store.before_erase(registered("a"))
            store.before_erase(registered("b"))
            await write(store, "n", "x")
            await store.transact(lambda tx: _erased(tx, "x"))
            await store.erase()
            assert seen == [("a", 2, True), ("b", 2, True)]
            assert not store.erase_pending

    async def test_a_request_during_a_pass_waits_for_the_next(self, world: World) -> None:
        """What is freed while something derived is being wiped stays pending until that was wiped again."""
        passes: list[int] = []
        async with world.store() as store:

            async def wipe() -> None:
                passes.append(store.revision)
                if len(passes) == 1:
                    await store.transact(lambda tx: _erased(tx, "y"))

            store.before_erase(wipe)
            for name in "xy":
                await write(store, "n", name)
            await store.transact(lambda tx: _erased(tx, "x"))
            await store.erase()
            assert store.erase_pending
            await store.erase()
            assert not store.erase_pending
            assert passes == [3, 4]

    async def test_a_wipe_that_fails_is_pending_and_tried_again(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """When something derived cannot be wiped, erase() says ERASE_PENDING; it goes on by itself, and no text of the error is told."""
        monkeypatch.setattr("memslot_sidecar.stores.erasing.FIRST_RETRY_S", 0.01)
        failures = [KeyError("S3CR3T"), ErasePending("not yet", retry_after_ms=5), OSError("S3CR3T")]
        async with world.store() as store:

            async def wipe() -> None:
                if failures:
                    raise failures.pop()

            store.before_erase(wipe)
            await write(store, "n", "x")
            await store.transact(lambda tx: _erased(tx, "x"))
            with pytest.raises(ErasePending) as caught:
                await store.erase()
            assert caught.value.retry_after_ms
            assert "S3CR3T" not in str(caught.value)
            while store.erase_pending:
                await asyncio.sleep(0.01)
            assert not failures

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


def _erased(tx: Transaction, name: str) -> None:
    remove(tx, "n", name)
    tx.request_erase()
