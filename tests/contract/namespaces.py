"""Namespaces: counters, settings, and when they are there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import configure, forget, put, remove, tell, write

from memslot_sidecar.model import (
    Change,
    IndexMode,
    NamespaceRecord,
    NamespaceSettings,
    Overflow,
    Sealed,
    SlotChange,
    SummaryMode,
    TaskOutcome,
    TaskState,
    Usage,
    VectorIndexKind,
)
from memslot_sidecar.stores.base import Store, Transaction

SETTINGS = NamespaceSettings(
    slot_limit=3,
    body_limit_bytes=10,
    ttl_default_ms=5,
    ttl_max_ms=7,
    ttl_refresh_on_read=False,
    versions_kept=2,
    overflow=Overflow.EVICT_LOWEST_RANK,
    erase_on_forget=True,
    index_mode=IndexMode.HYBRID,
    embedder="hashing",
    vector_index=VectorIndexKind.SQLITE_VSS,
    summary_mode=SummaryMode.EXTRACTIVE,
    summary_above_bytes=100,
    summary_below_rank=-0.5,
)


async def _paths(store: Store, parent: str = "", after: str = "", limit: int = 100) -> list[str]:
    return [record.path for record in await store.namespaces(parent, after, limit)]


class NamespaceContract:
    """What holds for namespaces."""

    async def test_a_namespace_appears_and_vanishes_with_its_slots(self, world: World) -> None:
        """It is there from its first slot to its last, with counters that are right."""
        async with world.store() as store:
            assert store.namespace("n") is None
            await write(store, "n", "x", b"12")
            await write(store, "n", "y", b"345")
            record = store.namespace("n")
            assert record is not None
            assert (record.slot_count, record.stored_bytes, record.configured) == (2, 5, False)
            assert record.created_ms == START_MS
            await write(store, "n", "x", b"1234")
            await forget(store, "n", "y")
            record = store.namespace("n")
            assert record is not None
            assert (record.slot_count, record.stored_bytes) == (1, 4)
            await forget(store, "n", "x")
            assert store.namespace("n") is None
            assert store.usage() == Usage()

    @pytest.mark.parametrize("settings", [SETTINGS, NamespaceSettings(), NamespaceSettings(slot_limit=0)])
    async def test_settings_come_back_as_they_were_put(self, world: World, settings: NamespaceSettings) -> None:
        """Every setting survives, set or not, and a configured namespace stays when it is empty."""
        async with world.store() as store:
            await store.transact(lambda tx: configure(tx, "n/m", settings))
            record = store.namespace("n/m")
            assert record is not None
            assert (record.settings, record.configured, record.slot_count) == (settings, True, 0)
            for name in NamespaceSettings.__dataclass_fields__:
                assert type(getattr(record.settings, name)) is type(getattr(settings, name))
            await write(store, "n/m", "x")
            await forget(store, "n/m", "x")
            assert store.namespace("n/m") == record
            assert [found.path for found in store.configured(["n", "n/m", "n/m/o"])] == ["n/m"]

    async def test_settings_change_in_a_namespace_that_holds_slots(self, world: World) -> None:
        """Configuring and removing settings leaves slots and counters; only an empty namespace vanishes with its settings."""
        async with world.store() as store:
            await write(store, "n", "x", b"12")
            await store.transact(lambda tx: configure(tx, "n", SETTINGS))
            record = store.namespace("n")
            assert record is not None
            assert (record.settings, record.slot_count, record.stored_bytes) == (SETTINGS, 1, 2)

            def unset(tx: Transaction) -> None:
                tx.remove_namespace("n")
                tell(tx, tx.next_revision(), "n", _deleted())

            await store.transact(unset)
            record = store.namespace("n")
            assert record is not None
            assert (record.settings, record.configured) == (NamespaceSettings(), False)
            assert store.configured(["n"]) == []
            await store.transact(lambda tx: configure(tx, "empty", SETTINGS))

            def unset_empty(tx: Transaction) -> None:
                tx.remove_namespace("empty")
                assert tx.configured(["empty"]) == []
                tell(tx, tx.next_revision(), "empty", _deleted())

            await store.transact(unset_empty)
            assert store.namespace("empty") is None
            assert (await store.check()).problems == []

    async def test_settings_are_seen_inside_the_mutation(self, world: World) -> None:
        """Buffered settings count for inheritance at once."""
        async with world.store() as store:

            def decide(tx: Transaction) -> None:
                assert tx.configured(["a", "a/b"]) == []
                configure(tx, "a", SETTINGS)
                assert [record.settings for record in tx.configured(["a", "a/b"])] == [SETTINGS]

            await store.transact(decide)

    async def test_a_namespace_refilled_in_one_mutation_stays(self, world: World) -> None:
        """Removing the last slot and writing another one keeps the namespace and its counters."""
        async with world.store() as store:
            await write(store, "n", "x", b"12")
            before = store.namespace("n")

            def decide(tx: Transaction) -> None:
                remove(tx, "n", "x")
                assert tx.namespace("n") is not None
                put(tx, "n", "y", b"34")

            await store.transact(decide)
            assert store.namespace("n") == before
            assert store.usage() == Usage(1, 1, 2)

    async def test_sums_are_by_root_and_whole(self, world: World) -> None:
        """Usage of a root is that of all namespaces with that first segment, and of no other."""
        async with world.store() as store:
            for path in ("acme", "acme/a", "acme/b/c", "acme_a", "acm"):
                await write(store, path, "x", path.encode())
            await store.transact(lambda tx: configure(tx, "acme/empty", SETTINGS))

            def look(tx: Transaction) -> tuple[Usage, ...]:
                return tuple(tx.usage(root) for root in ("acme", "acme_a", "acm", "other", None))

            assert await store.transact(look) == (
                Usage(4, 3, 18),
                Usage(1, 1, 6),
                Usage(1, 1, 3),
                Usage(),
                Usage(6, 5, 27),
            )
            assert store.usage() == Usage(6, 5, 27)

    async def test_namespaces_are_listed_in_byte_order_by_whole_segments(self, world: World) -> None:
        """Below a parent stand it and its descendants, in byte order of their paths, page by page."""
        async with world.store() as store:
            paths = ["acme", "acme/a", "acme/a/b", "acme/ab", "acme-x", "acme_a", "acme0", "Acme", "用户/x", "acme/%"]
            for path in paths:
                await write(store, path, "x")
            assert await _paths(store) == sorted(paths)
            below = ["acme", "acme/%", "acme/a", "acme/a/b", "acme/ab"]
            assert await _paths(store, "acme") == below
            assert await _paths(store, "acme/a") == ["acme/a", "acme/a/b"]
            assert await _paths(store, "acm") == []
            assert await _paths(store, "acme", limit=2) == below[:2]
            assert await _paths(store, "acme", after=below[1], limit=2) == below[2:4]
            assert await _paths(store, after="acme_a") == ["用户/x"]

    async def test_a_namespace_of_expired_slots_is_not_listed(self, world: World) -> None:
        """A namespace that only holds expired slots is not listed unless it is configured; its live count is zero."""
        async with world.store() as store:
            await write(store, "gone", "x", expire_ms=START_MS + 10)
            await write(store, "half", "x", expire_ms=START_MS + 10)
            await write(store, "half", "y", expire_ms=START_MS + 20)
            await store.transact(lambda tx: configure(tx, "kept", SETTINGS))
            await write(store, "kept", "x", expire_ms=START_MS + 10)
            assert await _paths(store) == ["gone", "half", "kept"]
            world.clock.move(10)
            assert await _paths(store) == ["half", "kept"]
            assert [await store.live_count(path) for path in ("gone", "half", "kept", "none")] == [0, 1, 0, 0]
            record = store.namespace("gone")
            assert record is not None
            assert record.slot_count == 1

    async def test_a_task_keeps_its_namespace_and_is_found_when_it_is_due(self, world: World) -> None:
        """Its record is there without slots and settings, survives the store, comes back when it is due, and goes with the task."""
        task = TaskState(
            3, START_MS + 9_000, TaskOutcome.FAILED, (Sealed(1, START_MS + 1_000), Sealed(2, START_MS + 3_000))
        )

        def begin(path: str, task: TaskState | None) -> Callable[[Transaction], None]:
            return lambda tx: tx.put_namespace(NamespaceRecord(path, NamespaceSettings(), False, 0, 0, 0, task=task))

        async with world.store() as store:
            await store.transact(begin("n/b", task))
            await store.transact(begin("n/a", TaskState(1, START_MS + 2_000)))
            await store.transact(begin("n/c", TaskState(1, START_MS + 99_000)))
            await write(store, "n/b", "x")
            await forget(store, "n/b", "x")
            record = store.namespace("n/b")
            assert record is not None
            assert record.task == task
            assert await _paths(store) == []
            assert await store.tasks_due(10) == []
            world.clock.move(1_000)
            assert [found.path for found in await store.tasks_due(10)] == ["n/b"]
            world.clock.move(1_000)
            assert [found.path for found in await store.tasks_due(10)] == ["n/b", "n/a"]
            assert [found.path for found in await store.tasks_due(1)] == ["n/b"]
            assert not (await store.check()).problems
            await store.transact(begin("n/b", None))
            assert store.namespace("n/b") is None
            assert [found.path for found in await store.tasks_due(10)] == ["n/a"]
            assert not (await store.check()).problems


def _deleted() -> SlotChange:
    return SlotChange("", Change.DELETED)
