"""The size of a space's vectors: that of its model or, where writers send them, of those that were sent last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw

from memslot_index.changes import Entry, Made
from memslot_index.database import vector_rows
from memslot_index.database.spaces import Space, Spaces


def fitting(connection: apsw.Connection, spaces: Spaces, path: str, entries: Sequence[Entry]) -> list[Entry]:
    """Entries of a space, without those vectors that its model's cannot be compared with.

    All that a store holds at one time, and so all of ``entries``, have one size. If the space has another, the vectors that it has are
    of slots that are gone, or going.
    """
    sizes = {_size(entry.vector) for entry in entries if entry.vector is not None}
    space = spaces.get(path)
    if space is None or not sizes or sizes == {space.dimensions}:
        return list(entries)
    if space.model:
        return [_without_misfit(entry, space.dimensions) for entry in entries]
    size = max(sizes)
    if space.dimensions:
        connection.execute("DELETE FROM vectors WHERE id BETWEEN ? AND ?", (space.low, space.high))
        # A digest of a vector that was sent begins so (see Index).
        connection.execute("UPDATE documents SET digest = '' WHERE space = ? AND digest LIKE 'w%'", (space.id,))
    spaces.put(replace(space, dimensions=size, vectors=True))
    return [_without_misfit(entry, size) for entry in entries]


def of_size(space: Space | None, made: Sequence[Made]) -> list[Made]:
    """Those that can be compared with the space's other vectors."""
    return [one for one in made if space is not None and _size(one.vector) == space.dimensions]


def emptied(connection: apsw.Connection, spaces: Spaces, path: str) -> None:
    """Lets the next vector that is sent decide the size of a space that has none left."""
    space = spaces.get(path)
    if space is None or space.model or not space.dimensions:
        return
    if not vector_rows.any_between(connection, space.low, space.high):
        spaces.put(replace(space, dimensions=0, vectors=False))


def _without_misfit(entry: Entry, size: int) -> Entry:
    return entry if entry.vector is None or _size(entry.vector) == size else replace(entry, vector=None)


def _size(vector: bytes) -> int:
    return len(vector) // 4
