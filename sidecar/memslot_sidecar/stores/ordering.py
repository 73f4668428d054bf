"""The orders of a lookup, as values: what SQL must agree with, and what the backend in RAM sorts by.

A sort key is the order's value, then namespace and name; for ``NAME`` it is namespace and name alone. Reversing turns the value
around; ties stay in ascending order of namespace and name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from memslot_sidecar.model import SlotRecord
from memslot_sidecar.stores.base import Order, Query, SortKey

DESCENDING = frozenset({Order.RANK, Order.UPDATED, Order.ACCESSED, Order.SIZE})
"""The orders that start with the largest value."""

NEVER_ACCESSED = -1
NEVER_EXPIRES = (1 << 63) - 1


def descending(query: Query) -> bool:
    """Whether the page starts with the largest value."""
    return (query.order in DESCENDING) != query.reverse


_VALUES: dict[Order, Callable[[SlotRecord], float]] = {
    Order.RANK: lambda record: record.rank,
    Order.UPDATED: lambda record: record.updated_ms,
    Order.CREATED: lambda record: record.created_revision,
    Order.ACCESSED: lambda record: NEVER_ACCESSED if record.accessed_ms is None else record.accessed_ms,
    Order.EXPIRES: lambda record: NEVER_EXPIRES if record.expire_ms is None else record.expire_ms,
    Order.SIZE: lambda record: record.body_bytes,
}


def sort_key(order: Order, record: SlotRecord) -> SortKey:
    """The key that continues a page after ``record``."""
    if order is Order.NAME:
        return (record.namespace, record.name)
    return (_VALUES[order](record), record.namespace, record.name)


def sorted_after(query: Query, records: Iterable[SlotRecord]) -> list[tuple[SortKey, SlotRecord]]:
    """``records`` in the query's order, those up to ``query.after`` left out."""
    keyed = [(sort_key(query.order, record), record) for record in records]
    if query.after is not None:
        after = query.after
        keyed = [pair for pair in keyed if _follows(query, pair[0], after)]
    if query.order is Order.NAME:
        keyed.sort(key=itemgetter(0), reverse=query.reverse)
        return keyed
    keyed.sort(key=lambda pair: pair[0][1:])
    keyed.sort(key=lambda pair: pair[0][0], reverse=descending(query))  # type: ignore[arg-type,return-value]
    return keyed


def _follows(query: Query, key: Any, after: Any) -> bool:
    if query.order is Order.NAME:
        return bool(key < after if query.reverse else key > after)
    if key[0] != after[0]:
        return bool(key[0] < after[0]) == descending(query)
    return bool(key[1:] > after[1:])
