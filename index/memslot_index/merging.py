"""Parts of full-text tables made one, a little at a time: each part is looked through by every search, so that few are fast.

How far it is stands in the tables themselves: nothing has to be noted, and a crash loses no more than a portion.
"""

from __future__ import annotations

from collections.abc import Iterable

from memslot_index.database.connections import Connections
from memslot_index.database.stopping import Stop
from memslot_index.database.words import fulltext

_PAGES = 8
"""Of a portion: one to three milliseconds."""


class Merging:
    """The tables that may have parts to merge: at first all, then those into which something was written."""

    def __init__(self, connections: Connections, tables: Iterable[int]) -> None:
        self._connections = connections
        self._tables = dict.fromkeys(tables)

    @property
    def waiting(self) -> bool:
        """Whether there may be something to merge."""
        return bool(self._tables)

    def written(self, table: int) -> None:
        """Notes that words were written into a table, or removed from it."""
        self._tables[table] = None

    def portion(self, stop: Stop) -> None:
        """Merges a little. Raises apsw.InterruptError when it is stopped, which leaves all as it was."""
        table = next(iter(self._tables), None)
        if table is None:
            return
        with self._connections.writing_log() as connection:
            words = fulltext(connection, table)
            with stop.ends(connection):
                more = words.merge(_PAGES)
        if not more:
            del self._tables[table]

    def settle(self) -> None:
        """Brings what was merged from the log into the file, after some portions and the last one. May be called in any thread."""
        self._connections.settle()
