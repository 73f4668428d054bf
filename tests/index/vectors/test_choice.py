"""A backend is chosen by name; what cannot be used says so at once, and what was not chosen is not imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memslot_index.vectors.base import BackendMissing, Durable
from memslot_index.vectors.choice import (
    AUTO_THRESHOLD,
    VectorSettings,
    automatic,
    check_backend,
    kept_spaces,
    open_index,
)


def _run(code: str) -> str:
    """Run Python code in a process of its own and return what it printed."""
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout


def test_an_automatic_index_is_exact_until_it_is_large() -> None:
    """Up to the threshold an automatic index is exact, above it a graph, and it does not go to and fro between them."""
    assert automatic(0) == automatic(AUTO_THRESHOLD) == "exact"
    assert automatic(AUTO_THRESHOLD + 1) == "hnsw"
    assert automatic(AUTO_THRESHOLD, "hnsw") == automatic(AUTO_THRESHOLD // 2 + 1, "hnsw") == "hnsw"
    assert automatic(AUTO_THRESHOLD // 2, "hnsw") == "exact"


@pytest.mark.parametrize("kind", ["exact", "hnsw"])
def test_a_backend_is_opened_by_its_name(kind: str) -> None:
    """The name chooses the index."""
    check_backend(kind)
    check_backend("auto")
    index = open_index(kind, 8, 3, VectorSettings(threads=2))
    assert (index.kind, index.dimensions, len(index)) == (kind, 8, 0)
    assert isinstance(index, Durable) == (kind != "exact")


def test_an_unknown_name_is_refused() -> None:
    """A name that is none says which there are."""
    with pytest.raises(ValueError, match="'faiss' is none of exact, hnsw, chroma, sqlite-vss"):
        check_backend("faiss")


@pytest.mark.parametrize(
    ("kind", "library", "extra"),
    [
        ("exact", "numpy", "sidecar"),
        ("hnsw", "numpy", "sidecar"),
        ("hnsw", "usearch", "sidecar"),
        ("auto", "numpy", "sidecar"),
        ("auto", "usearch", "sidecar"),
        ("chroma", "chromadb", "chroma"),
        ("sqlite-vss", "sqlite_vss", "sqlite-vss"),
    ],
)
def test_a_missing_library_is_named(kind: str, library: str, extra: str) -> None:
    """A backend whose library is not installed is a clear error that says what to install."""
    told = _run(
        f"import sys; sys.modules[{library!r}] = None\n"
        "from memslot_index.vectors.choice import BackendMissing, check_backend\n"
        f"try: check_backend({kind!r})\n"
        "except BackendMissing as error: print(error)"
    )
    assert told.startswith("vector backend ")
    assert "cannot be used" in told
    assert library in told
    assert f"pip install 'memslot[{extra}]'" in told


def test_what_lives_in_memory_keeps_nothing(tmp_path: Path) -> None:
    """No namespace is kept by an index that does not keep anything by itself."""
    assert kept_spaces("exact", VectorSettings(directory=tmp_path)) == []
    assert kept_spaces("hnsw", VectorSettings()) == []


def test_what_is_not_chosen_is_not_imported() -> None:
    """Knowing the backends imports none of their libraries."""
    code = "import sys, memslot_index.vectors.base, memslot_index.vectors.choice\nprint(*sys.modules)"
    assert not {"numpy", "usearch", "chromadb", "sqlite_vss", "apsw"} & set(_run(code).split())


def test_a_missing_backend_is_a_value_error() -> None:
    """Who checks settings for ValueError needs no name of ours."""
    assert issubclass(BackendMissing, ValueError)
