"""A usearch graph, one call a method: what `hnsw` guards with its lock."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from usearch.index import Index

from memslot_index.vectors.base import Ids, Scores, Vector, Vectors

EXPANSION = 96
"""Real questions are further from what is there than calibration supposes: with 64 candidates 0.94 to 0.99 of the ten nearest were found among
4,000 to 28,000 texts embedded by e5, with 96 it is 0.96 to 0.99."""
_CONNECTIVITY = 16
_EXPANSION_ADD = 256
"""Twice what is usual. To put takes a quarter to a half longer, and among a million a walk finds as much with two thirds of the candidates."""
_EXHAUSTIVE = 2_048


class Graph:
    """Unit vectors in half precision, linked to their neighbours (HNSW). Not for two threads at once.

    What is removed stays as a node without a key, through which searches walk, until a new vector takes its place.
    (Malkov, Yashunin: Efficient and Robust Approximate Nearest Neighbor Search Using Hierarchical Navigable Small World Graphs, 2016.)
    """

    def __init__(self, dimensions: int, threads: int) -> None:
        self.dimensions = dimensions
        self.threads = threads
        self.removed = 0
        # Inner product: lengths are 1, and need not be computed at each step.
        self._index = Index(
            ndim=dimensions,
            metric="ip",
            dtype="f16",
            connectivity=_CONNECTIVITY,
            expansion_add=_EXPANSION_ADD,
            expansion_search=EXPANSION,
        )

    def __len__(self) -> int:
        return len(self._index)

    @property
    def nodes(self) -> int:
        """How many nodes there are, with those of removed vectors."""
        return len(self._index) + self.removed

    @property
    def bytes(self) -> int:
        """The length of the graph in a file."""
        return int(self._index.serialized_length)

    def ids(self) -> Ids:
        """Return all ids."""
        return np.asarray(self._index.keys[:]).astype(np.int64)

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids. They take the places of removed ones first."""
        self.remove(ids)
        self._index.add(ids.astype(np.uint64), vectors, threads=self.threads)
        self.removed = max(0, self.removed - len(ids))

    def remove(self, ids: Ids) -> None:
        """Drop these ids."""
        self.removed += int(self._index.remove(ids.astype(np.uint64)))

    def search(self, vector: Vector, limit: int, expansion: int) -> tuple[Ids, Scores]:
        """Return up to ``limit`` ids and similarities, best first, by a walk that keeps ``expansion`` candidates.

        With an expansion of 0 each vector is compared. So are they in a small graph, where that is no slower, and when a walk does
        not find as many as there are.
        """
        limit = min(limit, len(self))
        if limit <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        if expansion and self.nodes > _EXHAUSTIVE:
            self._index.expansion_search = expansion  # type: ignore[misc]  # its stub takes the setter for another's
            ids, scores = self._search(vector, limit, exact=False)
            if len(ids) == limit:
                return ids, scores
        return self._search(vector, limit, exact=True)

    def vectors(self, ids: Ids) -> tuple[NDArray[np.bool_], Vectors]:
        """Return which of these ids are there, and the vectors of those."""
        rows = self._index.get(ids.astype(np.uint64))
        assert isinstance(rows, tuple)
        there = np.array([row is not None for row in rows], np.bool_)
        if not there.any():
            return there, np.zeros((0, self.dimensions), np.float32)
        return there, np.stack([row for row in rows if row is not None]).astype(np.float32)

    def mirror(self, ids: Ids, there: NDArray[np.bool_], vectors: Vectors) -> None:
        """Hold of these ids what another graph's `vectors` returned for them."""
        self.put(ids[there], vectors)
        self.remove(ids[~there])

    def save(self, path: Path) -> None:
        """Write the graph to a file. The interpreter stands still meanwhile, about 1 s a million vectors."""
        self._index.save(path)

    def load(self, path: Path) -> None:
        """Read a graph that `save` has written."""
        self._index.load(path)
        self.removed = self._index.stats.nodes - len(self._index)

    def _search(self, vector: Vector, limit: int, *, exact: bool) -> tuple[Ids, Scores]:
        found = self._index.search(vector, limit, threads=1, exact=exact)
        return found.keys.astype(np.int64), 1 - found.distances
