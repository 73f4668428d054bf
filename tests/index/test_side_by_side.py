"""Words and vectors of a large namespace are searched in two threads, and what is found is the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest

from memslot_index import index as indexing
from memslot_index import vector_spaces
from memslot_index.candidates import Candidates, Wanted
from memslot_index.changes import Entry
from memslot_index.database.stopping import Stop
from memslot_index.fulltext.query import parse
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

COUNT = 300
VECTORS = np.random.default_rng(1).standard_normal((COUNT, 8)).astype("<f4")
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """An index for which everything is large."""
    monkeypatch.setattr(indexing, "_LARGE", 0)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(
        Entry("a", f"n{at}", at + 1, at + 1, "", (), "", "apple " * (at % 7), vector=VECTORS[at].tobytes())
        for at in range(COUNT)
    )
    yield index
    index.close()


def searched(index: Index, stop: Stop | None = None, weight: float = 0.0, depth: int = 50) -> Candidates:
    """A search by a word and a vector."""
    return index.search("a", Wanted(parse("apple"), VECTORS[0], depth, "exact", weight), stop or Stop())


@pytest.mark.parametrize(("weight", "depth"), [(0.0, 1), (0.0, 50), (0.5, 50), (0.0, COUNT)])
def test_what_is_found_is_the_same(index: Index, weight: float, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Candidates, scores, and what led to them, are those of one thread."""
    beside = searched(index, weight=weight, depth=depth)
    monkeypatch.setattr(indexing, "_LARGE", COUNT + 1)
    assert searched(index, weight=weight, depth=depth) == beside
    assert len(beside.items) >= depth


def test_who_finds_no_other_thread_does_all_alone(index: Index) -> None:
    """What nobody has begun when it is asked for is done by the one that asks."""
    expected, let_go = searched(index), threading.Event()
    assert index._helpers is not None
    held = [index._helpers.submit(let_go.wait) for _ in range(2)]
    try:
        assert searched(index) == expected
    finally:
        let_go.set()
    assert all(done.result() for done in held)


def test_who_ends_a_search_ends_both(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of vectors row by row in the other thread is ended too."""
    stop = Stop()
    scanned_by: list[str] = []

    def ended(scan: Callable[..., object]) -> Callable[..., object]:
        def scanned(*values: object) -> object:
            stop.give()
            scanned_by.append(threading.current_thread().name)
            return scan(*values)

        return scanned

    monkeypatch.setattr(vector_spaces, "scan", ended(vector_spaces.scan))
    monkeypatch.setattr(vector_spaces.VectorSpaces, "_at_hand", lambda *_: None)
    monkeypatch.setattr(vector_spaces.VectorSpaces, "open", lambda *_: None)
    with pytest.raises(apsw.InterruptError):
        searched(index, stop)
    assert [name.startswith("memslot-beside") for name in scanned_by] == [True]


def test_a_closed_index_says_so(index: Index) -> None:
    """Who searches on while the index is closed is told what whoever comes later is told."""
    index.close(keep=False)
    with pytest.raises(apsw.ConnectionClosedError):
        searched(index)
