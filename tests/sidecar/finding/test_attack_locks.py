"""Threads that wait for each other: none waits for one that waits for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memslot_index.candidates import Wanted
from memslot_index.changes import Entry
from memslot_index.database.stopping import Stop
from memslot_index.followed import Followed
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

PATIENCE_S = 20.0
EAST = np.array([1.0, 0.0], np.float32)


def entry(name: str) -> Entry:
    """A slot with a vector."""
    return Entry("acme", name, 1, 1, "", (), "", "x", vector=EAST.tobytes())


@pytest.mark.parametrize("where", ["memory", "directory"])
def test_a_first_search_and_a_writer_do_not_wait_for_each_other(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search loads the vectors just when a commit before it is told to them, by another thread."""
    loading, following = threading.Event(), threading.Event()
    follow, tell = Followed.follow, Index._tell

    def slow_follow(self: Followed) -> None:
        if threading.current_thread().name.startswith("search"):
            loading.set()
            following.wait(1)
            following.wait(0.2)
        else:
            following.set()
        follow(self)

    def late_tell(self: Index, *args: Any) -> None:
        loading.wait(PATIENCE_S)
        tell(self, *args)

    index = Index(tmp_path if where == "directory" else None, VectorSettings())
    index.apply([entry("before")])
    monkeypatch.setattr(Followed, "follow", slow_follow)
    monkeypatch.setattr(Index, "_tell", late_tell)
    searching, writing = ThreadPoolExecutor(1, "search"), ThreadPoolExecutor(1, "write")
    written = writing.submit(index.apply, [entry("after")])
    while index.space("acme") is None or len(index.names("acme", "", 10)) < 2:
        pass
    found = searching.submit(index.search, "acme", Wanted(None, EAST, 10), Stop())
    assert {item.name for item in found.result(PATIENCE_S).items} == {"before", "after"}
    written.result(PATIENCE_S)
    index.close()
