"""Remembered pages never differ from fresh ones."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.world import ManualClock
from tests.contract.writing import put, remove

from memslot_index.filters import TagsAny, TaskTypeIn
from memslot_sidecar.stores.base import Order, Query, Store
from memslot_sidecar.stores.ram import RamStore
from memslot_sidecar.stores.sqlite import SqliteStore

NAMESPACES = ("a", "a/b")
QUERIES = [
    Query(namespace, name_prefix=prefix, filter=condition, order=order, limit=3)
    for namespace in NAMESPACES
    for prefix, condition, order in (
        ("", None, Order.RANK),
        ("", None, Order.NAME),
        ("", None, Order.UPDATED),
        ("n", None, Order.NAME),
        ("", TagsAny(frozenset({"t"})), Order.RANK),
        ("", TaskTypeIn(frozenset({"k"})), Order.RANK),
    )
]
slots = st.tuples(st.sampled_from(NAMESPACES), st.sampled_from(["n1", "n2", "n3", "n4", "m"]))
steps = st.one_of(
    st.tuples(st.just("write"), slots, st.integers(1, 3), st.sampled_from([None, 5, 20])),
    st.tuples(st.just("forget"), slots),
    st.tuples(st.just("read"), slots),
    st.tuples(st.just("wait"), st.integers(1, 10)),
)


async def take(store: Store, clock: ManualClock, step: tuple[object, ...]) -> None:
    """Does one step to one store."""
    match step:
        case ("write", (str(namespace), str(name)), int(rank), int() | None as ttl):
            expire = None if ttl is None else clock() + ttl
            await store.transact(
                lambda tx: put(tx, namespace, name, rank=float(rank), tags=("t",), task_type="k", expire_ms=expire)
            )
        case ("forget", (str(namespace), str(name))) if store.describe(namespace, name):
            await store.transact(lambda tx: remove(tx, namespace, name))
        case ("read", (str(namespace), str(name))):
            record = store.describe(namespace, name)
            if record is not None:
                store.note_access(record, clock())
            await store.flush_accesses()


async def compare(taken: list[tuple[object, ...]], folder: Path) -> None:
    """Looks everything up after each step, in a store that remembers and in one that does not."""
    clock = ManualClock()
    plain, remembering = RamStore(clock), SqliteStore(folder, clock)
    await plain.start()
    await remembering.start()
    try:
        for step in taken:
            if step[0] == "wait":
                clock.move(int(str(step[1])))
            for store in (plain, remembering):
                await take(store, clock, step)
            for query in QUERIES:
                expected, found = await plain.lookup(query), await remembering.lookup(query)
                assert [(item.namespace, item.name) for item in found.items] == [
                    (item.namespace, item.name) for item in expected.items
                ], (query, step)
                assert found.more == expected.more
    finally:
        await plain.close()
        await remembering.close()


@settings(max_examples=40)
@given(st.lists(steps, max_size=25))
def test_remembered_pages_are_those_of_a_store_that_remembers_nothing(taken: list[tuple[object, ...]]) -> None:
    """A lookup is right after every write, forget, expiry and flush of accesses, also when it was made before."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(taken, Path(folder)))
