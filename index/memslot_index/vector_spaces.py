"""What compares the vectors of each space: loaded when it is needed, kept in step with the rows, made anew when it is not.

The rows of the index's file are the truth. An exact index follows them in the writer's thread; everything else follows in a thread of
its own, from the rows that changed since, so that nothing has to be kept in memory for it. Until one is ready its space is searched
row by row, which is slow and right.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memslot_index.database import vector_rows
from memslot_index.database.connections import Connections
from memslot_index.database.spaces import Space
from memslot_index.followed import Followed
from memslot_index.vectors.base import BackendUnavailable
from memslot_index.vectors.choice import AUTO_THRESHOLD, VectorSettings, automatic, kept_spaces, open_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

_EXACT_BYTES = 256 << 20
_MEAN_TRUST = 100
_MEAN_DRIFT = 0.05
_OUTSIDE = ("chroma", "sqlite-vss")


class VectorSpaces:
    """All spaces' vector indexes. Its methods may be called in any thread."""

    def __init__(self, connections: Connections, settings: VectorSettings, directory: Path | None) -> None:
        self._connections = connections
        self._settings = settings
        self._directory = directory
        self._loaded: OrderedDict[int, Followed] = OrderedDict()
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "memslot-vectors")
        self._means: dict[int, tuple[int, NDArray[np.float32]]] = {}
        self._jobs: dict[int, Future[None]] = {}
        self.problems: dict[int, str] = {}

    def kind(self, space: Space) -> str:
        """What compares a space's vectors now; empty when nothing was loaded yet."""
        found = self._loaded.get(space.id)
        return "" if found is None else found.index.kind

    def search(
        self, space: Space, kind: str, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None
    ) -> list[int]:
        """Ids of the nearest vectors, best first, perhaps with some that are no longer there. Raises BackendUnavailable."""
        found = self._load(space, kind)
        if not found.ready:
            return found.scan(vector, limit, within)
        try:
            ids, _ = found.index.search(vector, limit, within)
        except BackendUnavailable as error:
            self.problems[space.id] = str(error)
            return found.scan(vector, limit, within)
        return [int(id_) for id_ in ids]

    def centred(self, space: Space, kind: str, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """A question's vector without what it shares with all vectors of the space, which makes some of them near to everything.

        ``q - n / (n + 100) m``, with the mean ``m`` of the ``n`` vectors (of the oldest, where there are many), at length 1. (Suzuki, Hara,
        Shimbo, Saerens, Fukumizu: Centering Similarity Measures to Reduce Hubs, EMNLP 2013; the factor keeps a mean of few from counting
        much.)
        """
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        count = len(self._load(space, kind).index)
        known, mean = self._means.get(space.id, (0, vector))
        if abs(count - known) > known * _MEAN_DRIFT:
            with self._connections.reading() as connection:
                _, vectors = next(vector_rows.portions(connection, space.low, space.high), (None, vector[None, :]))
            mean = vectors.mean(axis=0, dtype=np.float32)
            self._means[space.id] = count, mean
        moved = vector - count / (count + _MEAN_TRUST) * mean
        length = float(np.linalg.norm(moved))
        return (moved / length).astype(np.float32) if length > 0 else vector

    def changed(self, space: Space, removed: Sequence[int]) -> None:
        """Follows a commit that changed rows of the space's vectors; ``removed`` are those that are gone."""
        with self._lock:
            found = self._loaded.get(space.id)
        if found is None:
            return
        found.gone(removed)
        if found.index.kind == "exact" and found.ready:
            found.follow()
            if found.wanted != "auto" or automatic(len(found.index)) == "exact":
                return
        self._queue(space, found)

    def warm(self, space: Space, kind: str) -> None:
        """Loads a space's index in the background, if that takes long."""
        with self._connections.reading() as connection:
            large = vector_rows.count(connection, space.low, space.high) > AUTO_THRESHOLD
        if large or kind in _OUTSIDE:
            with suppress(BackendUnavailable, OSError):
                self._load(space, kind)

    def settle(self, space: Space, timeout_s: float) -> bool:
        """Waits until the space's index has followed all commits; whether it has."""
        job = self._jobs.get(space.id)
        if job is None:
            return True
        try:
            job.result(timeout_s)
        except TimeoutError:
            return False
        return True

    def forget(self, space: Space) -> None:
        """Drops a space's index, its files included."""
        with self._lock:
            found = self._loaded.pop(space.id, None)
            self.problems.pop(space.id, None)
            self._means.pop(space.id, None)
        if found is not None:
            self._drop(found)
        for path in self._files(space.id):
            path.unlink(missing_ok=True)

    def tidy(self, kinds: dict[int, str]) -> None:
        """Drops what backends keep of spaces that are gone or use another; ``kinds`` are those of the spaces that are there."""
        for kind in _OUTSIDE:
            if kind not in kinds.values() and not self._kept_here(kind):
                continue
            with suppress(BackendUnavailable, OSError, ValueError):
                for space_id in kept_spaces(kind, self._settings):
                    if kinds.get(space_id) != kind:
                        self._drop(
                            Followed(
                                open_index(kind, 1, space_id, self._settings),
                                kind,
                                _nowhere(space_id),
                                self._connections,
                            )
                        )

    def wipe(self) -> None:
        """Removes what the files of vector indexes hold of vectors that are gone; graphs are saved anew later, others made anew."""
        with self._lock:
            every = dict(self._loaded)
        for space_id, found in every.items():
            if not found.wipe():
                with self._lock:
                    self._loaded.pop(space_id, None)
                self._drop(found)
        if self._directory is not None:
            for path in self._directory.glob("vectors-*"):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Saves what can be loaded faster than made, and ends."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        for space_id, found in self._loaded.items():
            for path in self._files(space_id):
                found.save(path)
            found.index.close()
        self._loaded.clear()

    def _load(self, space: Space, kind: str) -> Followed:
        with self._lock:
            found = self._loaded.get(space.id)
            if found is not None and found.wanted == kind and found.index.dimensions == space.dimensions:
                self._loaded.move_to_end(space.id)
                return found
        with self._opening:
            return self._opened(space, kind)

    def _opened(self, space: Space, kind: str) -> Followed:
        found = self._loaded.get(space.id)
        if found is not None and found.wanted == kind and found.index.dimensions == space.dimensions:
            return found
        if found is not None:
            self.forget(space)
        with self._connections.reading() as connection:
            count = vector_rows.count(connection, space.low, space.high)
        chosen = automatic(count) if kind == "auto" else kind
        index = open_index(chosen, space.dimensions, space.id, self._settings)
        found = Followed(index, kind, space, self._connections)
        with self._lock:
            self._loaded[space.id] = found
        if chosen == "exact":
            found.follow()
            self._make_room()
        else:
            self._queue(space, found)
        return found

    def _queue(self, space: Space, found: Followed) -> None:
        with self._lock:
            job = self._jobs.get(space.id)
            if job is not None and not job.running() and not job.done():
                return
            with suppress(RuntimeError):
                self._jobs[space.id] = self._thread.submit(self._work, space, found)

    def _work(self, space: Space, found: Followed) -> None:
        try:
            if not found.ready:
                for path in self._files(space.id):
                    found.restore(path)
            found.follow()
            if found.wanted == "auto" and found.index.kind == "exact" and automatic(len(found.index)) == "hnsw":
                found = self._grown(space, found)
            found.improve()
            self.problems.pop(space.id, None)
        except (BackendUnavailable, apsw.Error, OSError) as error:
            self.problems[space.id] = str(error)
            _log.warning("vectors of namespace %s are searched row by row: %s", space.path, error)

    def _grown(self, space: Space, before: Followed) -> Followed:
        """A graph in place of an exact index, which answers until the graph has all."""
        index = open_index("hnsw", space.dimensions, space.id, self._settings)
        grown = Followed(index, before.wanted, space, self._connections)
        grown.follow()
        with self._lock:
            self._loaded[space.id] = grown
        # Rows that went meanwhile were told to the old one.
        grown.confirm()
        grown.follow()
        return grown

    def _drop(self, found: Followed) -> None:
        try:
            found.index.drop()
        except (BackendUnavailable, OSError) as error:
            _log.warning("what a vector index kept was not removed: %s", error)
        found.index.close()

    def _make_room(self) -> None:
        """Drops exact indexes that were not searched for longest, beyond a bound of memory: they are loaded again from the rows."""
        with self._lock:
            exact = [(key, item.index) for key, item in self._loaded.items() if item.index.kind == "exact"]
            held = sum(len(index) * index.dimensions * 4 for _, index in exact)
            for key, index in exact[:-1]:
                if held <= _EXACT_BYTES:
                    return
                held -= len(index) * index.dimensions * 4
                del self._loaded[key]

    def _kept_here(self, kind: str) -> bool:
        return self._directory is not None and (self._directory / kind).exists()

    def _files(self, space_id: int) -> list[Path]:
        return [] if self._directory is None else [self._directory / f"vectors-{space_id}.graph"]


def _nowhere(space_id: int) -> Space:
    return Space(space_id, "", 0, complete=False, vectors=False, model="", dimensions=1)
