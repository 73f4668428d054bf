"""Writing, replacing, reading and removing slots."""

from __future__ import annotations

import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import configure, forget, names, put, remove, write

from memslot_sidecar.model import Lifetime, NamespaceSettings, Origin, SlotRecord, Usage
from memslot_sidecar.stores.base import Transaction

NAMES = ["用户偏好", "a'b\"c", "50%_x", "😀", "a-b.c#d", "a\\b", "A", "a", "\ud7ff", "\ue000", "\U0010ffff"]
NAMESPACES = ["acme/a@b.com", "auth0|x", "用户-7", "a_b/c%d", "a'b"]


class SlotContract:
    """What holds for single slots."""

    async def test_a_written_slot_is_read_as_it_was_written(self, world: World) -> None:
        """Every field of a record, and every byte of a body, comes back as it was put."""
        async with world.store() as store:
            written = await write(
                store,
                "acme/a",
                "x",
                bytes(range(256)),
                content_type="application/octet-stream",
                description="what it is",
                task_type="plan",
                tags=("b", "a", "ü"),
                attributes={"i": 2**63 - 1, "j": -(2**63), "f": 1.0, "t": True, "o": False, "s": "1", "e": ""},
                importance=0.25,
                pinned=True,
                origin=Origin.MODEL,
                written_by="someone",
                rank=-1.5e-7,
                access_count=3,
                accessed_ms=START_MS - 5,
                expire_ms=START_MS + 60_000,
                lifetime=Lifetime.TTL,
                ttl_ms=60_000,
            )
            stored = store.read("acme/a", "x")
            assert stored is not None
            assert stored.record == written == store.describe("acme/a", "x")
            assert stored.body == bytes(range(256))
            assert {key: type(value) for key, value in stored.record.attributes.items()} == {
                "i": int, "j": int, "f": float, "t": bool, "o": bool, "s": str, "e": str,
            }  # fmt: skip

    @pytest.mark.parametrize("body", [b"", b"\0", b"x" * 100_000, b"y" * 1_000_000], ids=len)
    async def test_a_body_of_any_size_comes_back(self, world: World, body: bytes) -> None:
        """An empty body is a body, and a large one is whole."""
        async with world.store() as store:
            await write(store, "n", "x", body)
            stored = store.read("n", "x")
            assert stored is not None
            assert (stored.body, stored.record.body_bytes) == (body, len(body))

    async def test_names_survive_unchanged(self, world: World) -> None:
        """Any allowed character survives in names and namespaces, is found by it alone, and nothing is a wildcard."""
        async with world.store() as store:
            for namespace in NAMESPACES:
                for name in NAMES:
                    await write(store, namespace, name, f"{namespace}:{name}".encode())
            for namespace in NAMESPACES:
                assert sorted(await names(store, namespace)) == sorted(NAMES)
                for name in NAMES:
                    stored = store.read(namespace, name)
                    assert stored is not None
                    assert stored.body == f"{namespace}:{name}".encode()
            assert store.read("a_b/c%d", "50%_y") is None
            assert store.read("a_b/cxd", "a") is None

    async def test_what_was_never_written_is_not_there(self, world: World) -> None:
        """A missing slot is None, in an existing namespace and in a missing one."""
        async with world.store() as store:
            await write(store, "n", "x")
            assert store.read("n", "y") is None
            assert store.describe("m", "x") is None
            assert await names(store, "m") == []

    async def test_a_replaced_body_is_the_only_one(self, world: World) -> None:
        """An overwritten slot reads as the new body at the new revision."""
        async with world.store() as store:
            first = await write(store, "n", "x", b"old")
            assert store.read("n", "x") is not None
            second = await write(store, "n", "x", b"newer")
            stored = store.read("n", "x")
            assert stored is not None
            assert (stored.body, stored.record.revision) == (b"newer", second.revision)
            assert second.revision == first.revision + 1
            assert second.created_revision == first.revision

    async def test_metadata_changes_without_the_body(self, world: World) -> None:
        """A put without a body leaves the body as it is."""
        async with world.store() as store:
            await write(store, "n", "x", b"kept", tags=("a",), attributes={"k": 1})
            await write(store, "n", "x", None, tags=("b",), attributes={"k": 1.0}, description="new")
            stored = store.read("n", "x")
            assert stored is not None
            assert (stored.body, stored.record.tags, stored.record.description) == (b"kept", ("b",), "new")
            assert type(stored.record.attributes["k"]) is float

    async def test_a_removed_slot_is_gone(self, world: World) -> None:
        """A removed slot is on no path, and can be created anew as another slot."""
        async with world.store() as store:
            first = await write(store, "n", "x", tags=("t",), attributes={"k": 1})
            await write(store, "n", "y")
            await forget(store, "n", "x")
            assert store.read("n", "x") is None
            assert store.describe("n", "x") is None
            assert await names(store, "n") == ["y"]
            again = await write(store, "n", "x", b"again")
            assert again.created_revision > first.created_revision
            stored = store.read("n", "x")
            assert stored is not None
            assert (stored.body, stored.record.tags, stored.record.version) == (b"again", (), 1)

    async def test_a_mutation_sees_its_own_changes_by_name(self, world: World) -> None:
        """Slot, body, namespace and usage are as of the buffered changes inside the transaction."""
        async with world.store() as store:
            await write(store, "n", "old", b"12")

            def decide(tx: Transaction) -> None:
                written = put(tx, "n", "new", b"345")
                assert tx.slot("n", "new") == written
                assert tx.body(written) == b"345"
                old = tx.slot("n", "old")
                assert old is not None
                assert tx.body(old) == b"12"
                remove(tx, "n", "old")
                assert tx.slot("n", "old") is None
                space = tx.namespace("n")
                assert space is not None
                assert (space.slot_count, space.stored_bytes) == (1, 3)
                assert tx.usage(None) == tx.usage("n") == Usage(1, 1, 3)
                put(tx, "n", "old", b"6789")
                assert tx.usage("n") == Usage(1, 2, 7)

            await store.transact(decide)
            stored = store.read("n", "old")
            assert stored is not None
            assert (stored.body, stored.record.version) == (b"6789", 1)
            assert (await store.check()).problems == []

    async def test_a_mutation_that_raises_changes_nothing(self, world: World) -> None:
        """What a mutation raises reaches its caller, and nothing that it buffered is there."""
        async with world.store() as store:

            def decide(tx: Transaction) -> None:
                put(tx, "n", "x")
                configure(tx, "m", NamespaceSettings(slot_limit=1))
                raise LookupError("no")

            with pytest.raises(LookupError, match="no"):
                await store.transact(decide)
            assert store.read("n", "x") is None
            assert store.namespace("m") is None
            assert (store.revision, store.usage()) == (0, Usage())
            assert await store.feed(0, 10) == []

    async def test_a_revision_without_its_record_is_refused(self, world: World) -> None:
        """A mutation that takes a revision and does not tell it fails as a whole: the feed never has a gap."""
        async with world.store() as store:
            with pytest.raises(RuntimeError):
                await store.transact(lambda tx: tx.next_revision())
            record: SlotRecord = await write(store, "n", "x")
            assert record.revision == store.revision == 1

    async def test_slots_of_one_name_in_two_namespaces_are_two(self, world: World) -> None:
        """Namespaces share nothing, whatever their names have in common."""
        async with world.store() as store:
            for namespace in ("acme/a", "acme/ab", "acme_a", "acme"):
                await write(store, namespace, "x", namespace.encode())
            await forget(store, "acme/ab", "x")
            assert [store.read(path, "x") is not None for path in ("acme/a", "acme/ab", "acme_a", "acme")] == [
                True, False, True, True,
            ]  # fmt: skip
