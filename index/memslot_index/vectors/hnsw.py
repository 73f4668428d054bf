"""The approximate index: a graph in memory, for any number of vectors, saved to a file now and then."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np

from memslot_index.vectors import saved
from memslot_index.vectors.base import Ids, Scores, Vector, Vectors
from memslot_index.vectors.calibration import RANK, Nearest, expansion_for, questions
from memslot_index.vectors.graph import EXPANSION, Graph
from memslot_index.vectors.scores import best, checked, checked_query, compare
from memslot_index.vectors.turns import Turns

_log = logging.getLogger(__name__)

_SLICE = 32
_LOOKUP = 1_024
_WORN = 0.3
Ending: TypeAlias = Callable[[], bool]
"""Whether what takes long is to end."""


class HnswIndex:
    """A search visits a few hundred vectors instead of all, and finds nearly all of the true nearest ones.

    In memory a vector takes ``2 * dimensions`` bytes and some 300 for its links and lookup; there is no Python object for it.
    Similarities are right to about 0.001: vectors are kept in half precision, and so is the question.

    ``threads`` is how many threads a put may use. A long put lets others in after every few vectors. The vector of a removed id
    stays in memory and in the saved file until another takes its place or `compact` has run.
    """

    kind = "hnsw"

    def __init__(self, dimensions: int, threads: int = 1) -> None:
        self.dimensions = dimensions
        self.threads = threads
        self.expansion = EXPANSION
        self._calibrated_at = 0
        self._graph = Graph(dimensions, threads)
        self._turns = Turns()
        self._changed: list[Ids] | None = None
        self._compacting, self._saving = Lock(), Lock()

    def __len__(self) -> int:
        return len(self._graph)

    def ids(self) -> Ids:
        """Return all ids, in no order."""
        with self._turns:
            return self._graph.ids()

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids."""
        ids, vectors = checked(ids, vectors, self.dimensions)
        size = _SLICE * self.threads
        for start in range(0, len(ids), size):
            with self._turns:
                self._graph.put(ids[start : start + size], vectors[start : start + size])
                self._note(ids[start : start + size])

    def remove(self, ids: Ids) -> None:
        """Drop these ids; those that are not there are ignored."""
        for start in range(0, len(ids), _LOOKUP):
            with self._turns:
                self._graph.remove(ids[start : start + _LOOKUP])
                self._note(ids[start : start + _LOOKUP])

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> tuple[Ids, Scores]:
        """Return the nearest ids and their similarities, best first; without ``within`` nearly always the true nearest."""
        vector = checked_query(vector, self.dimensions)
        if within is not None:
            within = np.unique(within)
            return best(within, self.similarities(vector, within), limit)
        with self._turns:
            # The last of the candidates that a walk keeps are the least certain.
            return self._graph.search(vector, limit, max(self.expansion, limit + limit // 4))

    def similarities(self, vector: Vector, ids: Ids) -> Scores:
        """Return the similarity of each of these ids, NaN for one that is not there."""
        vector = checked_query(vector, self.dimensions)
        scores = np.full(len(ids), np.nan, np.float32)
        for start in range(0, len(ids), _LOOKUP):
            with self._turns:
                there, vectors = self._graph.vectors(ids[start : start + _LOOKUP])
            scores[start : start + _LOOKUP][there] = compare(vectors, vector)
        return scores

    def wipe(self) -> bool:
        """Build the graph anew if it still holds removed vectors. A saved file stays as it is until the next `save`."""
        if self.removed:
            self.compact()
        return True

    def drop(self) -> None:
        """Remove everything. A saved file belongs to whoever gave its path."""
        self.close()

    def close(self) -> None:
        """Free the graph."""
        with self._turns:
            self._graph = Graph(self.dimensions, self.threads)

    @property
    def needs_calibration(self) -> bool:
        """Whether it has twice as many vectors as when it was last calibrated."""
        return len(self) >= max(1, 2 * self._calibrated_at)

    def calibrate(
        self, sample: int = 256, target: float = 0.98, most: int = 1_024, ending: Ending | None = None
    ) -> float:
        """Set `expansion` to the least, in steps of a quarter, with which recall@10 reaches the target; return the recall that is reached.

        Asked are vectors of its own, moved by half their length in a random direction. A walk finds most of the nearest or, where it
        misses their part of the graph, none: of fewer questions than ``sample`` the recall would be known to two percent only. Searches
        and changes go on meanwhile. When ``ending`` becomes true, everything stays as it is, and 0 is returned.
        """
        count, ids = len(self), self.ids()
        chosen = np.random.default_rng(count).choice(ids, min(sample, len(ids)), replace=False)
        with self._turns:
            there, vectors = self._graph.vectors(chosen)
        asked = questions(chosen[there], vectors)
        try:
            self.expansion, recall = expansion_for(self._while_going(ending), asked, EXPANSION, target, most)
        except _Ended:
            return 0.0
        self._calibrated_at = count
        return recall

    @property
    def removed(self) -> int:
        """How many removed vectors are still in memory."""
        return self._graph.removed

    @property
    def needs_compaction(self) -> bool:
        """Whether more than 30 % of the graph are removed vectors."""
        return self._graph.removed > _WORN * self._graph.nodes

    def compact(self, ending: Ending | None = None) -> None:
        """Build the graph anew without what was removed. Searches and changes go on meanwhile, in the old one.

        When ``ending`` becomes true, the old one stays.
        """
        with self._compacting:
            fresh = Graph(self.dimensions, self.threads)
            with self._turns:
                left, self._changed = self._graph.ids(), []
            try:
                while len(left) > _SLICE:
                    if not self._copy(left, fresh, ending):
                        return
                    with self._turns:
                        left, self._changed = _together(self._changed), []
                with self._turns:
                    left = np.union1d(left, _together(self._changed))
                    fresh.mirror(left, *self._graph.vectors(left))
                    self._graph = fresh
            finally:
                self._changed = None

    def save(self, path: Path, seq: int) -> None:
        """Write it to a file that replaces the one there at once and durably. Raises OSError.

        ``seq`` is the last change of the table of vectors that was put before this call.
        """
        written = path.with_name(path.name + ".writing")
        with self._saving:
            try:
                with self._turns:
                    trailer = saved.trailer_of(self._graph, seq, self.expansion, self._calibrated_at)
                    # A vector tells of its text: as the store, it is for its user alone.
                    os.close(os.open(written, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
                    self._graph.save(written)
                saved.finish(written, path, trailer)
            except (RuntimeError, FileNotFoundError) as error:
                raise OSError(f"cannot save a graph to {path}: {error}") from error
            finally:
                written.unlink(missing_ok=True)

    def load(self, path: Path) -> int | None:
        """Take over the graph in a file that `save` has written; return its ``seq``, or None if it cannot be trusted."""
        try:
            graph, trailer = saved.read(path, self.dimensions, self.threads)
        except FileNotFoundError:
            return None
        except saved.GraphRefused as refusal:
            _log.warning("a vector index is built anew: %s", refusal)
            return None
        with self._turns:
            self._graph = graph
            self.expansion, self._calibrated_at = trailer.expansion, trailer.calibrated_at
        return trailer.seq

    def _nearest(self, vector: Vector, candidates: int) -> Ids:
        with self._turns:
            return self._graph.search(vector, RANK + 1, candidates)[0]

    def _note(self, ids: Ids) -> None:
        """Remember for a compaction that is running what it has to look at again."""
        if self._changed is not None:
            self._changed.append(ids)

    def _copy(self, ids: Ids, fresh: Graph, ending: Ending | None) -> bool:
        """Whether all were copied."""
        for start in range(0, len(ids), _SLICE):
            if ending is not None and ending():
                return False
            some = ids[start : start + _SLICE]
            with self._turns:
                there, vectors = self._graph.vectors(some)
            fresh.mirror(some, there, vectors)
        return True

    def _while_going(self, ending: Ending | None) -> Nearest:
        """Searches for a calibration. They raise _Ended once it is to end."""

        def nearest(vector: Vector, candidates: int) -> Ids:
            if ending is not None and ending():
                raise _Ended
            return self._nearest(vector, candidates)

        return nearest


class _Ended(Exception):
    """A calibration is to end before it is done."""


def _together(changed: list[Ids]) -> Ids:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *changed]))
