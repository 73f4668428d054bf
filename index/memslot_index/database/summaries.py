"""Rows of summaries that were made, and of slots that wait for one. Lists travel as one JSON text, as those of documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

TABLES = """
CREATE TABLE summaries(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, digest TEXT NOT NULL,
  source INTEGER NOT NULL, rank REAL NOT NULL, bytes INTEGER NOT NULL, text TEXT NOT NULL);
CREATE UNIQUE INDEX summaries_by_name ON summaries(path, name);
CREATE INDEX summaries_by_rank ON summaries(rank, bytes);
CREATE TABLE summaries_waiting(
  path TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, source INTEGER NOT NULL, due_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL, asked INTEGER NOT NULL, PRIMARY KEY(path, name)) WITHOUT ROWID;
CREATE INDEX summaries_due ON summaries_waiting(source, due_ms, revision);
CREATE TABLE summary_sums(count INTEGER NOT NULL, bytes INTEGER NOT NULL);
INSERT INTO summary_sums VALUES (0, 0);
CREATE TRIGGER summary_added AFTER INSERT ON summaries
  BEGIN UPDATE summary_sums SET count = count + 1, bytes = bytes + new.bytes; END;
CREATE TRIGGER summary_removed AFTER DELETE ON summaries
  BEGIN UPDATE summary_sums SET count = count - 1, bytes = bytes - old.bytes; END;
CREATE TRIGGER summary_resized AFTER UPDATE OF bytes ON summaries
  BEGIN UPDATE summary_sums SET bytes = bytes - old.bytes + new.bytes; END;
"""

_JSON_ROWS = "SELECT value ->> 0 AS path, value ->> 1 AS name FROM json_each(?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """A summary as it is kept: of the text with ``digest``, which the slot has at ``revision``. ``source`` is how it was made."""

    path: str
    name: str
    revision: int
    digest: str
    source: int
    rank: float
    text: str


@dataclass(frozen=True, slots=True)
class Due:
    """A slot that waits for a summary of a source. ``tries`` failed before; ``asked`` tells that somebody asked for it."""

    path: str
    name: str
    revision: int
    source: int
    due_ms: int = 0
    tries: int = 0
    asked: bool = False


def remove(connection: apsw.Connection, keys: Sequence[tuple[str, str]]) -> None:
    """Removes what is kept of slots, and that they wait."""
    for table in ("summaries", "summaries_waiting"):
        connection.execute(f"DELETE FROM {table} WHERE (path, name) IN ({_JSON_ROWS})", (_json(keys),))  # noqa: S608


def remove_some(connection: apsw.Connection, path: str, limit: int) -> bool:
    """Removes up to ``limit`` rows of a namespace from each table; whether there may be more."""
    more = False
    for table in ("summaries", "summaries_waiting"):
        connection.execute(
            f"DELETE FROM {table} WHERE (path, name) IN (SELECT path, name FROM {table} WHERE path = ? LIMIT ?)",  # noqa: S608
            (path, limit),
        )
        more = more or connection.changes() == limit
    return more


def carry(connection: apsw.Connection, present: Sequence[tuple[str, str, int, str, float]]) -> None:
    """Moves summaries to the present revision (path, name, revision, digest, rank) of slots whose text is the same, and removes those
    of another text."""
    rows = (
        "SELECT value ->> 0 AS path, value ->> 1 AS name, value ->> 2 AS revision, value ->> 3 AS digest, value ->> 4 AS rank"
        " FROM json_each(?)"
    )
    given = (_json(present),)
    connection.execute(
        f"DELETE FROM summaries WHERE id IN (SELECT s.id FROM ({rows}) j CROSS JOIN summaries s"  # noqa: S608
        " ON s.path = j.path AND s.name = j.name WHERE s.digest <> j.digest)",
        given,
    )
    connection.execute(
        f"UPDATE summaries AS s SET revision = j.revision, rank = j.rank FROM ({rows}) j"  # noqa: S608
        " WHERE s.path = j.path AND s.name = j.name",
        given,
    )


def settle_present(connection: apsw.Connection, keys: Sequence[tuple[str, str]]) -> None:
    """Removes that slots wait, where what they wait for is there."""
    connection.execute(
        f"DELETE FROM summaries_waiting AS w WHERE (path, name) IN ({_JSON_ROWS}) AND EXISTS (SELECT 1 FROM summaries s"  # noqa: S608
        " WHERE s.path = w.path AND s.name = w.name AND s.source = w.source)",
        (_json(keys),),
    )


def wait(connection: apsw.Connection, rows: Sequence[Due]) -> None:
    """Notes slots that wait, unless what they wait for is there; what failed before keeps its time."""
    connection.execute(
        "INSERT INTO summaries_waiting SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6"
        " FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM summaries s WHERE s.path = value ->> 0 AND s.name = value ->> 1"
        " AND s.source = value ->> 3) ON CONFLICT(path, name) DO UPDATE SET revision = excluded.revision,"
        " source = excluded.source, due_ms = excluded.due_ms, tries = excluded.tries, asked = max(asked, excluded.asked)"
        " WHERE tries = 0 OR (revision, source) <> (excluded.revision, excluded.source)",
        (_json([(r.path, r.name, r.revision, r.source, r.due_ms, r.tries, int(r.asked)) for r in rows]),),
    )


def postpone(connection: apsw.Connection, rows: Sequence[Due]) -> None:
    """Sets when rows that are still the same are due again."""
    connection.executemany(
        "UPDATE summaries_waiting SET due_ms = ?, tries = ? WHERE path = ? AND name = ? AND revision = ? AND source = ?",
        [(row.due_ms, row.tries, row.path, row.name, row.revision, row.source) for row in rows],
    )


def settle(connection: apsw.Connection, done: Sequence[tuple[str, str, int, int]]) -> None:
    """Removes rows (path, name, revision, source), unless the slot waits for a later revision or another source."""
    connection.executemany(
        "DELETE FROM summaries_waiting WHERE path = ? AND name = ? AND revision <= ? AND source = ?", done
    )


def put(connection: apsw.Connection, made: Sequence[Kept]) -> None:
    """Keeps summaries, each in place of the one that was there."""
    connection.executemany(
        "INSERT INTO summaries VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path, name) DO UPDATE SET"
        " revision = excluded.revision, digest = excluded.digest, source = excluded.source, rank = excluded.rank,"
        " bytes = excluded.bytes, text = excluded.text",
        [(m.path, m.name, m.revision, m.digest, m.source, m.rank, len(m.text.encode()), m.text) for m in made],
    )


def rerank(connection: apsw.Connection, ranks: Sequence[tuple[str, str, float]]) -> None:
    """Sets the ranks of summaries that are there."""
    connection.executemany("UPDATE summaries SET rank = ?3 WHERE path = ?1 AND name = ?2 AND rank <> ?3", ranks)


def evict(connection: apsw.Connection, limit_bytes: int) -> None:
    """Removes summaries, lowest rank first, until the rest fit into ``limit_bytes``. Sums that say that more is there than is are counted
    anew."""
    while (excess := sums(connection)[1] - limit_bytes) > 0:
        gone = []
        for id_, size in _fetched(connection, "SELECT id, bytes FROM summaries ORDER BY rank, bytes LIMIT 100"):
            if excess > 0:
                gone.append(id_)
                excess -= size
        if not gone:
            connection.execute(
                "UPDATE summary_sums SET (count, bytes) = (SELECT count(*), total(bytes) FROM summaries)"
            )
            return
        connection.execute("DELETE FROM summaries WHERE id IN (SELECT value FROM json_each(?))", (_json(gone),))


def of(connection: apsw.Connection, path: str, names: Sequence[str]) -> list[Kept]:
    """What is kept of slots of a namespace."""
    rows = _fetched(
        connection,
        "SELECT s.path, s.name, s.revision, s.digest, s.source, s.rank, s.text FROM json_each(?) j CROSS JOIN summaries s"
        " ON s.path = ? AND s.name = j.value",
        (_json(names), path),
    )
    return [Kept(*row) for row in rows]


def due(connection: apsw.Connection, source: int, now_ms: int, limit: int) -> list[Due]:
    """Slots whose summary is due, longest first."""
    rows = _fetched(
        connection,
        "SELECT path, name, revision, source, due_ms, tries, asked FROM summaries_waiting WHERE source = ? AND due_ms <= ?"
        " ORDER BY due_ms, revision LIMIT ?",
        (source, now_ms, limit),
    )
    return [Due(*row) for row in rows]


def next_due_ms(connection: apsw.Connection, source: int) -> int | None:
    """When the next summary of a source is due; None when nothing waits for one."""
    rows = _fetched(connection, "SELECT min(due_ms) FROM summaries_waiting WHERE source = ?", (source,))
    value: int | None = rows[0][0]
    return value


def lowest_rank(connection: apsw.Connection) -> float | None:
    """The rank of the summary that would go first."""
    value: float | None = _fetched(connection, "SELECT min(rank) FROM summaries")[0][0]
    return value


def sums(connection: apsw.Connection) -> tuple[int, int]:
    """How many summaries there are, and their size in bytes."""
    count, size = _fetched(connection, "SELECT count, bytes FROM summary_sums")[0]
    return int(count), int(size)


def names(connection: apsw.Connection, path: str, after: str, limit: int) -> list[str]:
    """Names of a namespace that have a summary or wait for one, in order."""
    rows = _fetched(
        connection,
        "SELECT name FROM summaries WHERE path = ?1 AND name > ?2 UNION SELECT name FROM summaries_waiting"
        " WHERE path = ?1 AND name > ?2 ORDER BY name LIMIT ?3",
        (path, after, limit),
    )
    return [row[0] for row in rows]


def paths(connection: apsw.Connection) -> set[str]:
    """Namespaces that have a summary, or wait for one."""
    rows = _fetched(connection, "SELECT path FROM summaries UNION SELECT path FROM summaries_waiting")
    return {row[0] for row in rows}


def _fetched(connection: apsw.Connection, sql: str, given: Sequence[Any] = ()) -> list[Any]:
    return connection.execute(sql, given).fetchall()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
