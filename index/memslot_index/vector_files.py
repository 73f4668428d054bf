"""What is kept of vector indexes in files or on a server: a graph of each space here, and what backends keep by themselves."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from memslot_index.vectors.base import BackendMissing, BackendUnavailable
from memslot_index.vectors.choice import VectorSettings, kept_spaces, open_index

OUTSIDE = ("chroma", "sqlite-vss")
"""The kinds of indexes that keep what they hold by themselves."""


class VectorFiles:
    """The graphs in ``directory``, or none without one, and what the kinds of `OUTSIDE` keep."""

    def __init__(self, settings: VectorSettings, directory: Path | None) -> None:
        self._settings = settings
        self._directory = directory

    def with_graph(self, space_id: int, work: Callable[[Path], object]) -> None:
        """Does something with the file of a space's graph, where there are files."""
        if self._directory is not None:
            work(self._graph(self._directory, space_id))

    def tidy(self, kinds: dict[int, str]) -> None:
        """Drops what is kept of spaces that are gone or use another kind; ``kinds`` are those of the spaces that are there."""
        if self._directory is not None:
            known = {self._graph(self._directory, space_id) for space_id in kinds}
            for path in set(self._directory.glob("vectors-*")) - known:
                path.unlink(missing_ok=True)
        for kind in OUTSIDE:
            if kind in kinds.values() or (self._directory is not None and (self._directory / kind).exists()):
                self._tidy_outside(kind, [space_id for space_id, used in kinds.items() if used == kind])

    def wipe(self, open_files: Collection[int]) -> None:
        """Removes all files that are not in use; of sqlite-vss those of the spaces in ``open_files`` are. Raises OSError."""
        if self._directory is None:
            return
        for path in self._directory.glob("vectors-*"):
            path.unlink(missing_ok=True)
        # What Chroma deletes stays in its files, but none of them is in use now.
        with suppress(FileNotFoundError):
            shutil.rmtree(self._directory / "chroma")
        used = {f"{space_id}.db" for space_id in open_files}
        for path in (self._directory / "sqlite-vss").glob("*.db*"):
            if path.name.removesuffix("-journal") not in used:
                path.unlink(missing_ok=True)

    def _tidy_outside(self, kind: str, used: Collection[int]) -> None:
        with suppress(BackendMissing, BackendUnavailable, OSError):
            for space_id in set(kept_spaces(kind, self._settings)) - set(used):
                index = open_index(kind, 1, space_id, self._settings)
                index.drop()
                index.close()

    @staticmethod
    def _graph(directory: Path, space_id: int) -> Path:
        return directory / f"vectors-{space_id}.graph"
