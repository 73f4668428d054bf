"""Chroma, in a folder and on a server that comes and goes."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("chromadb", reason="Chroma is not installed: pip install 'memslot[chroma]'")

from tests.index.vectors.chroma_server import ChromaServer
from tests.index.vectors.contract import VectorIndexContract
from tests.index.vectors.points import slots, unit

from memslot_index.vectors import chroma_clients
from memslot_index.vectors.base import BackendUnavailable, Durable
from memslot_index.vectors.choice import VectorSettings, kept_spaces, open_index
from memslot_index.vectors.chroma import ChromaIndex, collection_name, store_and_space

POOL = unit(48)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    """A server that runs when a test begins."""
    server = ChromaServer(tmp_path_factory.mktemp("chroma") / "data")
    server.start()
    yield server
    server.stop()


class TestChromaInAFolder(VectorIndexContract):
    """The contract, embedded."""

    def open(self, folder: Path, dimensions: int) -> ChromaIndex:
        """Return an empty index."""
        return ChromaIndex(dimensions, collection_name("store", 1), folder=folder)


class TestChromaOnAServer(VectorIndexContract):
    """The contract over HTTP."""

    @pytest.fixture(autouse=True)
    def _connect(self, server: ChromaServer) -> None:
        self.url = server.url

    def open(self, folder: Path, dimensions: int) -> ChromaIndex:
        """Return an empty index: each test's folder is a store."""
        return ChromaIndex(dimensions, collection_name(str(folder), 1), self.url)


@given(store=st.text(max_size=40), space=st.integers(0, 2**31 - 1))
def test_a_collection_is_named_reversibly(store: str, space: int) -> None:
    """Every store and namespace has a name that Chroma takes, and the name tells them."""
    name = collection_name(store, space)
    assert 3 <= len(name) <= 512
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert store_and_space(name) == (store, space)


@pytest.mark.parametrize("store", ["", "-", "_", "..", "a b/c", "Größe 記憶", "0f8fad5b-d9cb-469f-a165-70867728950e"])
def test_chroma_takes_any_store(tmp_path: Path, store: str) -> None:
    """Whatever a store is called, its namespaces can have collections, and are told apart from those of others."""
    settings = VectorSettings(directory=tmp_path, store=store)
    indexes = [open_index("chroma", 4, space, settings) for space in (0, 2**31 - 1)]
    assert [len(index) for index in indexes] == [0, 0]
    assert kept_spaces("chroma", settings) == [0, 2**31 - 1]
    assert kept_spaces("chroma", replace(settings, store=f"{store}-0")) == []
    for index in indexes:
        index.close()


@pytest.mark.parametrize("name", ["notes", "memslot-1", "memslot-a-b", "memslot-a.b-1", "other-memslot-a-1"])
def test_what_is_named_otherwise_is_not_ours(name: str) -> None:
    """A collection of somebody else is recognised by its name."""
    assert store_and_space(name) is None


def test_what_was_put_outlives_the_index(tmp_path: Path) -> None:
    """A folder that is opened again holds what it held, and says up to which change of the table."""
    index = ChromaIndex(16, "memslot-a-1", folder=tmp_path)
    assert isinstance(index, Durable)
    assert index.load(tmp_path / "unused") is None
    index.put(slots(1, 2, 3), POOL[:3])
    index.save(tmp_path / "unused", seq=2**62)
    index.close()
    again = ChromaIndex(16, "memslot-a-1", folder=tmp_path)
    assert again.load(tmp_path / "unused") == 2**62
    assert sorted(again.ids().tolist()) == slots(1, 2, 3).tolist()
    again.close()


def test_an_index_of_another_embedder_begins_empty(tmp_path: Path) -> None:
    """Vectors of other dimensions under the same name are deleted, and with them what was noted of them."""
    index = ChromaIndex(16, "memslot-a-1", folder=tmp_path)
    index.put(slots(1), POOL[:1])
    index.save(tmp_path, seq=9)
    other = ChromaIndex(8, "memslot-a-1", folder=tmp_path)
    assert other.load(tmp_path) is None
    assert len(other) == 0
    other.put(slots(1), unit(1, 8))
    assert len(other) == 1
    other.close()
    index.close()


def test_namespaces_that_have_a_collection_are_told(server: ChromaServer, tmp_path: Path) -> None:
    """Which namespaces of a store are kept can be asked, of a folder and of a server that others use too."""
    for settings in (
        VectorSettings(store="ours", directory=tmp_path),
        VectorSettings(store="ours", chroma_url=server.url),
    ):
        others = replace(settings, store="theirs")
        indexes = [open_index("chroma", 4, space, settings) for space in (5, 3)] + [open_index("chroma", 4, 9, others)]
        assert kept_spaces("chroma", settings) == []
        assert [len(index) for index in indexes] == [0, 0, 0]
        assert kept_spaces("chroma", settings) == [3, 5]
        indexes[0].drop()
        assert kept_spaces("chroma", settings) == [3]
        for index in indexes:
            index.close()


def test_indexes_share_one_client(server: ChromaServer) -> None:
    """A client is opened with the first index on a server and closed with the last."""
    one, two = (ChromaIndex(4, collection_name("shared", space), server.url) for space in (1, 2))
    assert (len(one), len(two)) == (0, 0)
    assert one._client is two._client
    one.close()
    assert len(two) == 0
    two.close()
    assert not any(url == server.url for url, _ in chroma_clients._clients)


def test_who_is_late_opens_nothing_again(tmp_path: Path) -> None:
    """An index that is closed while somebody is still at it stays closed: its folder may be about to be removed."""
    index = ChromaIndex(16, collection_name("late", 1), folder=tmp_path)
    index.put(slots(1), POOL[:1])
    index.close()
    for call in (*_calls(index), index.drop):
        with pytest.raises(BackendUnavailable, match="closed"):
            call()
    assert ("", tmp_path) not in chroma_clients._clients


def test_it_can_promise_no_erasure(tmp_path: Path) -> None:
    """Chroma does not overwrite what it removes, and the index says so."""
    index = ChromaIndex(4, "memslot-a-1", folder=tmp_path)
    assert not index.wipe()
    index.close()


def test_short_answers_are_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When Chroma's graph does not find as many as there are, the rest is found by comparing all."""
    index = ChromaIndex(16, "memslot-a-1", folder=tmp_path)
    index.put(slots(*range(40)), POOL[:40])
    found = index._found()
    whole = found.query

    def short(**asked: object) -> object:
        answer = whole(**asked)
        return answer | {key: [answer[key][0][1::2]] for key in ("ids", "distances")}

    monkeypatch.setattr(found, "query", short)
    for limit in (1, 5, 30, 100):
        ids, scores = index.search(POOL[44], limit)
        assert len(set(ids.tolist())) == len(ids) == min(limit, 40)
        assert scores == pytest.approx(index.similarities(POOL[44], ids), abs=1e-6)
    assert index.search(POOL[44], 40)[0].tolist() == slots(*np.argsort(-(POOL[:40] @ POOL[44]))).tolist()
    index.close()


@pytest.mark.slow
def test_a_server_that_goes_away_is_unavailable_and_comes_back(tmp_path: Path) -> None:
    """While the server is down every call is BackendUnavailable; when it is back the same index goes on, with what it held."""
    server = ChromaServer(tmp_path / "data")
    index = ChromaIndex(16, "memslot-a-1", server.url)
    for call in _calls(index):
        with pytest.raises(BackendUnavailable, match="'chroma' does not answer"):
            call()
    server.start()
    try:
        index.put(slots(1, 2), POOL[:2])
        server.stop()
        for call in _calls(index):
            with pytest.raises(BackendUnavailable, match="'chroma' does not answer"):
                call()
        server.start()
        assert index.search(POOL[1], 1)[0].tolist() == slots(2).tolist()
    finally:
        server.stop()
    index.close()


@pytest.mark.slow
def test_a_killed_server_is_mended_by_putting_again(tmp_path: Path) -> None:
    """After a crash in the middle of a put the ids say what is missing, and putting that makes it whole."""
    server = ChromaServer(tmp_path / "data")
    server.start()
    index = ChromaIndex(16, "memslot-a-1", server.url)
    ids, vectors = slots(*range(4000)), unit(4000)

    def put() -> None:
        with suppress(BackendUnavailable):
            for start in itertools.cycle(range(0, 4000, 200)):
                index.put(ids[start:][:200], vectors[start:][:200])

    writer = Thread(target=put)
    writer.start()
    try:
        while len(index) < 1000:
            pass
        server.stop(signal.SIGKILL)
        writer.join()
        server.start()
        missing = np.setdiff1d(ids, index.ids()) & 0xFFFF
        assert len(missing) <= 3000
        index.put(ids[missing], vectors[missing])
        assert sorted(index.ids().tolist()) == ids.tolist()
        assert index.similarities(vectors[0], ids) == pytest.approx(vectors @ vectors[0], abs=1e-5)
    finally:
        server.stop()
    index.close()


def test_a_server_that_hangs_is_unavailable(server: ChromaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes connections and does not answer is given up, by an index that knew it and by one that did not."""
    monkeypatch.setattr(chroma_clients, "_ANSWER_S", 0.5)
    monkeypatch.setattr(chroma_clients, "_CONNECT_S", 0.5)
    index = ChromaIndex(4, collection_name("hangs", 1), server.url)
    assert len(index) == 0
    server.pause()
    try:
        with pytest.raises(BackendUnavailable, match="Timeout"):
            index.search(unit(1, 4)[0], 3)
        index.close()
        index = ChromaIndex(4, collection_name("hangs", 1), server.url)
        with pytest.raises(BackendUnavailable, match="Timeout"):
            index.ids()
    finally:
        server.resume()
    assert len(index) == 0
    index.close()


def test_a_lost_collection_is_not_taken_for_an_empty_one(server: ChromaServer) -> None:
    """When somebody deletes the collection, the index says so until it is opened again, instead of finding nothing."""
    index, other = (ChromaIndex(16, collection_name("lost", 1), server.url) for _ in range(2))
    index.put(slots(1), POOL[:1])
    other.drop()
    for call in _calls(index):
        with pytest.raises(BackendUnavailable, match="does not exist"):
            call()
    other.close()
    index.close()


def _calls(index: ChromaIndex) -> list:
    """Return a call of each method that asks Chroma."""
    return [
        lambda: len(index),
        index.ids,
        lambda: index.put(slots(1), POOL[:1]),
        lambda: index.remove(slots(1)),
        lambda: index.search(POOL[0], 3),
        lambda: index.search(POOL[0], 3, slots(1)),
        lambda: index.similarities(POOL[0], slots(1)),
        lambda: index.save(Path("unused"), 1),
    ]
