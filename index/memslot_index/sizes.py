"""The size of a space's vectors: that of its model or, where writers send them, of those that were sent last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw

from memslot_index.changes import Change, Entry, Made
from memslot_index.database import vector_rows
from memslot_index.database.spaces import Space, Spaces
from memslot_index.discarding import Changing, discard


class SizeChanged(ValueError):
    """The vectors of a namespace have another size than those that were there when the search began. A repeated search may help."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the vectors of namespace '{path}' are being replaced by those of another size")


def make_way(changing: Changing, spaces: Spaces, path: str, changes: Sequence[Change]) -> None:
    """Removes vectors of another size than those that writers send now, before these are put.

    All that a store holds at one time, and so all of ``changes``, have one size. If the space has another, the vectors that it has are
    of slots that are gone, or going.
    """
    sizes = {_size(change.vector) for change in changes if isinstance(change, Entry) and change.vector is not None}
    space = spaces.get(path)
    if space is not None and sizes and space.dimensions and not space.model and sizes != {space.dimensions}:
        # A digest of a vector that was sent begins so (see putting.py).
        discard(changing, space, "w%")


def fitting(spaces: Spaces, path: str, entries: Sequence[Entry]) -> list[Entry]:
    """Entries of a space, without those vectors that its model's cannot be compared with; :func:`make_way` comes before."""
    sizes = {_size(entry.vector) for entry in entries if entry.vector is not None}
    space = spaces.get(path)
    if space is None or not sizes or sizes == {space.dimensions}:
        return list(entries)
    if space.model:
        return [_without_misfit(entry, space.dimensions) for entry in entries]
    size = max(sizes)
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
