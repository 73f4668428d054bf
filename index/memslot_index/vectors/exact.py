"""The exact index: all vectors side by side in one array, and every search looks at each of them."""

from __future__ import annotations

from threading import Lock

import numpy as np

from memslot_index.vectors.base import Ids, Scores, Vector, Vectors
from memslot_index.vectors.scores import best, checked, checked_query, compare

_SMALLEST = 16


class ExactIndex:
    """Right up to some ten thousand vectors: a search costs about 1 ms for 20,000 of 384 dimensions, on one core.

    In memory a vector takes ``4 * dimensions + 8`` bytes, up to twice that after the array has grown, and some 120 bytes for
    finding its row. Vectors stand without gaps: the last one moves to where one was removed.
    """

    kind = "exact"

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._lock = Lock()
        self._rows: dict[int, int] = {}
        self._vectors = np.zeros((_SMALLEST, dimensions), np.float32)
        self._ids = np.zeros(_SMALLEST, np.int64)
        self._changes = 0

    def __len__(self) -> int:
        return len(self._rows)

    def ids(self) -> Ids:
        """Return all ids, in no order."""
        with self._lock:
            return self._ids[: len(self._rows)].copy()

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids."""
        ids, vectors = checked(ids, vectors, self.dimensions)
        with self._lock:
            self._changes += 1
            rows = [self._rows.setdefault(slot, len(self._rows)) for slot in ids.tolist()]
            self._resize()
            self._vectors[rows] = vectors
            self._ids[rows] = ids

    def remove(self, ids: Ids) -> None:
        """Drop these ids; those that are not there are ignored."""
        with self._lock:
            self._changes += 1
            for slot in ids.tolist():
                if slot in self._rows:
                    self._remove(slot)
            self._resize()

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> tuple[Ids, Scores]:
        """Return the nearest ids and their similarities, best first."""
        if within is not None:
            within = np.unique(within)
            return best(within, self.similarities(vector, within), limit)
        return best(*self._compare_all(checked_query(vector, self.dimensions)), limit)

    def similarities(self, vector: Vector, ids: Ids) -> Scores:
        """Return the similarity of each of these ids, NaN for one that is not there."""
        vector = checked_query(vector, self.dimensions)
        scores = np.full(len(ids), np.nan, np.float32)
        with self._lock:
            rows = np.array([self._rows.get(slot, -1) for slot in ids.tolist()], np.int64)
            there = rows >= 0
            vectors = self._vectors[rows[there]]
        scores[there] = compare(vectors, vector)
        return scores

    def wipe(self) -> bool:
        """Return True: rows are overwritten when they are removed."""
        return True

    def drop(self) -> None:
        """Remove everything."""
        self.close()

    def close(self) -> None:
        """Free the array."""
        with self._lock:
            self._changes += 1
            self._rows.clear()
            self._resize()

    def _compare_all(self, vector: Vector) -> tuple[Ids, Scores]:
        """Compare without the lock, so that searches run side by side, and once more with it if something changed meanwhile."""
        with self._lock:
            changes, vectors = self._changes, self._vectors[: len(self._rows)]
        scores = compare(vectors, vector)
        with self._lock:
            if changes != self._changes:
                scores = compare(self._vectors[: len(self._rows)], vector)
            return self._ids[: len(scores)].copy(), scores

    def _remove(self, slot: int) -> None:
        row, last = self._rows.pop(slot), len(self._rows)
        if row != last:
            self._vectors[row] = self._vectors[last]
            self._ids[row] = self._ids[last]
            self._rows[int(self._ids[row])] = row
        self._vectors[last] = 0

    def _resize(self) -> None:
        """Double the array when it is full, halve it when three quarters are empty."""
        rows = size = len(self._vectors)
        while size < len(self._rows):
            size *= 2
        while size > _SMALLEST and len(self._rows) <= size // 4:
            size //= 2
        if size != rows:
            kept = min(size, rows)
            vectors, ids = np.zeros((size, self.dimensions), np.float32), np.zeros(size, np.int64)
            vectors[:kept], ids[:kept] = self._vectors[:kept], self._ids[:kept]
            self._vectors, self._ids = vectors, ids
