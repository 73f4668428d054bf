"""Rows of what is indexed, by id, by name and by neighbourhood. Lists travel as one JSON text: one statement, whatever their length."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from memslot_index.database.rows import fetch


@dataclass(frozen=True, slots=True)
class Row:
    """An indexed slot; the fields are those of the table."""

    id: int
    space: int
    name: str
    revision: int
    created: int
    task_type: str
    digest: str
    waiting: bool
    truncated: bool = False
    speaker: str = ""
    context: int = 0


_COLUMNS = (
    "d.id, d.space, d.name, d.revision, d.created, d.task_type, d.digest, d.waiting, d.truncated, d.speaker, d.context"
)


_VALUES = ", ".join(f"value ->> {number}" for number in range(11))


def named(connection: apsw.Connection, wanted: Sequence[tuple[int, str]]) -> list[Row | None]:
    """The documents of (space, name), aligned."""
    rows = fetch(
        connection,
        f"SELECT {_COLUMNS} FROM json_each(?) j LEFT JOIN documents d"  # noqa: S608
        " ON d.space = j.value ->> 0 AND d.name = j.value ->> 1 ORDER BY j.key",
        (_json(wanted),),
    )
    return [None if row[0] is None else _row(row) for row in rows]


class Brief(NamedTuple):
    """What a search tells of a document."""

    id: int
    name: str
    revision: int


def briefly(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, Brief]:
    """What a search tells of those of ``ids`` that are there."""
    rows = fetch(
        connection,
        "SELECT d.id, d.name, d.revision FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value",
        (_json(list(ids)),),
    )
    return {row[0]: Brief._make(row) for row in rows}


def anybody_speaks(connection: apsw.Connection, space: int) -> bool:
    """Whether a document of a space is a turn of a conversation."""
    sql = "SELECT 1 FROM documents INDEXED BY documents_by_speaker WHERE space = ? AND speaker <> '' LIMIT 1"
    return bool(fetch(connection, sql, (space,)))


def speakers(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Who speaks in those of ``ids`` that are turns of a conversation."""
    rows = fetch(
        connection,
        "SELECT d.id, d.speaker FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value WHERE d.speaker <> ''",
        (_json(list(ids)),),
    )
    return dict(rows)


def with_ids(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, Row]:
    """The documents of ``ids`` that are there."""
    rows = fetch(
        connection,
        f"SELECT {_COLUMNS} FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value",  # noqa: S608
        (_json(list(ids)),),
    )
    return {row[0]: _row(row) for row in rows}


def put(connection: apsw.Connection, rows: Sequence[Row]) -> None:
    """Creates or replaces documents."""
    values = [
        (
            row.id, row.space, row.name, row.revision, row.created, row.task_type, row.digest, int(row.waiting),
            int(row.truncated), row.speaker, row.context,
        )
        for row in rows
    ]  # fmt: skip
    connection.execute(f"INSERT OR REPLACE INTO documents SELECT {_VALUES} FROM json_each(?)", (_json(values),))  # noqa: S608


def remove(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """Removes documents."""
    connection.execute("DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?))", (_json(list(ids)),))


def ids_of_names(connection: apsw.Connection, space: int, names: Sequence[str]) -> list[int]:
    """The ids of the documents with ``names``."""
    rows = fetch(
        connection,
        "SELECT d.id FROM json_each(?) j CROSS JOIN documents d ON d.space = ? AND d.name = j.value",
        (_json(list(names)), space),
    )
    return [row[0] for row in rows]


def page(connection: apsw.Connection, space: int, after: str, limit: int) -> list[Row]:
    """Documents of a space in the order of their names."""
    rows = fetch(
        connection,
        f"SELECT {_COLUMNS} FROM documents d WHERE d.space = ? AND d.name > ? ORDER BY d.name LIMIT ?",  # noqa: S608
        (space, after, limit),
    )
    return [_row(row) for row in rows]


def waiting(connection: apsw.Connection, space: int, limit: int) -> list[Row]:
    """Documents of a space that wait for a vector, longest first."""
    rows = fetch(
        connection,
        f"SELECT {_COLUMNS} FROM documents d WHERE d.space = ? AND d.waiting ORDER BY d.revision LIMIT ?",  # noqa: S608
        (space, limit),
    )
    return [_row(row) for row in rows]


def with_context(connection: apsw.Connection, ids: Iterable[int]) -> list[Row]:
    """The documents whose vectors were also made of ``ids``."""
    rows = fetch(
        connection,
        f"SELECT {_COLUMNS} FROM json_each(?) j CROSS JOIN documents d INDEXED BY documents_by_context"  # noqa: S608
        " ON d.context = j.value AND d.context > 0",
        (_json(list(ids)),),
    )
    return [_row(row) for row in rows]


def waiting_counts(connection: apsw.Connection) -> dict[int, tuple[int, int]]:
    """By space: how many documents wait for a vector, and the lowest of their revisions."""
    rows = fetch(
        connection,
        "SELECT space, count(*), min(revision) FROM documents INDEXED BY documents_waiting WHERE waiting GROUP BY space",
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def oldest_waiting(connection: apsw.Connection, space: int) -> int:
    """The lowest revision of a space's documents that wait for a vector; 0 when none does."""
    rows = fetch(
        connection,
        "SELECT coalesce(min(revision), 0) FROM documents INDEXED BY documents_waiting WHERE space = ? AND waiting",
        (space,),
    )
    return int(rows[0][0])


def waiting_count(connection: apsw.Connection, space: int) -> int:
    """How many documents of a space wait for a vector."""
    rows = fetch(
        connection,
        "SELECT count(*) FROM documents INDEXED BY documents_waiting WHERE space = ? AND waiting",
        (space,),
    )
    return int(rows[0][0])


def waiting_spaces(connection: apsw.Connection) -> list[int]:
    """The spaces that have documents without a vector; the index is asked once for each of them, however many wait."""
    first = "SELECT min(space) FROM documents INDEXED BY documents_waiting WHERE waiting"
    rows = fetch(
        connection,
        f"WITH RECURSIVE found(space) AS ({first} UNION ALL SELECT ({first} AND space > found.space) FROM found"  # noqa: S608
        " WHERE found.space IS NOT NULL) SELECT space FROM found WHERE space IS NOT NULL",
    )
    return [row[0] for row in rows]


def truncated_count(connection: apsw.Connection, space: int) -> int:
    """How many documents of a space have a vector of only the beginning of their text."""
    rows = fetch(
        connection,
        "SELECT count(*) FROM documents INDEXED BY documents_truncated WHERE space = ? AND truncated",
        (space,),
    )
    return int(rows[0][0])


def count(connection: apsw.Connection, space: int | None = None) -> int:
    """How many documents there are, of one space or in all."""
    if space is None:
        rows = fetch(connection, "SELECT count(*) FROM documents")
    else:
        rows = fetch(connection, "SELECT count(*) FROM documents WHERE space = ?", (space,))
    return int(rows[0][0])


def beside(connection: apsw.Connection, row: Row, reach: int) -> tuple[list[Row], list[Row]]:
    """Up to ``reach`` documents written before a document and as many after it, in its space and task type, nearest first."""
    key = (row.space, row.task_type, row.created, row.created, row.id, reach)
    where = "FROM documents d INDEXED BY documents_by_turn WHERE d.space = ? AND d.task_type = ?"
    before = fetch(
        connection,
        f"SELECT {_COLUMNS} {where} AND d.created <= ? AND (d.created < ? OR d.id < ?)"
        " ORDER BY d.created DESC, d.id DESC LIMIT ?",
        key,
    )
    after = fetch(
        connection,
        f"SELECT {_COLUMNS} {where} AND d.created >= ? AND (d.created > ? OR d.id > ?)"
        " ORDER BY d.created, d.id LIMIT ?",
        key,
    )
    return [_row(found) for found in before], [_row(found) for found in after]


def links(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, tuple[int | None, int | None]]:
    """Of each document that is there, the one written before it and the one after it, in its space and task type."""
    rows = fetch(
        connection,
        "SELECT d.id,"
        " (SELECT b.id FROM documents b INDEXED BY documents_by_turn WHERE b.space = d.space AND b.task_type = d.task_type"
        "  AND (b.created, b.id) < (d.created, d.id) ORDER BY b.created DESC, b.id DESC LIMIT 1),"
        " (SELECT a.id FROM documents a INDEXED BY documents_by_turn WHERE a.space = d.space AND a.task_type = d.task_type"
        "  AND (a.created, a.id) > (d.created, d.id) ORDER BY a.created, a.id LIMIT 1)"
        " FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value",
        (_json(list(ids)),),
    )
    return {id_: (before, after) for id_, before, after in rows}


def remove_range(connection: apsw.Connection, low: int, high: int, limit: int) -> list[int]:
    """Up to ``limit`` ids between ``low`` and ``high``, which are removed."""
    rows = fetch(
        connection, "SELECT id FROM documents WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", (low, high, limit)
    )
    ids = [row[0] for row in rows]
    if ids:
        remove(connection, ids)
    return ids


def end_of_portion(connection: apsw.Connection, low: int, high: int, limit: int) -> int:
    """The id of the last of ``limit`` documents from ``low`` on; ``high`` where there are fewer up to it."""
    sql = "SELECT id FROM documents WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1 OFFSET ?"
    rows = fetch(connection, sql, (low, high, limit - 1))
    return int(rows[0][0]) if rows else high


def unsettle_range(connection: apsw.Connection, low: int, high: int, digests: str) -> None:
    """Makes those of the documents between two ids whose digest is LIKE ``digests`` be put anew, whatever they hold then."""
    connection.execute(
        "UPDATE documents SET digest = '', waiting = 0, context = 0 WHERE id BETWEEN ? AND ? AND digest LIKE ?",
        (low, high, digests),
    )


def _row(values: Any) -> Row:
    id_, space, name, revision, created, task_type, digest, waiting, truncated, speaker, context = values
    return Row(id_, space, name, revision, created, task_type, digest, bool(waiting), bool(truncated), speaker, context)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
