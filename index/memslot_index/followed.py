"""One space's vectors in whatever compares them, kept in step with the rows of the index's file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memslot_index.database import vector_rows
from memslot_index.database.connections import Connections
from memslot_index.database.spaces import Space
from memslot_index.vectors.base import Durable, VectorIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)


class Followed:
    """An index that follows the rows of ``space``. ``wanted`` is the kind that was asked for, perhaps ``auto``.

    It is searched and changed at the same time; only following is one at a time.
    """

    def __init__(self, index: VectorIndex, wanted: str, space: Space, connections: Connections) -> None:
        self.index = index
        self.wanted = wanted
        self.ready = False
        self._space = space
        self._connections = connections
        self._seq = -1
        self._erased = False
        self._gone: list[int] = []
        self._noting = threading.Lock()
        self._following = threading.Lock()

    def gone(self, ids: Sequence[int]) -> None:
        """Notes ids whose rows are no longer there."""
        with self._noting:
            self._gone.extend(ids)

    def follow(self) -> None:
        """Takes over what changed: removes what is gone, puts what is new. Raises BackendUnavailable, apsw.Error."""
        with self._following:
            self._remove_gone()
            with self._connections.reading() as connection:
                last = vector_rows.last_seq(connection)
                for ids, vectors in vector_rows.portions(connection, self._space.low, self._space.high, self._seq):
                    self.index.put(ids, vectors)
            # What went while the rows were read is removed again.
            self._remove_gone()
            self._seq, self.ready = max(last, self._seq), True

    def restore(self, path: Path) -> None:
        """Starts from what was saved in ``path``, or what a backend keeps by itself, as far as the rows confirm it."""
        if not isinstance(self.index, Durable):
            return
        with self._following:
            seq = self.index.load(path)
        if seq is not None:
            self.confirm()
            self._seq = seq

    def confirm(self) -> None:
        """Makes an index have just the ids of the rows."""
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        space = self._space
        with self._following, self._connections.reading() as connection:
            there = vector_rows.ids(connection, space.low, space.high)
            held = self.index.ids()
            self.index.remove(np.setdiff1d(held, there))
            missing = np.setdiff1d(there, held)
            for start in range(0, len(missing), vector_rows.PORTION):
                some = missing[start : start + vector_rows.PORTION]
                self.index.put(*vector_rows.arrays(connection, some.tolist()))

    def improve(self) -> None:
        """Tunes a graph that has doubled, and clears one that is worn."""
        if self.index.kind != "hnsw":
            return
        from memslot_index.vectors.hnsw import HnswIndex  # noqa: PLC0415 - only when it is chosen

        assert isinstance(self.index, HnswIndex)
        if self.index.needs_calibration:
            self.index.calibrate()
        if self.index.needs_compaction:
            self.index.compact()

    def wipe(self) -> bool:
        """Notes that what is gone must be in no file; whether the index could overwrite it in its own."""
        self._erased = True
        return self.index.kind in ("exact", "hnsw") or self.index.wipe()

    def save(self, path: Path) -> None:
        """Saves what can be loaded faster than made, without what was erased."""
        if not self.ready or not isinstance(self.index, Durable) or (self._erased and not self.index.wipe()):
            return
        try:
            self.index.save(path, self._seq)
        except OSError as error:
            _log.warning("a vector index was not saved, and is made anew at the next start: %s", error)

    def scan(self, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None) -> list[int]:
        """The nearest, by going through all rows: slow, and right while the index is not ready."""
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        from memslot_index.vectors.scores import best, compare  # noqa: PLC0415

        ids, scores = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        with self._connections.reading() as connection:
            for some, vectors in vector_rows.portions(connection, self._space.low, self._space.high):
                keep = slice(None) if within is None else np.isin(some, within)
                ids = np.concatenate([ids, some[keep]])
                scores = np.concatenate([scores, compare(vectors[keep], vector)])
                ids, scores = best(ids, scores, limit)
        return [int(id_) for id_ in ids]

    def _remove_gone(self) -> None:
        with self._noting:
            gone = list(self._gone)
        if not gone:
            return
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        self.index.remove(np.unique(np.array(gone, dtype=np.int64)))
        with self._noting:
            del self._gone[: len(gone)]
