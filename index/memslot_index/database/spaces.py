"""Spaces: the part of the index that one namespace has, a range of document ids."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import apsw

from memslot_index.database.rows import fetch
from memslot_index.database.words import Words

_LOCAL_BITS = 32


@dataclass(frozen=True, slots=True)
class Space:
    """What is indexed of a namespace. ``complete`` is False until all slots that it had before are in.

    ``vectors`` tells whether it has any; they are of ``dimensions`` numbers (0 until the first) and were made by ``model`` (empty when
    their writers made them). ``words`` is the number of the full-text table that it is in, at a ``place`` that no other
    has there.
    """

    id: int
    path: str
    next_local: int
    complete: bool
    vectors: bool
    model: str
    dimensions: int
    words: int
    place: int

    @property
    def shift(self) -> int:
        """What the ids of its documents are above those of their rows in the full-text table."""
        return (self.id - self.place) << _LOCAL_BITS

    @property
    def low(self) -> int:
        """The lowest id that a document of it may have."""
        return self.id << _LOCAL_BITS

    @property
    def high(self) -> int:
        """The highest id that a document of it may have."""
        return ((self.id + 1) << _LOCAL_BITS) - 1


_COLUMNS = "id, path, next_local, complete, vectors, model, dimensions, words, place"


class Spaces:
    """The spaces, remembered. Changes are made in the caller's transaction; :meth:`reload` after one that was undone."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.reload()

    def reload(self) -> None:
        """Reads them anew."""
        spaces = [_space(row) for row in fetch(self._connection, f"SELECT {_COLUMNS} FROM spaces")]  # noqa: S608
        taken = Counter[int]()
        for space in spaces:
            taken[space.words] += space.next_local - 1
        self._taken = taken
        self._places = {space.words: space.place + 1 for space in sorted(spaces, key=lambda space: space.place)}
        self.words = Words(self._connection, [(space.path, space.words) for space in spaces])
        self._by_path = {space.path: space for space in spaces}

    def __len__(self) -> int:
        return len(self._by_path)

    def get(self, path: str) -> Space | None:
        """The space of a namespace."""
        return self._by_path.get(path)

    @staticmethod
    def read(connection: apsw.Connection, path: str) -> Space | None:
        """The space of a namespace as one connection sees it."""
        rows = fetch(connection, f"SELECT {_COLUMNS} FROM spaces WHERE path = ?", (path,))  # noqa: S608
        return _space(rows[0]) if rows else None

    def taken(self, words: int) -> int:
        """How many ids were taken of those in one full-text table: about as many as it has documents."""
        return self._taken[words]

    def all(self) -> list[Space]:
        """All of them."""
        return list(self._by_path.values())

    def make(self, path: str, *, complete: bool) -> Space:
        """A space that is there now."""
        found = self._by_path.get(path)
        if found is not None:
            return found
        words = self.words.take(path)
        place = self._places.get(words, 0)
        self._places[words] = place + 1
        self._connection.execute(
            "INSERT INTO spaces VALUES (NULL, ?, 1, ?, 0, '', 0, ?, ?)", (path, complete, words, place)
        )
        space = Space(self._connection.last_insert_rowid(), path, 1, complete, False, "", 0, words, place)
        self._by_path[path] = space
        return space

    def put(self, space: Space) -> Space:
        """Changes one."""
        self._connection.execute(
            "UPDATE spaces SET next_local = ?, complete = ?, vectors = ?, model = ?, dimensions = ? WHERE id = ?",
            (space.next_local, space.complete, space.vectors, space.model, space.dimensions, space.id),
        )
        self._by_path[space.path] = space
        return space

    def take_ids(self, space: Space, count: int) -> list[int]:
        """Ids for new documents; none is ever used twice."""
        first = space.low + space.next_local
        self.put(replace(self._by_path[space.path], next_local=space.next_local + count))
        self._taken[space.words] += count
        return list(range(first, first + count))

    def remove(self, space: Space) -> None:
        """Removes one; its documents are the caller's. Of the last one in a full-text table no word is left."""
        self._connection.execute("DELETE FROM spaces WHERE id = ?", (space.id,))
        last = self._by_path.pop(space.path, None)
        if last is not None:
            self._taken[space.words] -= last.next_local - 1
            self.words.leave(space.path)


def _space(row: Any) -> Space:
    id_, path, next_local, complete, vectors, model, dimensions, words, place = row
    return Space(id_, path, next_local, bool(complete), bool(vectors), model, dimensions, words, place)
