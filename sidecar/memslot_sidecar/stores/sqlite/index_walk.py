"""Pages that one index answers, names and expiry included: a walk over a few index entries, made on the event loop's thread.

Slots that have expired but were not swept yet are walked past, up to :data:`SLACK` of them; then the page is left to a scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import apsw

from memslot_index.compile_sql import prefix_end
from memslot_index.filters import AllOf, AnyOf, Filter, TagsAll, TagsAny, TaskTypeIn
from memslot_sidecar.stores.base import Item, Order, Page, Query
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.page_cache import TimedPage
from memslot_sidecar.stores.sqlite.records import SLOT, Row, slot_record

SLACK = 500

_INDEXES = {
    Order.RANK: ("slots_by_rank", "rank"),
    Order.NAME: ("slots_by_name", "name"),
    Order.UPDATED: ("slots_by_update", "updated_ms"),
    Order.CREATED: ("slots_by_creation", "created_revision"),
}


@dataclass(frozen=True, slots=True)
class _Walk:
    """A kind of walk: its index, the equality that narrows it, its order and its ends."""

    index: str
    narrowed: str
    column: str
    descending: bool
    names_only: bool
    low: bool
    high: bool
    continued: bool


def walk_page(connection: apsw.Connection, query: Query, now_ms: int) -> TimedPage | None:
    """The page, if an index answers it within a bounded number of steps, and until when it is right; None otherwise."""
    plan = _plan(query)
    if plan is None:
        return None
    sql, parameters = plan
    total = None
    if query.count_to is not None:
        total = _total(connection, query, now_ms)
        if total is None:
            return None
    for slack in (0, SLACK):
        most = query.limit + 1 + slack
        rows = fetch(connection, sql, (*parameters, most))
        live = [row for row in rows if row[2] is None or row[2] > now_ms]
        if len(live) > query.limit or len(rows) < most:
            page = Page(_items(query, live[: query.limit]), len(live) > query.limit, total)
            return TimedPage(page, now_ms, min((row[2] for row in live if row[2] is not None), default=None))
    return None


def _plan(query: Query) -> tuple[str, list[Any]] | None:
    if query.recursive or (query.reverse and query.order is not Order.NAME):
        return None
    source = _source(query)
    if source is None:
        return None
    index, narrowed, column, value = source
    parameters: list[Any] = [query.namespace]
    if narrowed:
        parameters.append(value)
    end = prefix_end(query.name_prefix) if query.name_prefix else None
    if query.name_prefix:
        parameters.append(query.name_prefix)
    if end is not None:
        parameters.append(end)
    if query.after is not None:
        key = query.after
        parameters += [key[1]] if query.order is Order.NAME else [key[0], key[0], key[2]]
    descending = query.reverse if query.order is Order.NAME else query.order is not Order.CREATED
    continued = query.after is not None
    low = bool(query.name_prefix)
    return _sql(
        _Walk(index, narrowed, column, descending, query.names_only, low, end is not None, continued)
    ), parameters


def _source(query: Query) -> tuple[str, str, str, str] | None:
    """The index, the column that narrows it, the column that orders it, and the narrowing value."""
    if query.order not in _INDEXES or (query.name_prefix and query.order is not Order.NAME):
        return None
    index, column = _INDEXES[query.order]
    if query.filter is None:
        return index, "", column, ""
    if query.order is not Order.RANK or query.count_to is not None:
        return None
    narrowed = _single(query.filter)
    return None if narrowed is None else (*narrowed[:2], column, narrowed[2])


def _single(condition: Filter) -> tuple[str, str, str] | None:
    match condition:
        case AllOf((part,)) | AnyOf((part,)):
            return _single(part)
        case TagsAny(values) | TagsAll(values) if len(values) == 1:
            return "slot_tags", "tag", next(iter(values))
        case TaskTypeIn(values) if len(values) == 1 and "" not in values:
            return "slots_by_task_type", "task_type", next(iter(values))
    return None


@lru_cache(maxsize=256)
def _sql(walk: _Walk) -> str:
    k = "t" if walk.index == "slot_tags" else "s"
    source = f"slots s INDEXED BY {walk.index}" if k == "s" else "slot_tags t"
    if k == "t" and not walk.names_only:
        source += " CROSS JOIN slots s ON s.id = t.slot_id"
    where = [k + ".namespace_id = (SELECT id FROM namespaces WHERE path = ?)"]  # noqa: S608
    if walk.narrowed:
        where.append(f"{k}.{walk.narrowed} = ?")
    if walk.narrowed == "task_type":
        where.append("s.task_type <> ''")
    where += ["s.name >= ?"] * walk.low + ["s.name < ?"] * walk.high
    column = f"{k}.{walk.column}"
    sign = "<" if walk.descending else ">"
    if walk.continued:
        after = f"{column} {sign}= ? AND ({column} {sign} ? OR {k}.name > ?)"
        where.append(f"{column} {sign} ?" if walk.column == "name" else after)
    columns = f"{k}.name, {column}, {k}.expire_ms" + ("" if walk.names_only else f", {SLOT}")
    order = f"{column} {'DESC' if walk.descending else 'ASC'}" + ("" if walk.column == "name" else f", {k}.name")
    return f"SELECT {columns} FROM {source} WHERE {' AND '.join(where)} ORDER BY {order} LIMIT ?"  # noqa: S608


def _items(query: Query, rows: Sequence[Row]) -> list[Item]:
    namespace = query.namespace
    if query.order is Order.NAME:
        keyed = [(row, (namespace, row[0])) for row in rows]
        return [Item(namespace, row[0], key, _record(query, row)) for row, key in keyed]
    if query.names_only:
        return [Item(namespace, row[0], (row[1], namespace, row[0])) for row in rows]
    return [Item(namespace, row[0], (row[1], namespace, row[0]), _record(query, row)) for row in rows]


def _record(query: Query, row: Row) -> Any:
    return None if query.names_only else slot_record(query.namespace, row[3:])


def _total(connection: apsw.Connection, query: Query, now_ms: int) -> int | None:
    """How many live slots the whole namespace holds, if few of its slots have expired."""
    assert query.count_to is not None
    if query.name_prefix:
        return None
    rows = fetch(
        connection,
        "SELECT n.slot_count, (SELECT count(*) FROM (SELECT 1 FROM slots s INDEXED BY slots_by_expiry"
        " WHERE s.namespace_id = n.id AND s.expire_ms <= ? LIMIT ?)) FROM namespaces n WHERE n.path = ?",
        (now_ms, SLACK + 1, query.namespace),
    )
    if not rows:
        return 0
    slots, expired = rows[0]
    return None if expired > SLACK else min(slots - expired, query.count_to + 1)
