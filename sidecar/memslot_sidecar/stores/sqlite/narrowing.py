"""Finding a few candidates instead of walking a whole namespace.

A scan in some order stops early when matches are common, and walks everything when they are rare. SQLite cannot know which; so each
index that could find the candidates is counted up to a bound, and the first one that stays below it is where the scan starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw

from memslot_index.compile_sql import name_prefix
from memslot_index.filters import AllOf, Filter, TagsAll, TagsAny, TaskTypeIn
from memslot_sidecar.stores.base import Query
from memslot_sidecar.stores.sqlite.connection import fetch

FEW = 20_000
_MANY_EXPIRED = 1_000

Ids = tuple[str, tuple[Any, ...]]
"""A SELECT of ids of slots, and its parameters."""

_NAMESPACE = "namespace_id = (SELECT id FROM namespaces WHERE path = ?)"
_EXPIRED = f"SELECT id FROM slots INDEXED BY slots_by_expiry WHERE {_NAMESPACE} AND expire_ms <= ?"  # noqa: S608
_LIVE = (
    f"SELECT id FROM slots INDEXED BY slots_by_expiry WHERE {_NAMESPACE} AND expire_ms > ?"  # noqa: S608
    f" UNION ALL SELECT id FROM slots INDEXED BY slots_by_expiry WHERE {_NAMESPACE} AND expire_ms IS NULL"
)
_NAMED = f"SELECT s.id FROM slots s INDEXED BY slots_by_name WHERE s.{_NAMESPACE} AND "  # noqa: S608
_TAGGED = f"SELECT slot_id FROM slot_tags WHERE {_NAMESPACE} AND tag = ?"  # noqa: S608
_TYPED = f"SELECT id FROM slots INDEXED BY slots_by_task_type WHERE {_NAMESPACE} AND task_type = ? AND task_type <> ''"  # noqa: S608


def few_candidates(connection: apsw.Connection, query: Query, now_ms: int) -> Ids | None:
    """Where to find all slots of one namespace that can match, when they are known to be few; None otherwise."""
    for ids in _candidates(connection, query, now_ms):
        if _count(connection, ids, FEW) < FEW:
            return ids
    return None


def _candidates(connection: apsw.Connection, query: Query, now_ms: int) -> Iterator[Ids]:
    path = query.namespace
    if query.name_prefix:
        names = name_prefix(query.name_prefix)
        yield _NAMED + names.sql, (path, *names.params)
    if query.filter is not None:
        yield from _by_filter(path, query.filter)
    if _count(connection, (_EXPIRED, (path, now_ms)), _MANY_EXPIRED) == _MANY_EXPIRED:
        yield _LIVE, (path, now_ms, path)


def _by_filter(path: str, condition: Filter) -> Iterator[Ids]:
    match condition:
        case AllOf(parts):
            for part in parts:
                yield from _by_filter(path, part)
        case TagsAll(values):
            for value in values:
                yield _TAGGED, (path, value)
        case TagsAny(values) if len(values) == 1:
            yield _TAGGED, (path, *values)
        case TaskTypeIn(values) if len(values) == 1 and "" not in values:
            yield _TYPED, (path, *values)


def _count(connection: apsw.Connection, ids: Ids, most: int) -> int:
    sql, parameters = ids
    return int(fetch(connection, f"SELECT count(*) FROM (SELECT 1 FROM ({sql}) LIMIT ?)", (*parameters, most))[0][0])  # noqa: S608
