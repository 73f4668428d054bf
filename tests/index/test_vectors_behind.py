"""What compares vectors is behind the rows, or away: searches stay complete, and say nothing that is not so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from memslot_index import vector_failures
from memslot_index.candidates import Candidates, Wanted
from memslot_index.changes import Entry, Removal
from memslot_index.database import vector_rows
from memslot_index.database.stopping import Stop
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

COUNT = 3_000
VECTORS = np.random.default_rng(1).standard_normal((COUNT, 8)).astype("<f4")
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


def entries(count: int) -> list[Entry]:
    """Slots with vectors that their writers sent."""
    return [
        Entry("a", f"n{at}", at + 1, at + 1, "", (), "", "text", vector=VECTORS[at].tobytes()) for at in range(count)
    ]


def searched(index: Index, depth: int, kind: str, *, centre: bool = False) -> Candidates:
    """A search by the first vector."""
    return index.search("a", Wanted(None, VECTORS[0], depth, kind, centre=centre), Stop())


def followed(index: Index) -> None:
    """Waits until the vector index has followed, or has failed to."""
    space = index.space("a")
    assert space is not None
    while job := index.vectors.job(space):
        job.result()


@pytest.fixture
def busy() -> Iterator[threading.Event]:
    """Keeps the thread that follows from its work, until it is set."""
    event = threading.Event()
    yield event
    event.set()


def test_what_is_gone_does_not_end_a_search(tmp_path: Path, busy: threading.Event) -> None:
    """A graph that still answers with slots that were forgotten has not been searched to its end."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(COUNT))
    searched(index, 10, "hnsw")
    followed(index)
    index.vectors._thread.submit(busy.wait)
    index.apply([Removal("a", "n0")])
    found = searched(index, 200, "hnsw")
    assert (len(found.items), found.exhausted) == (199, False)
    busy.set()
    index.close()


@pytest.mark.parametrize("centre", [False, True])
def test_without_its_server_a_search_goes_on(centre: bool) -> None:
    """Where Chroma does not answer, vectors are compared row by row, those of a question too; and it is told."""
    pytest.importorskip("chromadb")
    index = Index(None, VectorSettings(chroma_url="http://127.0.0.1:9"))
    index.apply(entries(20))
    for _ in range(2):
        assert len(searched(index, 10, "chroma", centre=centre).items) == 10
        followed(index)
    space = index.space("a")
    assert space is not None
    assert "chroma" in index.vectors.problems[space.id]
    searched(index, 10, "exact", centre=centre)
    assert index.vectors.problems == {}, "what is not asked any more is no problem"
    index.close()


def test_a_server_that_comes_back_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Chroma's server was away, or has lost what it held, searches find the way back to it without any write."""
    pytest.importorskip("chromadb")
    from tests.index.vectors.chroma_server import ChromaServer

    from memslot_index.vectors.chroma import ChromaIndex, collection_name

    monkeypatch.setattr(vector_failures, "_RETRY_S", 0.0)
    server = ChromaServer(tmp_path / "chroma")
    server.start()
    index = Index(tmp_path, VectorSettings(directory=tmp_path, chroma_url=server.url, store="s"))
    index.apply(entries(20))
    searched(index, 10, "chroma")
    followed(index)
    space = index.space("a")
    assert space is not None
    kept = ChromaIndex(8, collection_name("s", space.id), server.url)
    assert len(kept) == 20
    server.stop()
    _told_and_mended(index, space.id, server.start)
    _told_and_mended(index, space.id, lambda: None, kept.drop)
    again = ChromaIndex(8, collection_name("s", space.id), server.url)
    assert len(again) == 20
    for held in (kept, again):
        held.close()
    index.close()
    server.stop()


def _told_and_mended(
    index: Index, space: int, mend: Callable[[], None], hurt: Callable[[], None] = lambda: None
) -> None:
    hurt()
    assert len(searched(index, 10, "chroma").items) == 10
    assert space in index.vectors.problems
    mend()
    while space in index.vectors.problems:
        assert len(searched(index, 10, "chroma").items) == 10
        followed(index)


def test_a_vector_that_goes_and_comes_back_while_a_pass_begins_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was removed and put again under the same id, just as a pass looks how far it is to go, can be found after it."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    first, *_ = some = entries(20)
    index.apply(some)
    real, meanwhile = vector_rows.last_seq, [replace(first, vector=None, revision=100), replace(first, revision=101)]

    def late(connection: apsw.Connection) -> int:
        while meanwhile:
            index.apply([meanwhile.pop(0)])
        return real(connection)

    monkeypatch.setattr(vector_rows, "last_seq", late)
    searched(index, 20, "exact")
    followed(index)
    assert not meanwhile
    assert len(searched(index, 20, "exact").items) == 20
    index.close()


@pytest.mark.parametrize("kind", ["exact", "hnsw", "chroma", "sqlite-vss"])
def test_what_is_committed_is_found_before_anything_has_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: threading.Event, kind: str
) -> None:
    """A vector that was put, and one that was replaced, between its commit and the moment when what compares vectors hears of it."""
    pytest.importorskip({"hnsw": "usearch", "chroma": "chromadb", "sqlite-vss": "sqlite_vss"}.get(kind, "numpy"))
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    some = entries(60)
    index.apply(some[1:50])
    searched(index, 10, kind)
    followed(index)
    monkeypatch.setattr(index.vectors, "changed", lambda *_: None)
    index.apply([some[0], replace(some[1], vector=(-VECTORS[0]).astype("<f4").tobytes(), revision=100)])
    found = searched(index, 60, kind).items
    assert [(found[0].name, found[-1].name), len(found)] == [("n0", "n1"), 50]
    assert (found[0].score, found[-1].score) == pytest.approx((1.0, -1.0), abs=0.01)
    assert [item.name for item in searched(index, 1, kind).items] == ["n0"]
    index.close()


def test_a_long_pass_counts_what_it_has_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While many vectors are taken over, only those that are still to come are compared row by row, and all are found."""
    monkeypatch.setattr(vector_rows, "PORTION", 100)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(10))
    searched(index, 10, "exact")
    space = index.space("a")
    assert space is not None
    found = index.vectors._loaded[space.id]
    put, beside = found.index.put, []

    def slowly(ids: np.ndarray, vectors: np.ndarray) -> None:
        put(ids, vectors)
        rows = vector_rows.changes(index._connections.reading, space.low, space.high, found._seq)
        beside.append((len(searched(index, 400, "exact").items), sum(len(some) for _, some, _ in rows)))

    monkeypatch.setattr(found.index, "put", slowly)
    with monkeypatch.context() as quiet:
        quiet.setattr(index.vectors, "changed", lambda *_: None)
        for start in range(10, 310, 50):
            index.apply(entries(310)[start : start + 50])
    found.follow()
    assert [count for count, _ in beside] == [310] * 3
    assert [rows for _, rows in beside] == [300, 250, 150]
    index.close()
