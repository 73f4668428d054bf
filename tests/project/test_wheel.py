"""The wheel holds what users import, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the files in a freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(pip, check=True)
    (wheel,) = folder.glob("memslot-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_wheel_holds_the_three_packages_and_their_metadata(names: set[str]) -> None:
    """One wheel brings the client, the index and the sidecar, and no other import name such as `tests` or `proto`."""
    tops = {name.split("/")[0] for name in names}
    metadata = {top for top in tops if top.endswith(".dist-info")}
    assert tops - metadata == {"memslot", "memslot_index", "memslot_sidecar"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {f"{top}/py.typed" for top in tops - metadata} <= names


@pytest.mark.slow
def test_the_wheel_holds_every_proto_file(names: set[str]) -> None:
    """The .proto files of the API and of what it imports are in the wheel, below one include folder."""
    protos = {path.relative_to(ROOT / "proto").as_posix() for path in (ROOT / "proto").rglob("*.proto")}
    assert {name.removeprefix("memslot/_proto/") for name in names if name.endswith(".proto")} == protos
