"""Vectors and summaries that writers send with a body."""

from __future__ import annotations

import random

import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import configure, forget, put, remove, write

from memslot_sidecar.model import NamespaceSettings, SlotRecord, Supplied
from memslot_sidecar.stores.base import Store, Transaction

VECTOR = bytes(range(12))
OTHER = bytes(range(12, 24))
BOTH = Supplied(VECTOR, "räksmörgås\n😀")


def _space(store: Store, path: str = "n") -> tuple[int, int, int | None]:
    record = store.namespace(path)
    assert record is not None
    return record.stored_bytes, record.vector_count, record.vector_dimensions


class SuppliedContract:
    """What holds for what goes with a body."""

    @pytest.mark.parametrize(
        "sent", [BOTH, Supplied(VECTOR), Supplied(None, "s"), Supplied(b"\0" * 16_384, "s" * 8_000)]
    )
    async def test_what_was_sent_with_a_body_comes_back(self, world: World, sent: Supplied) -> None:
        """A vector and a summary are there as they were sent, in and outside of transactions, and the record tells their sizes."""
        async with world.store() as store:
            written = await write(store, "n", "x", b"12345", supplied=sent)
            sizes = len(sent.vector or b""), len((sent.summary or "").encode())
            assert (written.vector_bytes, written.summary_bytes) == sizes
            assert written.stored_bytes == 5 + sum(sizes)
            assert store.describe("n", "x") == written
            assert store.supplied("n", "x") == store.supplied("n", "x", written.revision) == sent
            assert await store.transact(lambda tx: tx.supplied(written)) == sent
            assert store.usage().stored_bytes == written.stored_bytes
            assert (await store.check()).problems == []

    async def test_nothing_was_sent_is_none(self, world: World) -> None:
        """A slot without, and one that is not there, have neither vector nor summary."""
        async with world.store() as store:
            bare = await write(store, "n", "x")
            empty = await write(store, "n", "y", supplied=Supplied())
            assert bare.supplied_bytes == empty.supplied_bytes == 0
            assert [store.supplied("n", name) for name in "xyz"] == [None, None, None]
            assert await store.transact(lambda tx: tx.supplied(bare)) is None
            assert (await store.check()).problems == []

    async def test_it_goes_with_the_body(self, world: World) -> None:
        """It stays while the body stays, is replaced by what comes alone, and goes with the body that it was sent with."""
        async with world.store() as store:
            await write(store, "n", "x", b"1", supplied=BOTH)
            record = await write(store, "n", "x", None, description="new")
            assert (store.supplied("n", "x"), record.vector_bytes) == (BOTH, 12)
            record = await write(store, "n", "x", None, supplied=Supplied(OTHER))
            assert store.supplied("n", "x") == Supplied(OTHER)
            assert (record.body_bytes, record.vector_bytes, record.summary_bytes) == (1, 12, 0)
            assert _space(store) == (13, 1, 3)
            record = await write(store, "n", "x", b"2", supplied=Supplied(None, "s"))
            assert (store.supplied("n", "x"), record.stored_bytes) == (Supplied(None, "s"), 2)
            record = await write(store, "n", "x", b"34")
            assert (store.supplied("n", "x"), record.supplied_bytes) == (None, 0)
            await write(store, "n", "x", None, supplied=BOTH)
            await write(store, "n", "x", None, supplied=Supplied())
            assert store.supplied("n", "x") is None
            assert _space(store) == (2, 0, None)
            stored = store.read("n", "x")
            assert stored is not None
            assert stored.body == b"34"
            assert (await store.check()).problems == []

    async def test_versions_keep_none_of_it(self, world: World) -> None:
        """A replaced body becomes a version without it, in the counters too."""
        async with world.store() as store:
            first = await write(store, "n", "x", b"123", keep_versions=2, supplied=BOTH)
            second = await write(store, "n", "x", b"4567", keep_versions=2, supplied=Supplied(OTHER))
            assert _space(store) == (3 + 4 + 12, 1, 3)
            found = await store.read_version("n", "x", first.revision)
            assert found is not None
            assert found[1] == b"123"
            assert store.supplied("n", "x", first.revision) is None
            assert store.supplied("n", "x", second.revision) == Supplied(OTHER)
            assert (await store.check()).problems == []

    async def test_it_is_removed_and_expires_with_its_slot(self, world: World) -> None:
        """Nothing of it outlives the slot, and a new slot of the name has none."""
        async with world.store() as store:
            await write(store, "n", "x", b"1", supplied=BOTH, expire_ms=START_MS + 10)
            await write(store, "n", "y", b"1", supplied=BOTH)
            world.clock.move(10)
            assert store.supplied("n", "x") is None
            for name in "xy":
                await forget(store, "n", name)
            assert store.supplied("n", "y") is None
            assert store.usage().stored_bytes == 0
            await write(store, "n", "y", b"1")
            assert store.supplied("n", "y") is None
            assert (await store.check()).problems == []

    async def test_a_mutation_sees_what_it_sent(self, world: World) -> None:
        """Inside of a transaction it is as of the buffered changes."""
        async with world.store() as store:
            await write(store, "n", "old", supplied=BOTH)

            def decide(tx: Transaction) -> None:
                new = put(tx, "n", "new", b"", supplied=Supplied(OTHER, "s"))
                assert tx.supplied(new) == Supplied(OTHER, "s")
                assert tx.supplied(put(tx, "n", "new", None)) == Supplied(OTHER, "s")
                assert tx.supplied(put(tx, "n", "new", None, supplied=Supplied(None, "t"))) == Supplied(None, "t")
                assert tx.supplied(put(tx, "n", "new", b"new")) is None
                old = tx.slot("n", "old")
                assert old is not None
                assert tx.supplied(old) == BOTH
                remove(tx, "n", "old")
                assert tx.supplied(put(tx, "n", "old", b"")) is None

            await store.transact(decide)
            assert _space(store) == (3, 0, None)
            assert (await store.check()).problems == []

    async def test_the_first_vector_decides_the_dimension(self, world: World) -> None:
        """It holds while any slot has a vector, is forgotten with the last one, and follows the only one; settings do not touch it."""
        async with world.store() as store:
            await write(store, "n", "plain")
            assert _space(store)[1:] == (0, None)
            await write(store, "n", "x", supplied=Supplied(VECTOR))
            await write(store, "n", "y", supplied=Supplied(OTHER))
            assert _space(store)[1:] == (2, 3)
            await store.transact(lambda tx: configure(tx, "n", NamespaceSettings(slot_limit=9)))
            await write(store, "n", "x")
            assert _space(store)[1:] == (1, 3)
            await write(store, "n", "y", supplied=Supplied(VECTOR + OTHER))
            assert _space(store)[1:] == (1, 6)
            await forget(store, "n", "y")
            assert _space(store)[1:] == (0, None)

            def decide(tx: Transaction) -> None:
                put(tx, "n", "x", supplied=Supplied(VECTOR))
                space = tx.namespace("n")
                assert space is not None
                assert (space.vector_count, space.vector_dimensions) == (1, 3)

            await store.transact(decide)
        async with world.store() as store:
            if store.kind != "ram":
                assert _space(store)[1:] == (1, 3)
            assert (await store.check()).problems == []

    @pytest.mark.parametrize("seed", range(6))
    async def test_any_sequence_leaves_what_was_sent_last(self, world: World, seed: int) -> None:
        """After random writes, changes and removals each slot has what was sent last with its body, and all counters agree."""
        chance = random.Random(seed)
        wanted: dict[str, Supplied | None] = {}

        def decide(tx: Transaction) -> list[SlotRecord]:
            written = []
            for _ in range(chance.randrange(1, 6)):
                name = chance.choice("abcdef")
                if name in wanted and chance.random() < 0.2:
                    remove(tx, "n", name)
                    del wanted[name]
                    continue
                vector = chance.choice([None, VECTOR, OTHER])
                sent = chance.choice([None, Supplied(vector, chance.choice([None, "s", "tt"]))])
                body = chance.choice([None, b"1", b"22"]) if name in wanted else b"new"
                written.append(put(tx, "n", name, body, keep_versions=chance.randrange(1, 4), supplied=sent))
                if body is not None or sent is not None:
                    wanted[name] = None if sent in (None, Supplied()) else sent
            return written

        async with world.store() as store:
            for _ in range(40):
                for record in await store.transact(decide):
                    assert record.namespace == "n"
                assert {name: store.supplied("n", name) for name in wanted} == wanted
                if wanted:
                    count = sum(sent is not None and sent.vector is not None for sent in wanted.values())
                    assert _space(store)[1:] == (count, 3 if count else None)
                assert (await store.check()).problems == []
