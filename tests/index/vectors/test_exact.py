"""The exact index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.index.vectors.contract import VectorIndexContract
from tests.index.vectors.points import slots, unit

from memslot_index.vectors import exact
from memslot_index.vectors.base import Scores, Vector, Vectors
from memslot_index.vectors.exact import ExactIndex
from memslot_index.vectors.scores import compare


class TestExact(VectorIndexContract):
    """The contract, exactly."""

    def open(self, folder: Path, dimensions: int) -> ExactIndex:
        """Return an empty index."""
        return ExactIndex(dimensions)


def test_memory_follows_the_number_of_vectors() -> None:
    """The array is at most twice as large as what it holds, and gives back what is not needed."""
    index = ExactIndex(16)
    index.put(slots(*range(5000)), unit(5000))
    assert index._vectors.nbytes <= 2 * 5000 * 16 * 4
    index.remove(slots(*range(20, 5000)))
    assert index._vectors.nbytes <= 4 * 20 * 16 * 4
    assert sorted(index.search(unit(1)[0], 50)[0].tolist()) == slots(*range(20)).tolist()


def test_a_removed_vector_leaves_nothing_in_memory() -> None:
    """The row of a removed vector is overwritten."""
    index = ExactIndex(16)
    index.put(slots(1, 2, 3), unit(3))
    index.remove(slots(1, 3))
    assert np.count_nonzero(index._vectors.any(axis=1)) == 1


def test_a_search_that_is_overtaken_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that runs beside changes answers as if it came before or after them, and never gives one id another's similarity."""
    index = ExactIndex(16)
    vectors = unit(40)
    index.put(slots(*range(20)), vectors[:20])

    def overtaken(rows: Vectors, vector: Vector) -> Scores:
        monkeypatch.undo()
        index.remove(slots(*range(10)))
        index.put(slots(*range(20, 40)), vectors[20:])
        return compare(rows, vector)

    monkeypatch.setattr(exact, "compare", overtaken)
    ids, scores = index.search(vectors[3], 100)
    assert sorted(ids.tolist()) == slots(*range(10, 40)).tolist()
    assert scores == pytest.approx(vectors[ids - slots(0)] @ vectors[3], abs=1e-5)


def test_a_search_that_meets_a_closing_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that is closed while it is searched, as one in whose place another kind comes, answers that it is empty."""
    index = ExactIndex(16)
    index.put(slots(*range(100)), unit(100))

    def overtaken(rows: Vectors, vector: Vector) -> Scores:
        monkeypatch.undo()
        index.close()
        return compare(rows, vector)

    monkeypatch.setattr(exact, "compare", overtaken)
    ids, scores = index.search(unit(1)[0], 10)
    assert len(ids) == len(scores) == 0
