"""With what the files of a directory end, as far as Linux tells: with a pod, with a container, or when the machine stops."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")
_EMPTY_DIR = "/kubernetes.io~empty-dir/"
_UNNAMED = re.compile(r"/volumes/[0-9a-f]{64}/_data(/|$)|/io\.containerd\.[^/]+/containers/[^/]+/volumes/")
"""Where Docker, Podman and containerd put what an image declares as a volume and nobody mounted."""
_IN_MEMORY = ("tmpfs", "ramfs")
_LAYERED = ("overlay", "fuse.fuse-overlayfs", "aufs")


@dataclass(frozen=True, slots=True)
class Mount:
    """A line of ``/proc/self/mountinfo``: ``root`` is the path in the file system ``kind`` that is mounted at ``point``."""

    number: int
    root: str
    point: str
    kind: str


def store_warning(kind: str, directory: Path) -> str:
    """Why a store of a kind, ``sqlite`` or ``ram``, will be gone sooner than one may think; empty when nothing tells of that."""
    return "memory will go with the process: the store is ram" if kind == "ram" else warning_of(directory)


def warning_of(directory: Path) -> str:
    """A sentence for people whose memory will be gone sooner than they may think; empty when nothing tells of that, and not on Linux."""
    try:
        mount = next((one for one in mounts(_MOUNTS.read_text()) if one.number == _mount_number(directory)), None)
    except OSError:
        return ""
    end = end_of(mount) if mount else ""
    return f"memory will go with {end}: mount a volume that stays at {directory}" if end else ""


def end_of(mount: Mount) -> str:
    """With what the files on a mount end; empty when nothing tells."""
    if _EMPTY_DIR in f"{mount.root}/":
        return "the pod (the data directory is an emptyDir)"
    if mount.kind in _IN_MEMORY:
        return f"the pod, the container or the machine (the data directory is in its RAM: {mount.kind})"
    if mount.kind in _LAYERED:
        return f"the container (the data directory is in its own layer: {mount.kind})"
    if _UNNAMED.search(mount.root):
        return "the container (the data directory is a volume without a name, which the next container will not find)"
    return ""


def mounts(text: str) -> Iterator[Mount]:
    """The mounts of ``/proc/self/mountinfo`` (proc(5)); a line that is not as it should be is left out."""
    for line in text.splitlines():
        place, found, what = line.partition(" - ")
        fields = place.split(" ")
        if found and len(fields) >= 6 and fields[0].isdigit():
            yield Mount(int(fields[0]), _plain(fields[3]), _plain(fields[4]), what.split(" ")[0])


def _mount_number(directory: Path) -> int:
    """Of the mount that the directory is on: what the kernel says of an open file, since one mount may hide another. Raises OSError."""
    file = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        told = re.search(r"^mnt_id:\s*(\d+)$", Path(f"/proc/self/fdinfo/{file}").read_text(), re.MULTILINE)
    finally:
        os.close(file)
    return int(told[1]) if told else -1


def _plain(path: str) -> str:
    """A path of mountinfo, where blanks and backslashes are octal numbers."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), path)
