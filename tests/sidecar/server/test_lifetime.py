"""With what a data directory ends, told from what the kernel says of its mounts, written as kubelet, Docker, Podman and containerd make them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memslot_sidecar import lifetime
from memslot_sidecar.announcement import announcement
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config
from memslot_sidecar.services.admin_service import server_info

POD = "/var/lib/kubelet/pods/7a9cf7b2-6a60-4b0a-8f0d-5c2a50d9a1b4/volumes"
EXT4 = "rw,relatime - ext4 /dev/vda1 rw,discard,errors=remount-ro"
SAMPLES = {
    f"821 804 254:1 {POD}/kubernetes.io~empty-dir/memory /var/lib/memslot {EXT4}": "the pod (the data directory is an emptyDir)",
    "845 804 254:16 /pods/7a9cf7b2/volumes/kubernetes.io~empty-dir/memory/sub /var/lib/memslot rw,relatime shared:7 - xfs /dev/vdb rw": "the pod",
    "822 804 0:55 / /var/lib/memslot rw,relatime - tmpfs tmpfs rw,size=65536k,inode64": "its RAM: tmpfs",
    "804 611 0:44 / / ro,relatime master:321 - overlay overlay rw,lowerdir=/l/A:/l/B,upperdir=/u,workdir=/w": "the container (the data directory is in its own layer",
    "804 611 0:44 / / rw,relatime - fuse.fuse-overlayfs fuse-overlayfs rw,user_id=0,group_id=0": "its own layer",
    f"840 804 254:1 /var/lib/docker/volumes/{'0f' * 32}/_data /var/lib/memslot rw master:1 - ext4 /dev/sda1 rw": "a volume without a name",
    f"841 804 254:1 /lib/containerd/io.containerd.grpc.v1.cri/containers/{'ab' * 32}/volumes/{'c' * 64} /var/lib/memslot {EXT4}": "a volume without a name",
    "842 804 254:1 /var/lib/docker/volumes/memory/_data /var/lib/memslot rw master:1 - ext4 /dev/sda1 rw": "",
    f"843 804 8:16 / /var/lib/memslot {EXT4}": "",
    f"844 804 254:1 {POD}/kubernetes.io~csi/pvc-3b1f/mount /var/lib/memslot {EXT4}": "",
    "846 804 0:60 / /var/lib/memslot rw,relatime - nfs4 10.0.0.7:/memory rw,vers=4.2": "",
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resv_strict": "",
}


@pytest.mark.parametrize("line", SAMPLES)
def test_a_mount_tells_with_what_it_ends(line: str) -> None:
    """An emptyDir, RAM, a container's layer and a volume without a name are recognised; what stays is not warned of."""
    (mount,) = lifetime.mounts(line + "\n")
    told = lifetime.end_of(mount)
    assert SAMPLES[line] in told
    assert bool(told) == bool(SAMPLES[line])


def test_paths_and_broken_lines_are_read() -> None:
    """Blanks and backslashes in a path are octal numbers there; optional fields come in any number; a torn line is left out."""
    text = "\n".join(
        [
            r"36 35 98:0 /a\040b /mnt\134x\011y rw,noatime shared:1 master:2 propagate_from:3 - ext3 /dev/root rw",
            "37 35 98:0",
            "x 35 98:0 / /a rw - ext4 b rw",
            "38 35 98:0 / /plain rw - ext4 /dev/root rw",
        ]
    )
    first, second = lifetime.mounts(text)
    assert (first.root, first.point, first.kind) == ("/a b", "/mnt\\x\ty", "ext3")
    assert (second.number, second.point) == (38, "/plain")


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="only Linux tells of mounts in /proc")
def test_a_real_directory_in_ram_is_recognised() -> None:
    """The mount of a real directory is found by what the kernel says of it."""
    assert "its RAM: tmpfs" in lifetime.warning_of(Path("/dev/shm"))
    assert lifetime.warning_of(Path("/proc")) == ""


def test_a_directory_that_there_is_not_is_no_failure(tmp_path: Path) -> None:
    """What cannot be told is not warned of."""
    assert lifetime.warning_of(tmp_path / "none") == ""


async def test_it_is_said_once_at_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The announcement warns where memory will go, names the directory and the remedy, and says nothing where it stays."""
    monkeypatch.setattr(lifetime, "warning_of", lambda directory: f"memory will go: {directory}")
    sidecar = Sidecar(Config(data_dir=tmp_path))
    await sidecar.start()
    try:
        assert announcement(sidecar, [], []).count(f"  warning       memory will go: {tmp_path}") == 1
        told = server_info(sidecar.context, sidecar.facts).store_warning
        assert told == f"memory will go: {tmp_path}", "who connects is told as well"
        monkeypatch.setattr(lifetime, "warning_of", lambda _: "")
        assert "warning" not in announcement(sidecar, [], [])
    finally:
        await sidecar.stop()


def test_store_in_ram_says_so_itself() -> None:
    """The store that forgets is not warned of twice at start, and whoever connects is told."""
    assert "warning" not in announcement(Sidecar(Config(store="ram")), [], [])
    assert "the store is ram" in lifetime.store_warning("ram", Path("/proc"))
