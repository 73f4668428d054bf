"""What is said at start of the place where memory is kept."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.containers import DATA, GID, RESTRICTED, UID, container, of_group, podman

pytestmark = [pytest.mark.container, pytest.mark.slow]
FOREIGN = ("--user", f"{UID}:{GID}", *RESTRICTED)


@pytest.fixture
def volume() -> Iterator[str]:
    """A volume with a name."""
    name = f"memslot-{uuid.uuid4().hex[:8]}"
    podman("volume", "create", name)
    yield name
    podman("volume", "rm", "--force", name)


def said(*options: object) -> str:
    """The warning at start, if there is one; it is given once."""
    with container(*options) as memslot:
        lines = [line for line in memslot.ready().told.splitlines() if line.startswith("  warning")]
    assert len(lines) <= 1
    return "".join(lines)


def test_an_empty_dir_is_recognised(tmp_path: Path) -> None:
    """Mounted from where the kubelet keeps an emptyDir on disk, the directory is known to go with the pod."""
    directory = of_group(tmp_path / "pods/7a9c/volumes/kubernetes.io~empty-dir/memory")
    told = said(*FOREIGN, "--volume", f"{directory}:{DATA}")
    assert "memory will go with the pod (the data directory is an emptyDir)" in told
    assert f"mount a volume that stays at {DATA}" in told


def test_ram_is_recognised() -> None:
    """An emptyDir of medium Memory, or any tmpfs."""
    assert "in its RAM: tmpfs" in said(*FOREIGN, "--tmpfs", f"{DATA}:rw,mode=1777")


def test_a_volume_without_a_name_is_recognised() -> None:
    """What the engine makes because the image declares a volume and nobody mounted one."""
    assert "a volume without a name" in said(*FOREIGN)


def test_the_layer_of_the_container_is_recognised() -> None:
    """The overlay of the container itself."""
    assert "its own layer: overlay" in said("--image-volume", "ignore")


def test_what_stays_is_not_warned_of(volume: str, tmp_path: Path) -> None:
    """A volume with a name, which a foreign user can write to, and a directory of the host."""
    assert said(*FOREIGN, "--volume", f"{volume}:{DATA}") == ""
    assert said(*FOREIGN, "--volume", f"{of_group(tmp_path / 'data')}:{DATA}") == ""
