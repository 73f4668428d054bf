"""The graph: approximate, but never short, never double, never dead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.vectors.contract import VectorIndexContract
from tests.index.vectors.points import clustered, slots, unit
from usearch.index import Matches

from memslot_index.vectors.base import VectorIndex
from memslot_index.vectors.exact import ExactIndex
from memslot_index.vectors.hnsw import HnswIndex

HALF = 2e-3
"""What half precision costs a similarity."""


class TestHnsw(VectorIndexContract):
    """The contract, in half precision."""

    tolerance = HALF

    def open(self, folder: Path, dimensions: int) -> HnswIndex:
        """Return an empty index."""
        return HnswIndex(dimensions)


class TestLargeHnsw(VectorIndexContract):
    """The contract while there are so many removed nodes that searches walk the graph."""

    tolerance = HALF

    def open(self, folder: Path, dimensions: int) -> HnswIndex:
        """Return an empty index that has seen other days."""
        index = HnswIndex(dimensions)
        index.put(slots(*range(5000, 10_000)), unit(5000, dimensions, seed=5))
        index.remove(index.ids())
        return index


def _recall(index: VectorIndex, truth: VectorIndex, questions: np.ndarray) -> float:
    found = [len(set(index.search(q, 10)[0].tolist()) & set(truth.search(q, 10)[0].tolist())) for q in questions]
    return sum(found) / (10 * len(questions))


def _grown(count: int, dimensions: int) -> tuple[HnswIndex, ExactIndex]:
    """Return a graph and an exact index of the same vectors."""
    index, truth = HnswIndex(dimensions, threads=2), ExactIndex(dimensions)
    vectors = clustered(count, dimensions)
    for one in (index, truth):
        one.put(slots(*range(count)), vectors)
    return index, truth


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[HnswIndex, ExactIndex]]:
    """20,000 vectors, which no test changes."""
    index, truth = _grown(20_000, 128)
    yield index, truth
    index.close()
    truth.close()


def test_it_finds_the_true_nearest(pair: tuple[HnswIndex, ExactIndex]) -> None:
    """Of the ten nearest among 20,000 clustered vectors at least 97 % are found."""
    index, truth = pair
    assert _recall(index, truth, clustered(200, 128, seed=1)) >= 0.97


def test_a_long_result_is_as_good_as_a_short_one(pair: tuple[HnswIndex, ExactIndex]) -> None:
    """Of the 200 nearest too nearly all are found: the more are asked for, the more candidates a walk keeps."""
    index, truth = pair
    questions = clustered(30, 128, seed=2)
    found = sum(len(np.intersect1d(index.search(q, 200)[0], truth.search(q, 200)[0])) for q in questions)
    assert found / (30 * 200) >= 0.995


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_any_course_of_changes_leaves_a_good_graph(seed: int) -> None:
    """After any puts, replacements and removals searches are full, without double or dead ids, and nearly exact."""
    rng = np.random.default_rng(seed)
    index, truth = HnswIndex(16), ExactIndex(16)
    for _ in range(12):
        ids = rng.choice(np.arange(1, 4001), rng.integers(1, 1500), replace=False)
        if rng.random() < 0.3:
            index.remove(ids)
            truth.remove(ids)
        else:
            vectors = clustered(len(ids), 16, seed=int(rng.integers(2**32)))
            index.put(ids, vectors)
            truth.put(ids, vectors)
    _assert_alike(index, truth)


def test_vectors_that_are_replaced_again_and_again_are_found() -> None:
    """A graph all of whose vectors were replaced many times is as good as a new one, and no larger."""
    index, truth = _grown(3000, 32)
    rng = np.random.default_rng(3)
    for turn in range(100):
        ids, vectors = slots(*rng.choice(3000, 300, replace=False)), clustered(300, 32, seed=turn)
        index.put(ids, vectors)
        truth.put(ids, vectors)
    assert (len(index), index.removed) == (3000, 0)
    _assert_alike(index, truth)


def test_a_search_is_filled_where_nearly_all_was_removed() -> None:
    """Where a walk meets only removed nodes, what is left is found all the same."""
    index, truth = _grown(4000, 16)
    gone = truth.ids()[:3990]
    index.remove(gone)
    truth.remove(gone)
    _assert_alike(index, truth)


def test_a_walk_that_finds_too_few_is_made_up_for(
    pair: tuple[HnswIndex, ExactIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the walk does not find as many as there are, all vectors are compared."""
    index, truth = pair
    graph = index._graph._index
    whole = graph.search

    def short(*asked: object, exact: bool, threads: int) -> object:
        found = whole(*asked, exact=exact, threads=threads)
        return found if exact else Matches(found.keys[1::2], found.distances[1::2])

    monkeypatch.setattr(graph, "search", short)
    question = clustered(1, 128, seed=4)[0]
    for limit in (1, 30):
        ids, _ = index.search(question, limit)
        assert len(np.unique(ids)) == len(ids) == limit
        # Half precision may exchange the last with the next.
        assert len(np.setdiff1d(ids, truth.search(question, limit + 5)[0])) == 0


def test_a_long_put_lets_searches_in() -> None:
    """A search does not wait for the end of a put: it gets its turn between two portions."""
    index = HnswIndex(64)
    vectors = clustered(6000, 64)
    index.put(slots(*range(3000)), vectors[:3000])
    done, sizes = Event(), list[int]()

    def search() -> None:
        while not done.is_set():
            index.search(vectors[0], 10)
            sizes.append(len(index))

    searcher = Thread(target=search)
    searcher.start()
    index.put(slots(*range(3000, 6000)), vectors[3000:])
    done.set()
    searcher.join()
    assert len(set(sizes)) >= 10


def _assert_alike(index: HnswIndex, truth: ExactIndex) -> None:
    assert sorted(index.ids().tolist()) == sorted(truth.ids().tolist())
    questions = clustered(40, index.dimensions, seed=9)
    for question in questions[:5]:
        for limit in (10, 100, len(truth) + 5):
            ids, scores = index.search(question, limit)
            assert len(set(ids.tolist())) == len(ids) == min(limit, len(truth))
            assert scores == pytest.approx(truth.similarities(question, ids), abs=HALF)
    if len(truth) >= 10:
        assert _recall(index, truth, questions) >= 0.95
