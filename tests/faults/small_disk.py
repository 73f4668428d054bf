"""A disk of a few megabytes that a test can fill up and empty again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SIZE = "16m"
_CHUNK = b"\0" * 65_536


class SmallDisk:
    """A file system of its own, mounted at ``path``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self) -> None:
        """Leaves no byte free."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (len(_CHUNK), 4096, 1):
                _write_while_possible(file.fileno(), _CHUNK[:size])

    def empty(self) -> None:
        """Frees what :meth:`fill` took."""
        self._filler.unlink()


@contextmanager
def small_disk(path: Path) -> Iterator[SmallDisk]:
    """Mounts a small disk; skips the test where that needs rights that it does not have."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a tmpfs, and only on Linux")
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "memslot-test", path]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a tmpfs cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)


def _write_while_possible(file: int, data: bytes) -> None:
    while True:
        try:
            os.write(file, data)
        except OSError:
            return
