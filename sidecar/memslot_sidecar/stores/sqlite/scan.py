"""Pages that may take a walk over many rows: any order, any filter, namespaces below others. Made in a thread of their own.

Expiry is tested row by row, so that the order's own index is walked, unless a few candidates can be found otherwise.
"""

from __future__ import annotations

from typing import Any

import apsw

from memslot_index.compile_sql import compile_filter, name_prefix
from memslot_sidecar.stores.base import Item, Order, Page, Query
from memslot_sidecar.stores.ordering import NEVER_ACCESSED, NEVER_EXPIRES, descending
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.narrowing import few_candidates
from memslot_sidecar.stores.sqlite.records import SLOT, slot_record

_VALUES = {
    Order.RANK: "s.rank",
    Order.UPDATED: "s.updated_ms",
    Order.CREATED: "s.created_revision",
    Order.ACCESSED: f"coalesce(s.accessed_ms, {NEVER_ACCESSED})",
    Order.EXPIRES: f"coalesce(s.expire_ms, {NEVER_EXPIRES})",
    Order.SIZE: "s.body_bytes",
}
_NAMESPACE_ID = "(SELECT id FROM namespaces WHERE path = ?)"


class _Clauses:
    """Conditions and their parameters, in textual order."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.parameters: list[Any] = []

    def add(self, condition: str, *parameters: Any) -> None:
        self.conditions.append(condition)
        self.parameters += parameters

    @property
    def where(self) -> str:
        return " AND ".join(self.conditions)


def below(path: str) -> tuple[str, str]:
    """The range (from, until) of the namespaces below ``path``: by whole segments, and without LIKE, which has wildcards."""
    return path + "/", path + "0"


def scan_page(connection: apsw.Connection, query: Query, now_ms: int) -> Page:
    """The page of a query."""
    with connection:
        clauses = _clauses(connection, query, now_ms)
        total = None if query.count_to is None else _count(connection, clauses, query.count_to)
        if query.after is not None:
            _continue(clauses, query, query.after)
        rows = fetch(connection, _select(query, clauses), (*clauses.parameters, query.limit + 1))
    return Page([_item(query, row) for row in rows[: query.limit]], len(rows) > query.limit, total)


def _clauses(connection: apsw.Connection, query: Query, now_ms: int) -> _Clauses:
    clauses = _Clauses()
    if query.recursive:
        clauses.add(
            "s.namespace_id IN (SELECT id FROM namespaces WHERE path = ?"
            " UNION ALL SELECT id FROM namespaces WHERE path >= ? AND path < ?)",
            query.namespace,
            *below(query.namespace),
        )
    elif (candidates := few_candidates(connection, query, now_ms)) is not None:
        clauses.add(f"s.id IN ({candidates[0]})", *candidates[1])
    else:
        clauses.add(f"s.namespace_id = {_NAMESPACE_ID}", query.namespace)
    clauses.add(f"coalesce(s.expire_ms, {NEVER_EXPIRES}) > ?", now_ms)
    if query.name_prefix:
        names = name_prefix(query.name_prefix)
        clauses.add(names.sql, *names.params)
    if query.filter is not None:
        condition = compile_filter(query.filter)
        clauses.add(f"({condition.sql})", *condition.params)
    return clauses


def _count(connection: apsw.Connection, clauses: _Clauses, count_to: int) -> int:
    sql = f"SELECT count(*) FROM (SELECT 1 FROM slots s WHERE {clauses.where} LIMIT ?)"  # noqa: S608
    return int(fetch(connection, sql, (*clauses.parameters, count_to + 1))[0][0])


def _continue(clauses: _Clauses, query: Query, after: tuple[Any, ...]) -> None:
    path, name = after[-2:]
    if query.order is Order.NAME:
        sign = "<" if query.reverse else ">"
        if query.recursive:
            clauses.add(f"n.path {sign}= ? AND (n.path {sign} ? OR s.name {sign} ?)", path, path, name)
        else:
            clauses.add(f"s.name {sign} ?", name)
        return
    value, sign = _VALUES[query.order], "<" if descending(query) else ">"
    clauses.add(f"{value} {sign}= ?", after[0])
    if query.recursive:
        clauses.add(f"({value} {sign} ? OR (n.path, s.name) > (?, ?))", after[0], path, name)
    else:
        clauses.add(f"({value} {sign} ? OR s.name > ?)", after[0], name)


def _select(query: Query, clauses: _Clauses) -> str:
    value = "NULL" if query.order is Order.NAME else _VALUES[query.order]
    path = "n.path" if query.recursive else "NULL"
    columns = f"{path}, s.name, {value}" + ("" if query.names_only else f", {SLOT}")
    source = "slots s JOIN namespaces n ON n.id = s.namespace_id" if query.recursive else "slots s"
    if query.order is Order.NAME:
        direction = "DESC" if query.reverse else "ASC"
        order = [f"n.path {direction}"] * query.recursive + [f"s.name {direction}"]
    else:
        order = [f"{value} {'DESC' if descending(query) else 'ASC'}"] + ["n.path"] * query.recursive + ["s.name"]
    return f"SELECT {columns} FROM {source} WHERE {clauses.where} ORDER BY {', '.join(order)} LIMIT ?"  # noqa: S608


def _item(query: Query, row: tuple[Any, ...]) -> Item:
    path = row[0] if query.recursive else query.namespace
    key = (path, row[1]) if query.order is Order.NAME else (row[2], path, row[1])
    return Item(path, row[1], key, None if query.names_only else slot_record(path, row[3:]))
