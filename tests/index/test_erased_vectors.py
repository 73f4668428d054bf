"""What was erased is in no file, also where the index ends before what compares vectors has followed."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.index.test_vectors_behind import VECTORS, entries, followed, searched

from memslot_index import followed as module
from memslot_index.changes import Removal
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings


def places(folder: Path) -> set[str]:
    """The kinds of files that hold the first vector: in half precision, as it is kept, or as four numbers of that in a row."""
    kept = VECTORS[0].astype("<f2")
    traces = (kept[1:7].tobytes(), kept.astype("<f4")[2:6].tobytes())
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {_kind(folder, path) for path in files if any(trace in path.read_bytes() for trace in traces)}


def _kind(folder: Path, path: Path) -> str:
    return path.suffix if path.parent == folder else path.parent.name


@pytest.mark.parametrize("cleared_most", [100, 1000], ids=["large", "small"])
def test_a_graph_that_is_saved_at_the_end_holds_nothing_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cleared_most: int
) -> None:
    """Its removal waits behind another namespace's work when the index is closed, and is not done any more."""
    pytest.importorskip("usearch")
    monkeypatch.setattr(module, "_CLEARED_MOST", cleared_most)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(200))
    searched(index, 10, "hnsw")
    followed(index)
    index.close()
    assert places(tmp_path) == {".db", ".graph"}

    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    searched(index, 10, "hnsw")
    followed(index)
    cancelled = threading.Event()
    other = index.vectors._thread.submit(cancelled.wait, 20)
    index.apply([Removal("a", "n0")])
    space = index.space("a")
    assert space is not None
    job = index.vectors.job(space)
    assert job is not None
    job.add_done_callback(lambda _: cancelled.set())
    index.wipe()
    assert places(tmp_path) == set()
    index.close()
    assert other.result()
    assert job.cancelled()
    assert places(tmp_path) == set()


@pytest.mark.parametrize("following", [False, True])
def test_a_file_of_sqlite_vss_holds_nothing_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, following: bool
) -> None:
    """While its removal waits behind another namespace's work, or it follows for long; searches go on, without it and with all others."""
    pytest.importorskip("sqlite_vss")
    monkeypatch.setattr(module, "_PATIENCE_S", 0.01)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    index.apply(entries(200))
    searched(index, 10, "sqlite-vss")
    followed(index)
    assert "sqlite-vss" in places(tmp_path)
    space = index.space("a")
    assert space is not None
    busy, found = threading.Event(), index.vectors._loaded[space.id]
    index.vectors._thread.submit(busy.wait, 20)
    index.apply([Removal("a", "n0")])
    with found._following if following else nullcontext():
        index.wipe()
    assert places(tmp_path) == set()
    assert len(searched(index, 200, "sqlite-vss").items) == 199
    busy.set()
    followed(index)
    assert len(searched(index, 200, "sqlite-vss").items) == 199
    index.close()
    assert places(tmp_path) == set()
