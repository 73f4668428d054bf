"""What compares vectors is behind the rows, or away: searches stay complete, and say nothing that is not so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from memslot_index import vector_failures
from memslot_index.candidates import Candidates, Wanted
from memslot_index.changes import Entry, Removal
from memslot_index.database import vector_rows
from memslot_index.database.stopping import Stop
from memslot_index.index import Index
from memslot_index.sizes import SizeChanged
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


def test_no_number_of_a_change_comes_twice(tmp_path: Path) -> None:
    """A graph that was saved, and then left behind by crashes, takes no change for one that it has: what was replaced is found."""
    pytest.importorskip("usearch")
    some = entries(20)
    newest = replace(some[2], vector=VECTORS[3].tobytes(), revision=100)
    other = replace(some[1], vector=(-VECTORS[0]).astype("<f4").tobytes(), revision=101)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    for changes in (some, [newest]):
        index.apply(changes)
        searched(index, 10, "hnsw")
        followed(index)
    index.close()
    for change in (Removal("a", newest.name), other):
        index = Index(tmp_path, VectorSettings(directory=tmp_path))
        index.apply([change])
        index.close(keep=False)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    searched(index, 10, "hnsw")
    followed(index)
    space = index.space("a")
    assert space is not None
    assert index.vectors._loaded[space.id].index.search(-VECTORS[0], 1)[1][0] == pytest.approx(1, abs=0.01)
    index.close()


def test_a_search_does_not_pass_by_what_other_namespaces_write(tmp_path: Path) -> None:
    """What was written elsewhere since an index followed is gone through once, not by every search."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(20))
    searched(index, 20, "exact")
    index.apply([replace(entry, space="b") for entry in entries(20)])
    searched(index, 20, "exact")
    space = index.space("a")
    assert space is not None
    with index._connections.reading() as connection:
        assert index.vectors._loaded[space.id]._seq == vector_rows.last_seq(connection)
    index.apply([replace(entries(21)[20], revision=100)])
    assert len(searched(index, 30, "exact").items) == 21
    index.close()


def test_an_index_that_is_dropped_while_it_is_searched_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another search that wants another kind drops the index that is just asked; the first finds all the same."""
    pytest.importorskip("usearch")
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(20))
    searched(index, 20, "exact")
    space = index.space("a")
    assert space is not None
    found = index.vectors._loaded[space.id]
    real = found.index.search

    def late(*asked: Any) -> tuple[np.ndarray, np.ndarray]:
        index.vectors.open(space, "hnsw")
        return real(*asked)

    monkeypatch.setattr(found.index, "search", late)
    assert len(searched(index, 20, "exact").items) == 20
    index.close()


def test_a_size_that_changes_under_a_search_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that goes through the rows and meets vectors of another size says that they are being replaced."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(20))
    real = vector_rows.portions
    for centre in (False, True):
        other = [replace(entry, vector=VECTORS[0][:4].tobytes(), revision=100) for entry in entries(20)]

        def late(reading: vector_rows.Reading, low: int, high: int, other: list[Entry] = other) -> vector_rows.Portions:
            monkeypatch.setattr(vector_rows, "portions", real)
            index.apply(other)
            return real(reading, low, high)

        monkeypatch.setattr(index.vectors, "open", lambda *_: None)
        monkeypatch.setattr(vector_rows, "portions", late)
        with pytest.raises(SizeChanged, match="another size"):
            searched(index, 20, "exact", centre=centre)
        index.apply([replace(entry, revision=200) for entry in entries(20)])
    index.close()


def test_an_index_that_was_opened_for_vectors_that_just_went_holds_no_writer_up(tmp_path: Path) -> None:
    """Where a search opens an index while a namespace's last vector goes, the next one, of another size, is taken and found."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    first, second = entries(2)
    index.apply([first, replace(second, vector=None)])
    space = index.space("a")
    assert space is not None
    index.apply([Removal("a", first.name)])
    index.vectors.open(space, "exact")
    for at, entry in enumerate((first, second)):
        index.apply([replace(entry, vector=VECTORS[at][:4].tobytes(), revision=100 + at)])
    wanted = Wanted(None, VECTORS[0][:4], 10, "exact")
    assert {item.name for item in index.search("a", wanted, Stop()).items} == {"n0", "n1"}
    index.close()
