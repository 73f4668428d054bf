"""Which documents wait for a vector, and which vectors that were made still fit.

The vector of a turn of a conversation is made of the turn before it too: "Yes, a greyhound" means little alone. So it goes when that turn
changes or goes, and is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import apsw

from memslot_index.changes import Before, Made, Waiting
from memslot_index.database import documents, vector_rows
from memslot_index.database.documents import Row
from memslot_index.database.spaces import Space


def waiting(connection: apsw.Connection, space: Space, limit: int) -> list[Waiting]:
    """Documents of a space that wait for a vector, longest first."""
    rows = documents.waiting(connection, space.id, limit)
    return [Waiting(row.id, space.path, row.name, row.revision, row.digest, _before(connection, row)) for row in rows]


def accept(connection: apsw.Connection, made: Sequence[Made], seq: int) -> int:
    """Keeps vectors whose documents, and the turns before them, are still what they were made of; returns how many."""
    rows = documents.with_ids(connection, [one.id for one in made])
    good = [one for one in made if one.id in rows and _fits(connection, one, rows[one.id])]
    vector_rows.put(connection, [(one.id, one.vector) for one in good], seq)
    documents.put(
        connection,
        [
            replace(rows[one.id], waiting=False, truncated=one.truncated, context=one.before.id if one.before else 0)
            for one in good
        ],
    )
    return len(good)


def unsettle(connection: apsw.Connection, changed: Iterable[int]) -> list[int]:
    """Makes those wait again whose vectors were also made of documents that changed or went; returns the ids of these vectors."""
    rows = documents.with_context(connection, changed)
    documents.put(connection, [replace(row, waiting=True, context=0) for row in rows])
    return [row.id for row in rows]


def _fits(connection: apsw.Connection, one: Made, row: Row) -> bool:
    return row.digest == one.digest and row.waiting and (one.before is None or _before(connection, row) == one.before)


def _before(connection: apsw.Connection, row: Row) -> Before | None:
    """The turn before a turn; None for what is no turn of a conversation, or the first."""
    if not row.speaker:
        return None
    before, _ = documents.beside(connection, row, 1)
    return Before(before[0].id, before[0].name, before[0].revision) if before and before[0].speaker else None
