"""One space's vectors in whatever compares them, kept in step with the rows of the index's file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memslot_index.database import vector_rows
from memslot_index.database.connections import Connections
from memslot_index.database.spaces import Space
from memslot_index.nearest import Nearest
from memslot_index.vectors.base import BackendUnavailable, Durable, VectorIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CLEARED_MOST = 20_000
_PATIENCE_S = 1.0
"""How long an erasure waits for an index that is just following, before it does without."""

_log = logging.getLogger(__name__)


class Followed:
    """An index that follows the rows of ``space``. ``wanted`` is the kind that was asked for, perhaps ``auto``; ``count`` is how many
    vectors it had when it had followed last.

    It is searched and changed at the same time; only following is one at a time.
    """

    def __init__(
        self, index: VectorIndex, wanted: str, space: Space, connections: Connections, ending: threading.Event
    ) -> None:
        self.index = index
        self.wanted = wanted
        self.ready = False
        self.dropped = False
        self.count = 0
        self.space = space
        self._ending = ending
        self._connections = connections
        self._seq = -1
        self.erased = False
        self._gone: list[int] = []
        self._noting = threading.Lock()
        self._following = threading.Lock()

    def gone(self, ids: Sequence[int]) -> None:
        """Notes ids whose rows are no longer there."""
        with self._noting:
            self._gone.extend(ids)

    def search(self, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None) -> Nearest:
        """The nearest as far as the index has followed. Raises BackendUnavailable."""
        # Before the index is asked: what it takes over meanwhile is found twice, and nothing never.
        seq = self._seq
        return Nearest(*self.index.search(vector, limit, within), seq, partial(self._nothing_changed, seq))

    def follow(self) -> None:
        """Takes over what changed: removes what is gone, puts what is new. Raises BackendUnavailable, apsw.Error.

        Where the index is about to be closed it may end before that is done. Between two portions nothing is held that a writer, or
        whoever truncates the log, would wait for.
        """
        with self._following:
            # Before what is gone is looked at: an id that goes and comes back behind this point is put again by the next pass, whatever
            # the removal below does to it.
            with self._connections.reading() as connection:
                last = vector_rows.last_seq(connection)
            self._remove_gone()
            for seq, ids, vectors in self._portions():
                if self._ending.is_set():
                    return
                self.index.put(ids, vectors)
                # Of the last commit more may come.
                self._seq = min(last, seq - 1)
            # What went while the rows were read is removed again.
            self._remove_gone()
            self._seq, self.count, self.ready = last, len(self.index), True

    def _portions(self) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float32]]]:
        reading, low, high = self._connections.reading, self.space.low, self.space.high
        if self._seq >= 0:
            yield from vector_rows.changes(reading, low, high, self._seq)
        else:
            for ids, vectors in vector_rows.portions(reading, low, high):
                yield 0, ids, vectors

    def restore(self, path: Path, opened_seq: int) -> None:
        """Starts from what was saved in ``path``, or what a backend keeps by itself, as far as the rows confirm it.

        What goes further than ``opened_seq``, where the rows began in this process, is of rows that are lost: all are put again.
        """
        if not isinstance(self.index, Durable):
            return
        with self._following:
            seq = self.index.load(path)
        if seq is not None:
            self.confirm()
            with self._noting:
                self._seq = seq if seq <= opened_seq else -1

    def confirm(self) -> None:
        """Makes an index have just the ids of the rows."""
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        with self._following:
            with self._connections.reading() as connection:
                there = vector_rows.ids(connection, self.space.low, self.space.high)
            held = self.index.ids()
            self.index.remove(np.setdiff1d(held, there))
            missing = np.setdiff1d(there, held)
            for start in range(0, len(missing), vector_rows.PORTION):
                some = missing[start : start + vector_rows.PORTION]
                with self._connections.reading() as connection:
                    ids, vectors = vector_rows.arrays(connection, some.tolist())
                if len(ids):
                    self.index.put(ids, vectors)

    def improve(self) -> None:
        """Tunes a graph that has doubled, and clears one that is worn."""
        if self.index.kind != "hnsw" or self._ending.is_set():
            return
        from memslot_index.vectors.hnsw import HnswIndex  # noqa: PLC0415 - only when it is chosen

        assert isinstance(self.index, HnswIndex)
        if self.index.needs_calibration:
            self.index.calibrate(ending=self._ending.is_set)
        if self.index.needs_compaction:
            self.index.compact(self._ending.is_set)

    def wipe(self) -> bool:
        """Notes that what is gone must be in no file; whether the index could overwrite it in its own. Raises BackendUnavailable."""
        self.erased = True
        if self.index.kind in ("exact", "hnsw"):
            return True
        if not self._following.acquire(timeout=_PATIENCE_S):
            return False
        try:
            # Until it is removed, its file holds it as any other.
            self._remove_gone()
            return self.index.wipe()
        finally:
            self._following.release()

    def save(self, path: Path) -> None:
        """Saves what can be loaded faster than made, without what was erased."""
        if not self.ready or not isinstance(self.index, Durable):
            return
        try:
            # Where the end came first, nobody has followed the last removals.
            self._remove_gone()
            if not self.erased or self._cleared():
                self.index.save(path, self._seq)
        except (BackendUnavailable, OSError) as error:
            _log.warning("a vector index was not saved, and is made anew at the next start: %s", error)

    def _cleared(self) -> bool:
        """Whether the index holds nothing of what was erased. To clear a large graph takes longer than to make it anew at the next start,
        in the background."""
        if self.index.kind == "hnsw" and len(self.index) > _CLEARED_MOST:
            return getattr(self.index, "removed", 1) == 0
        return self.index.wipe()

    def _nothing_changed(self, since: int, seq: int) -> None:
        """Notes that no row of the space has changed from one to the other; not where the index begins anew meanwhile."""
        with self._noting:
            if self._seq == since:
                self._seq = max(since, seq)

    def _remove_gone(self) -> None:
        with self._noting:
            gone = list(self._gone)
        if not gone:
            return
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        self.index.remove(np.unique(np.array(gone, dtype=np.int64)))
        with self._noting:
            del self._gone[: len(gone)]
