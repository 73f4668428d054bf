"""Names first: what reads no body reads no page of the bodies."""

from __future__ import annotations

from pathlib import Path

import apsw
from tests.contract.writing import ORDERS, pages, put
from tests.sidecar.stores.layers import WatchedLayer

from memslot_index.filters import AttributeExists, BodyBytesIn, TagsAny, TaskTypeIn
from memslot_sidecar.model import Supplied
from memslot_sidecar.stores.base import Query, Transaction
from memslot_sidecar.stores.sqlite import SqliteStore

FILTERS = (
    None,
    TagsAny(frozenset({"t"})),
    TaskTypeIn(frozenset({"p"})),
    AttributeExists("k", exists=True),
    BodyBytesIn(1, None),
)


def _fill(tx: Transaction) -> None:
    for number in range(300):
        body = b"x" * (number * 97 % 9_000)
        sent = Supplied(b"\0" * 1_536, "s" * 300)
        put(
            tx,
            "n/m",
            f"slot-{number}",
            body,
            supplied=sent,
            tags=("t",),
            task_type="p",
            attributes={"k": 1},
            rank=number / 7,
        )


async def _filled(directory: Path) -> set[int]:
    """The pages of all bodies, vectors and summaries in a store that was just made."""
    store = SqliteStore(directory)
    await store.start()
    await store.transact(_fill)
    await store.close()
    connection = apsw.Connection(str(directory / "memslot.db"))
    rows = connection.execute(
        "SELECT pageno FROM dbstat WHERE name IN ('bodies', 'version_bodies', 'supplied')"
    ).fetchall()
    connection.close()
    return {row[0] for row in rows}


async def test_lookup_and_describe_read_no_page_of_a_body(tmp_path: Path) -> None:
    """In any order, with any filter, with or without records: the pages of names and records alone are read, of no vector and no
    summary either. Only a read touches bodies."""
    bodies = await _filled(tmp_path)
    assert len(bodies) > 100
    layer = WatchedLayer()
    store = SqliteStore(tmp_path, cache_bytes=0, vfs=layer.name)
    await store.start()
    with layer.watching() as read:
        for order in ORDERS:
            for condition in FILTERS:
                for names_only in (True, False):
                    query = Query(
                        "n/m", order=order, filter=condition, limit=100, names_only=names_only, count_to=1_000
                    )
                    assert len(await pages(store, query)) == 300 - (condition == BodyBytesIn(1, None))
        assert len(await pages(store, Query("n", recursive=True, limit=50))) == 300
        for number in range(300):
            assert store.describe("n/m", f"slot-{number}") is not None
        assert await store.live_count("n/m") == 300
        assert len(await store.namespaces("", "", 10)) == 1
        assert len(await store.versions("n/m", "slot-7")) == 1
        assert len(await store.feed(0, 1_000)) == 300
    assert len(read) > 20
    assert not read & bodies
    with layer.watching() as read:
        assert store.read("n/m", "slot-299") is not None
    assert read & bodies
    await store.close()


async def test_a_page_of_names_costs_no_more_in_a_large_namespace(tmp_path: Path) -> None:
    """Fifty names by rank, by one tag or one task type in rank order, and by prefix, read a handful of pages among 20,000 slots."""
    store = SqliteStore(tmp_path)
    await store.start()

    def fill(tx: Transaction, start: int) -> None:
        for number in range(start, start + 1_000):
            put(tx, "n", f"slot-{number:05}", b"x", tags=("t",), task_type="p", rank=number * 7919 % 20_011)

    for start in range(0, 20_000, 1_000):
        await store.transact(lambda tx, start=start: fill(tx, start))
    await store.close()
    layer = WatchedLayer()
    store = SqliteStore(tmp_path, cache_bytes=0, vfs=layer.name)
    await store.start()
    queries = [Query("n", filter=condition) for condition in FILTERS[:3]]
    queries += [Query("n", order=order) for order in ORDERS[:4]]
    queries += [Query("n", order=ORDERS[1], name_prefix="slot-1"), Query("n", count_to=10_000)]
    await store.lookup(queries[0])
    for query in queries:
        with layer.watching() as read:
            assert len((await store.lookup(query)).items) == 50
        assert len(read) <= 70 if query.order.value == "created" else len(read) <= 12, query
    await store.close()
