"""What the folders hold keeps names honest and files findable."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["clients/python/memslot", "index/memslot_index", "sidecar/memslot_sidecar"]
NAMES_WITHOUT_A_NOUN = {"utils", "util", "helpers", "helper", "common", "misc"}


def _files(pattern: str) -> list[Path]:
    """Return the files that git tracks or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", pattern]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_top_level_folder_is_an_import_name() -> None:
    """`proto`, `index` and `sidecar` stay free for others: no top-level folder is a Python package."""
    assert [path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()] == []


def test_every_folder_of_a_package_has_an_init_file() -> None:
    """Each folder of code is a package with a docstring, so that no installer or type checker misses it."""
    folders = {path.parent for package in PACKAGES for path in _files(f"{package}/*.py")}
    assert [folder.as_posix() for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_typed(package: str) -> None:
    """Type checkers of users read our annotations."""
    assert (ROOT / package / "py.typed").exists()


def test_every_module_is_named_after_what_it_holds() -> None:
    """No module collects what has no place."""
    assert [path.as_posix() for path in _files("*.py") if path.stem.strip("_") in NAMES_WITHOUT_A_NOUN] == []


def test_modules_stay_small() -> None:
    """A hand-written file that passes 400 lines is split by noun."""
    written = [path for path in _files("*.py") if "_pb2" not in path.name]
    assert [path.as_posix() for path in written if len(path.read_text(encoding="utf-8").splitlines()) > 400] == []
