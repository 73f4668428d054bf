"""Lookups: every order, filter and page equals what sorting all matching slots gives."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.world import START_MS, World
from tests.contract.writing import ORDERS, forget, names, pages, put, write
from tests.index.strategies import INT64_MAX, Facts, slots, trees

from memslot_index.evaluate import matches
from memslot_index.filters import AllOf, Filter, TagsAll, TagsAny, TaskTypeIn
from memslot_sidecar.model import Origin, SlotRecord
from memslot_sidecar.stores.base import Order, Query, Store, Transaction

DESCENDING = {Order.RANK, Order.UPDATED, Order.ACCESSED, Order.SIZE}


def reference(query: Query, records: Sequence[SlotRecord], now_ms: int) -> list[tuple[str, str]]:
    """What all pages of a query hold together, worked out the long way."""
    found = [record for record in records if _fits(query, record, now_ms)]
    found.sort(key=lambda record: (record.namespace, record.name))
    if query.order is Order.NAME:
        ordered = found[::-1] if query.reverse else found
    else:
        turned = (query.order in DESCENDING) != query.reverse
        ordered = sorted(found, key=lambda record: _value(query.order, record), reverse=turned)
    return [(record.namespace, record.name) for record in ordered]


def _fits(query: Query, record: SlotRecord, now_ms: int) -> bool:
    segments, wanted = record.namespace.split("/"), query.namespace.split("/")
    within = segments[: len(wanted)] == wanted if query.recursive else segments == wanted
    return (
        within
        and (record.expire_ms is None or record.expire_ms > now_ms)
        and record.name.startswith(query.name_prefix)
        and (query.filter is None or matches(query.filter, record))
    )


def _value(order: Order, record: SlotRecord) -> float:
    values: dict[Order, float | None] = {
        Order.RANK: record.rank,
        Order.UPDATED: record.updated_ms,
        Order.CREATED: record.created_revision,
        Order.ACCESSED: -1 if record.accessed_ms is None else record.accessed_ms,
        Order.EXPIRES: INT64_MAX if record.expire_ms is None else record.expire_ms,
        Order.SIZE: record.body_bytes,
    }
    value = values[order]
    assert value is not None
    return value


SHAPES = st.tuples(
    slots,
    st.sampled_from(["a", "a/b", "a/b/c", "a/bc", "a_b"]),
    st.sampled_from([-1.5, 0.0, 1.0, 1.0000000001, 7.25]),
    st.sampled_from([None, START_MS, START_MS + 1, START_MS + 1_000]),
    st.sampled_from([None, START_MS - 7, START_MS]),
    st.binary(max_size=3),
)
QUERIES = st.builds(
    Query,
    namespace=st.sampled_from(["a", "a/b", "a_b"]),
    recursive=st.booleans(),
    name_prefix=st.sampled_from(["", "", "a", "用户", "%", "\U0010ffff"]),
    filter=st.none() | trees(3) | st.sampled_from([TagsAny(frozenset({"a"})), TaskTypeIn(frozenset({"a"}))]),
    order=st.sampled_from(ORDERS),
    reverse=st.booleans(),
    limit=st.integers(1, 4),
    names_only=st.booleans(),
)


def _fields(facts: Facts, shape: Any) -> dict[str, Any]:
    _, _, rank, expire_ms, accessed_ms, _ = shape
    return {
        "task_type": facts.task_type,
        "tags": facts.tags,
        "attributes": dict(facts.attributes),
        "importance": facts.importance,
        "origin": Origin(facts.origin),
        "rank": rank,
        "expire_ms": expire_ms,
        "accessed_ms": accessed_ms,
    }


def _fill(tx: Transaction, shapes: Sequence[Any]) -> None:
    for shape in shapes:
        put(tx, shape[1], shape[0].name, shape[5], **_fields(shape[0], shape))


async def _clear(store: Store, written: Sequence[SlotRecord]) -> None:
    for record in written:
        await forget(store, record.namespace, record.name)


class LookupContract:
    """What holds for lookups."""

    def test_pages_in_any_order_are_all_matching_slots_sorted(self, world: World) -> None:
        """For random slots and queries, the pages together are exactly the live matching slots in order, each once, and the total
        is their number, whatever the page size."""
        loop = asyncio.new_event_loop()
        opened = world.store()
        store = loop.run_until_complete(opened.__aenter__())

        async def example(shapes: list[Any], queries: list[Query]) -> None:
            await store.transact(lambda tx: _fill(tx, shapes))
            keys = {(shape[1], shape[0].name) for shape in shapes}
            held = await store.transact(lambda tx: [tx.slot(*key) for key in sorted(keys)])
            records = [record for record in held if record is not None]
            for query in queries:
                items = await pages(store, query)
                assert [(item.namespace, item.name) for item in items] == reference(query, records, store.now_ms())
                assert all((item.record is None) == query.names_only for item in items)
                assert all(item.record in records for item in items if item.record is not None)
                page = await store.lookup(Query(query.namespace, filter=query.filter, limit=1, count_to=3))
                plain = Query(query.namespace, filter=query.filter)
                assert page.total == min(len(reference(plain, records, store.now_ms())), 4)
            assert (await store.check()).problems == []
            await _clear(store, records)

        @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(SHAPES, min_size=1, max_size=12), st.lists(QUERIES, min_size=1, max_size=6))
        def check(shapes: list[Any], queries: list[Query]) -> None:
            loop.run_until_complete(example(shapes, queries))

        try:
            check()
        finally:
            loop.run_until_complete(opened.__aexit__(None, None, None))
            loop.close()

    async def test_thirty_items_by_five_are_six_pages(self, world: World) -> None:
        """Paging through 30 items by 5 gives 5,5,5,5,5,5 and says at the sixth that nothing follows."""
        async with world.store() as store:
            for number in range(30):
                await write(store, "n", f"slot-{number:02}", tags=("t",), task_type="p", rank=float(number % 7))
            for condition in (None, TagsAny(frozenset({"t"})), TaskTypeIn(frozenset({"p"}))):
                for order in ORDERS:
                    query = Query("n", order=order, limit=5, filter=condition)
                    sizes, more = [], True
                    while more:
                        page = await store.lookup(query)
                        sizes.append(len(page.items))
                        more = page.more
                        query = Query("n", order=order, limit=5, filter=condition, after=page.items[-1].key)
                    assert sizes == [5] * 6

    @pytest.mark.parametrize("order", [Order.NAME, Order.CREATED])
    async def test_paging_while_slots_change_yields_each_once(self, world: World, order: Order) -> None:
        """By name or creation, every slot that lives throughout is listed exactly once, whatever is written meanwhile."""
        async with world.store() as store:
            for number in range(20):
                await write(store, "n", f"slot-{number:02}")
            seen: list[str] = []
            query = Query("n", order=order, limit=3)
            while True:
                page = await store.lookup(query)
                seen += [item.name for item in page.items]
                if not page.more:
                    break
                await write(store, "n", f"slot-{len(seen) % 20:02}", b"changed", rank=9.0)
                await write(store, "n", f"a-{len(seen)}")
                query = Query("n", order=order, limit=3, after=page.items[-1].key)
            lived = [f"slot-{number:02}" for number in range(20)]
            assert [name for name in seen if name.startswith("slot")] == lived
            assert len(seen) == len(set(seen))

    async def test_a_prefix_is_taken_literally(self, world: World) -> None:
        """No character of a prefix is a wildcard, and case matters."""
        async with world.store() as store:
            for name in ("a_1", "a%1", "ab1", "A_1", "a", "用户偏好", "用户"):
                await write(store, "n", name)
            for order in (Order.NAME, Order.RANK):
                assert sorted(await names(store, "n", name_prefix="a_", order=order)) == ["a_1"]
                assert sorted(await names(store, "n", name_prefix="a%", order=order)) == ["a%1"]
                assert sorted(await names(store, "n", name_prefix="用户", order=order)) == ["用户", "用户偏好"]

    async def test_recursion_goes_by_whole_segments(self, world: World) -> None:
        """Below `acme/a` stand `acme/a` and `acme/a/b`, never `acme/ab`, `acme_a` or `acme`."""
        async with world.store() as store:
            for path in ("acme", "acme/a", "acme/a/b", "acme/ab", "acme/a-b", "acme_a", "acme/a0"):
                await write(store, path, "x")
            items = await pages(store, Query("acme/a", recursive=True, order=Order.NAME))
            assert [item.namespace for item in items] == ["acme/a", "acme/a/b"]

    async def test_combined_tags_filter_alike(self, world: World) -> None:
        """A single tag, one of several, and all of several select what they say, in rank order."""
        async with world.store() as store:
            for number, tags in enumerate([("a",), ("a", "b"), ("b",), (), ("a b",), ("A",)]):
                await write(store, "n", f"slot-{number}", tags=tags, rank=float(number))
            cases: list[tuple[Filter, list[str]]] = [
                (TagsAny(frozenset({"a"})), ["slot-1", "slot-0"]),
                (TagsAll(frozenset({"a"})), ["slot-1", "slot-0"]),
                (TagsAny(frozenset({"a", "b"})), ["slot-2", "slot-1", "slot-0"]),
                (TagsAll(frozenset({"a", "b"})), ["slot-1"]),
                (AllOf((TagsAny(frozenset({"a"})), TagsAny(frozenset({"b"})))), ["slot-1"]),
            ]
            for condition, expected in cases:
                assert await names(store, "n", filter=condition) == expected
                assert await names(store, "n", filter=condition, reverse=True) == expected[::-1]

    async def test_a_page_tells_records_when_asked(self, world: World) -> None:
        """With records, each item carries the slot's whole record; without, none."""
        async with world.store() as store:
            record = await write(store, "n", "x", tags=("t",), task_type="p", attributes={"k": 1.5})
            for condition in (None, TagsAny(frozenset({"t"})), TaskTypeIn(frozenset({"p"}))):
                for order in ORDERS:
                    query = Query("n", order=order, filter=condition, names_only=False)
                    assert [item.record for item in (await store.lookup(query)).items] == [record]

    async def test_a_mutation_matches_committed_slots(self, world: World) -> None:
        """Matching inside a mutation pages like a lookup, over what was there before it."""
        async with world.store() as store:
            for number in range(5):
                await write(store, "n", f"slot-{number}")

            def decide(tx: Transaction) -> list[str]:
                put(tx, "n", "new")
                query = Query("n", order=Order.NAME, limit=3, names_only=False)
                first = tx.matching(query)
                assert first.more
                rest = tx.matching(Query("n", order=Order.NAME, limit=3, names_only=False, after=first.items[-1].key))
                assert not rest.more
                return [item.record.name for page in (first, rest) for item in page.items if item.record]

            assert await store.transact(decide) == [f"slot-{number}" for number in range(5)]

    async def test_many_expired_slots_hide_no_live_one(self, world: World) -> None:
        """With two thousand expired, unswept slots in front, every order still lists exactly the live ones."""
        async with world.store() as store:

            def fill(tx: Transaction) -> None:
                for number in range(2_000):
                    fields: dict[str, Any] = {"tags": ("t",), "task_type": "p", "rank": 9.0, "expire_ms": START_MS + 10}
                    put(tx, "n", f"a-{number:04}", b"x", **fields)

            await store.transact(fill)
            for number in range(5):
                await write(store, "n", f"live-{number}", tags=("t",), task_type="p", rank=float(number))
            world.clock.move(10)
            expected = {f"live-{number}" for number in range(5)}
            for condition in (None, TagsAny(frozenset({"t"})), TaskTypeIn(frozenset({"p"}))):
                for order in ORDERS:
                    items = await pages(store, Query("n", order=order, filter=condition, limit=2))
                    assert {item.name for item in items} == expected
                    assert len(items) == 5
            assert (await store.lookup(Query("n", count_to=100))).total == 5
            assert await store.live_count("n") == 5
