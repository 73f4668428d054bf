"""The summaries that were made of slots, and the slots that wait for one: told what changed, it never keeps one of another text.

A summary belongs to one revision of its slot, is dropped when the slot's text is another or the slot is gone, and gives way to those of a
higher rank. Whoever asks compares its revision with that of the slot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import apsw

from memslot_index.changes import Change, Summarise
from memslot_index.database import summaries as rows
from memslot_index.database.connections import Connections
from memslot_index.database.summaries import Due, Kept

_PORTION = 500


class SummaryCache:
    """A part of one index. Methods that change it are called by the thread that changes the index, the others in any.

    ``paths`` are the namespaces that may have anything here. ``news`` is called, in the thread that writes, when slots have begun to
    wait.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.paths = rows.paths(connections.writer)
        self.news: Callable[[], None] = _nobody
        self._untold = False

    def told(self, connection: apsw.Connection, changes: Iterable[Change]) -> None:
        """Takes changes of slots, in the transaction that indexes them; :meth:`announce` when it is done."""
        gone: list[tuple[str, str]] = []
        present: list[tuple[str, str, Summarise]] = []
        for change in changes:
            if change.summarise is not None:
                present.append((change.space, change.name, change.summarise))
            elif change.space in self.paths:
                gone.append((change.space, change.name))
        if gone:
            rows.remove(connection, gone)
        if present:
            rows.carry(connection, [(path, name, s.revision, s.digest, s.rank) for path, name, s in present])
            rows.settle_present(connection, [(path, name) for path, name, _ in present])
            self._wait(connection, [Due(path, name, s.revision, s.source) for path, name, s in present])

    def announce(self) -> None:
        """Says that slots wait, after the transaction."""
        if self._untold:
            self._untold = False
            self.news()

    def finish(
        self, made: Sequence[Kept], settled: Sequence[tuple[str, str, int, int]], later: Sequence[Due], limit_bytes: int
    ) -> None:
        """Keeps summaries that were made of slots as they are, removes and postpones rows of those that wait; then those of the lowest
        rank go, until the rest fit into ``limit_bytes``."""
        with self._connections.writing() as connection:
            rows.put(connection, made)
            self.paths.update(one.path for one in made)
            done = [(one.path, one.name, one.revision, one.source) for one in made]
            rows.settle(connection, [*done, *settled])
            rows.postpone(connection, later)
            rows.evict(connection, limit_bytes)

    def asked(self, ranks: Sequence[tuple[str, str, float]], missing: Sequence[Due]) -> None:
        """Notes for which slots (path, name, rank) a summary was asked for, and that those of ``missing`` wait, unless they have one."""
        with self._connections.writing() as connection:
            rows.rerank(connection, ranks)
            self._wait(connection, missing)
        self.announce()

    def drop(self, path: str) -> None:
        """Removes all of a namespace, in portions."""
        more = path in self.paths
        while more:
            with self._connections.writing() as connection:
                more = rows.remove_some(connection, path, _PORTION)
        self.paths.discard(path)

    def of(self, path: str, names: Sequence[str]) -> dict[str, Kept]:
        """What is kept of slots of a namespace, by name."""
        with self._connections.reading() as connection:
            return {kept.name: kept for kept in rows.of(connection, path, names)}

    def due(self, source: int, now_ms: int, limit: int) -> tuple[list[Due], int | None]:
        """Slots whose summary of a source is due, longest first; when there is none, also when the next one will be."""
        with self._connections.reading() as connection:
            found = rows.due(connection, source, now_ms, limit)
            return found, None if found else rows.next_due_ms(connection, source)

    def least_rank(self, limit_bytes: int, room_bytes: int) -> float | None:
        """The rank that a summary must be above to be kept; None while there are ``room_bytes`` left."""
        if not limit_bytes:
            return math.inf
        with self._connections.reading() as connection:
            if rows.sums(connection)[1] + room_bytes <= limit_bytes:
                return None
            return rows.lowest_rank(connection)

    def names(self, path: str, after: str, limit: int) -> list[str]:
        """Names of a namespace that have a summary or wait for one, in order."""
        with self._connections.reading() as connection:
            return rows.names(connection, path, after, limit)

    def sums(self) -> tuple[int, int]:
        """How many summaries there are, and their size in bytes."""
        with self._connections.reading() as connection:
            return rows.sums(connection)

    def _wait(self, connection: apsw.Connection, waiting: Sequence[Due]) -> None:
        if waiting:
            rows.wait(connection, waiting)
            self.paths.update(row.path for row in waiting)
            self._untold = True


def _nobody() -> None:
    pass
