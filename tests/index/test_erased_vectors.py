"""What was erased is in no file, also where the index ends before what compares vectors has followed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.index.test_vectors_behind import VECTORS, entries, followed, searched

from memslot_index import followed as module
from memslot_index.changes import Removal
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

pytest.importorskip("usearch")


def places(folder: Path) -> set[str]:
    """The kinds of files that hold the first vector, exactly or in half precision."""
    traces = (VECTORS[0][2:6].tobytes(), VECTORS[0].astype("<f2")[1:7].tobytes())
    files = [path for path in folder.iterdir() if any(trace in path.read_bytes() for trace in traces)]
    return {path.suffix for path in files}


@pytest.mark.parametrize("cleared_most", [100, 1000], ids=["large", "small"])
def test_a_graph_that_is_saved_at_the_end_holds_nothing_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cleared_most: int
) -> None:
    """Its removal waits behind another namespace's work when the index is closed, and is not done any more."""
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
