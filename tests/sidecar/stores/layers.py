"""File layers for SQLite that a test controls: one has a quota, one tells which pages are read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw


class QuotaLayer(apsw.VFS):
    """The normal layer, on a disk that can be full: while ``full``, no file grows."""

    def __init__(self) -> None:
        self.name = f"quota-{uuid.uuid4().hex}"
        self.full = False
        self.base = ""
        super().__init__(self.name, self.base)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Opens a file of this layer."""
        return _QuotaFile(self, name, flags)

    def excepthook(self, *_: Any) -> None:
        """The full disk that SQLite copes with by itself is no news."""


class _QuotaFile(apsw.VFSFile):
    def __init__(self, layer: QuotaLayer, name: Any, flags: list[int]) -> None:
        super().__init__(layer.base, name, flags)
        self._layer = layer

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._layer.full and offset + len(data) > self.xFileSize():
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)

    def excepthook(self, *_: Any) -> None:
        pass


class BadSpotLayer(apsw.VFS):
    """The normal layer, on a disk that refuses to take in certain bytes."""

    def __init__(self, refused: bytes) -> None:
        self.name = f"bad-spot-{uuid.uuid4().hex}"
        self.refused = refused
        self.base = ""
        super().__init__(self.name, self.base)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Opens a file of this layer."""
        return _BadSpotFile(self, name, flags)


class _BadSpotFile(apsw.VFSFile):
    def __init__(self, layer: BadSpotLayer, name: Any, flags: list[int]) -> None:
        super().__init__(layer.base, name, flags)
        self._layer = layer

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._layer.refused in data:
            raise apsw.IOError("a bad spot")
        super().xWrite(data, offset)


class WatchedLayer(apsw.VFS):
    """The normal layer; ``pages`` are the pages of the main file that were read, whether from it or from the log."""

    def __init__(self) -> None:
        self.name = f"watched-{uuid.uuid4().hex}"
        self.reads: list[tuple[str, int, int]] = []
        self.base = ""
        super().__init__(self.name, self.base)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Opens a file of this layer."""
        return _WatchedFile(self, name, flags)

    @contextmanager
    def watching(self) -> Iterator[set[int]]:
        """Gathers the numbers of the main file's pages that are read meanwhile."""
        pages: set[int] = set()
        self.reads.clear()
        yield pages
        for name, offset, amount in self.reads:
            assert name.endswith(".db"), "the log should be empty"
            pages.update(range(offset // 4096 + 1, (offset + amount - 1) // 4096 + 2))


class _WatchedFile(apsw.VFSFile):
    def __init__(self, layer: WatchedLayer, name: Any, flags: list[int]) -> None:
        super().__init__(layer.base, name, flags)
        self._layer = layer
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._layer.reads.append((self._name, offset, amount))
        return super().xRead(amount, offset)
