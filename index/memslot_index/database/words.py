"""Which full-text table holds the words of which root: one that is its own, as far as there are not too many roots.

BM25 counts words over a table. So what one root's searches rank and score does not depend on what others write; only the roots beyond
the first OWN_LIMIT share a table, and count each other's words. A table that nobody uses any more is emptied and waits for the next
root: made anew, each would let every connection read the whole schema again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import apsw

from memslot_index.database.rows import fetch
from memslot_index.fulltext.table import FullText

OWN_LIMIT = 1000
"""Roots that have tables of their own. To read the schema takes SQLite time with the square of their number: with 1,000 of them 30 ms
once for each new one, with 10,000 more than six seconds."""
SHARED = 0
"""The table of those beyond."""


def root_of(path: str) -> str:
    """The first part of a namespace's path: whose it is."""
    return path.partition("/")[0]


def fulltext(connection: apsw.Connection, number: int, shift: int = 0) -> FullText:
    """A table by its number, for the documents whose ids are ``shift`` above those of its rows."""
    return FullText(connection, f"words_{number}", shift)


class Words:
    """The tables, and which of them are used; ``spaces`` are path and table of each space. Changes are made in the caller's transaction.

    After one that was undone there must be another of these.
    """

    def __init__(self, connection: apsw.Connection, spaces: Iterable[tuple[str, int]]) -> None:
        self._connection = connection
        # Of virtual tables SQLite keeps no page; the tables that hold their content have longer names.
        made = fetch(connection, "SELECT name FROM sqlite_schema WHERE rootpage = 0 AND name GLOB 'words_[0-9]*'")
        self.numbers = {int(name.removeprefix("words_")) for (name,) in made}
        self._by_root: dict[str, int] = {}
        self._spaces: Counter[str] = Counter()
        for path, number in spaces:
            self._count(root_of(path), number)

    def take(self, path: str) -> int:
        """The table for a space that is new."""
        root = root_of(path)
        number = self._by_root.get(root)
        if number is None:
            number = self._unused()
        if number not in self.numbers:
            fulltext(self._connection, number).create()
            self.numbers.add(number)
        self._count(root, number)
        return number

    def leave(self, path: str) -> None:
        """Takes note that a space is gone; with the last one of a table the table is emptied."""
        root = root_of(path)
        self._spaces[root] -= 1
        if self._spaces[root]:
            return
        del self._spaces[root]
        number = self._by_root.pop(root)
        if number not in self._by_root.values():
            fulltext(self._connection, number).clear()

    def _count(self, root: str, number: int) -> None:
        self._by_root[root] = number
        self._spaces[root] += 1

    def _unused(self) -> int:
        used = set(self._by_root.values())
        return next((number for number in range(1, OWN_LIMIT + 1) if number not in used), SHARED)
