"""What compares the vectors of each space: loaded when it is needed, kept in step with the rows, made anew when it is not.

The rows of the index's file are the truth. An exact index follows them in the writer's thread; everything else follows in a thread of
its own, from the rows that changed since, so that nothing has to be kept in memory for it. Until one is ready its space is searched
row by row, which is slow and right.

Whoever holds a connection to read waits for nothing here: an index is opened before, by :meth:`VectorSpaces.open`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memslot_index.centring import Centring
from memslot_index.database import vector_rows
from memslot_index.database.connections import Connections
from memslot_index.database.spaces import Space
from memslot_index.database.vector_rows import Portions
from memslot_index.followed import Followed
from memslot_index.nearest import Nearest, scan
from memslot_index.sizes import SizeChanged
from memslot_index.vector_failures import Failures
from memslot_index.vector_files import OUTSIDE, VectorFiles
from memslot_index.vectors.base import BackendUnavailable
from memslot_index.vectors.choice import AUTO_THRESHOLD, VectorSettings, automatic, open_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memslot_index.vectors.base import VectorIndex

_log = logging.getLogger(__name__)

_EXACT_BYTES = 256 << 20
_SMALLEST = 16


class VectorSpaces:
    """All spaces' vector indexes. Its methods may be called in any thread. ``opened_seq`` is the last change of the rows at the start."""

    def __init__(
        self, connections: Connections, settings: VectorSettings, directory: Path | None, opened_seq: int
    ) -> None:
        self._connections = connections
        self._settings = settings
        self._files = VectorFiles(settings, directory)
        self._opened_seq = opened_seq
        self._loaded: OrderedDict[int, Followed] = OrderedDict()
        self._growing: dict[int, Followed] = {}
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._ending = threading.Event()
        self._thread = ThreadPoolExecutor(1, "memslot-vectors")
        self._centring = Centring()
        self._jobs: dict[int, Future[None]] = {}
        self._failures = Failures()
        self.problems = self._failures.problems

    def kind(self, space: Space) -> str:
        """What compares a space's vectors now; empty when nothing was loaded yet."""
        found = self._loaded.get(space.id)
        return "" if found is None else found.index.kind

    def open(self, space: Space, kind: str) -> None:
        """Loads a space's index, or begins to; one that failed is tried again now and then. Raises BackendUnavailable, BackendMissing,
        apsw.Error."""
        found = self._at_hand(space, kind)
        if found is None:
            with self._opening:
                if self._at_hand(space, kind) is None:
                    self._open(space, kind)
        elif self._failures.due(space.id):
            self._try_again(space, found)

    def search(
        self, space: Space, kind: str, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None
    ) -> Nearest:
        """The nearest, as far as what compares them has followed. Raises SizeChanged."""
        found = self._at_hand(space, kind)
        if found is not None and found.ready:
            try:
                near = found.search(vector, limit, within)
            except BackendUnavailable as error:
                self._failed(found, error)
            else:
                # One that was dropped meanwhile may have been empty by then.
                if not found.dropped:
                    return near
        return scan(self._rows(space), vector, limit, within)

    def centred(self, space: Space, kind: str, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """A question's vector without what it shares with all vectors of the space. Raises SizeChanged."""
        found = self._at_hand(space, kind)
        count = None if found is None or not found.ready else found.count
        return self._centring.centred(space.id, count, vector, lambda: self._rows(space))

    def changed(self, space: Space, removed: Sequence[int]) -> None:
        """Follows a commit that changed rows of the space's vectors; ``removed`` are those that are gone."""
        with self._lock:
            found, growing = self._loaded.get(space.id), self._growing.get(space.id)
        if growing is not None:
            growing.gone(removed)
        if found is None:
            return
        if found.index.dimensions != space.dimensions:
            # Somebody has opened it for vectors that were just going.
            self.forget(space)
            return
        found.gone(removed)
        if found.index.kind == "exact" and found.ready:
            found.follow()
            if found.wanted != "auto" or automatic(len(found.index)) == "exact":
                return
        self._queue(space)

    def warm(self, space: Space, kind: str) -> None:
        """Loads a space's index in the background, if that takes long."""
        with self._connections.reading() as connection:
            large = vector_rows.count(connection, space.low, space.high) > AUTO_THRESHOLD
        if large or kind in OUTSIDE:
            with suppress(BackendUnavailable, OSError):
                self.open(space, kind)

    def job(self, space: Space) -> Future[None] | None:
        """What is done when the space's index has followed all commits; None when it has."""
        return self._jobs.get(space.id)

    def forget(self, space: Space) -> None:
        """Drops a space's index, its files included."""
        with self._lock:
            found = self._loaded.pop(space.id, None)
            self._failures.well(space.id)
            self._centring.forget(space.id)
        if found is not None:
            self._drop(found)
        self._files.with_graph(space.id, lambda path: path.unlink(missing_ok=True))

    def tidy(self, kinds: dict[int, str]) -> None:
        """Drops what is kept in files of spaces that are gone or use another kind; ``kinds`` are those of the spaces that are there."""
        self._files.tidy(kinds)

    def wipe(self) -> None:
        """Removes what the files of vector indexes hold of vectors that are gone; graphs are saved anew later, others made anew.

        Raises BackendUnavailable, OSError.
        """
        with self._lock:
            every = dict(self._loaded)
            for found in (*every.values(), *self._growing.values()):
                found.erased = True
        with self._opening:
            for space_id, found in every.items():
                if not found.wipe():
                    with self._lock:
                        self._loaded.pop(space_id, None)
                    self._drop(found)
            with self._lock:
                used = [space_id for space_id, found in self._loaded.items() if found.index.kind == "sqlite-vss"]
            self._files.wipe(used)

    def close(self, *, keep: bool = True) -> None:
        """Ends; what can be loaded faster than made is saved, if there is something to ``keep``."""
        self._ending.set()
        self._thread.shutdown(wait=True, cancel_futures=True)
        for space_id, found in self._loaded.items():
            if keep:
                self._files.with_graph(space_id, found.save)
            found.index.close()
        self._loaded.clear()

    def _at_hand(self, space: Space, kind: str) -> Followed | None:
        with self._lock:
            found = self._loaded.get(space.id)
            if found is None or found.wanted != kind or found.index.dimensions != space.dimensions:
                return None
            self._loaded.move_to_end(space.id)
            return found

    def _open(self, space: Space, kind: str) -> None:
        with self._lock:
            stale = space.id in self._loaded
        if stale:
            self.forget(space)
        with self._connections.reading() as connection:
            count = vector_rows.count(connection, space.low, space.high)
        chosen = automatic(count) if kind == "auto" else kind
        index = open_index(chosen, space.dimensions, space.id, self._settings)
        found = Followed(index, kind, space, self._connections, self._ending)
        with self._lock:
            self._loaded[space.id] = found
        if chosen == "exact":
            found.follow()
            self._failures.well(space.id)
            self._make_room()
        else:
            self._queue(space)

    def _queue(self, space: Space) -> None:
        with self._lock:
            job = self._jobs.get(space.id)
            if job is not None and not job.running() and not job.done():
                return
            with suppress(RuntimeError):
                self._jobs[space.id] = job = self._thread.submit(self._work, space)
        if job is not None:
            job.add_done_callback(lambda done: self._done(space.id, done))

    def _done(self, space_id: int, job: Future[None]) -> None:
        with self._lock:
            if self._jobs.get(space_id) is job:
                del self._jobs[space_id]

    def _work(self, space: Space) -> None:
        with self._lock:
            found = self._loaded.get(space.id)
        if found is None:
            return
        try:
            if not found.ready:
                self._files.with_graph(space.id, partial(found.restore, opened_seq=self._opened_seq))
            found.follow()
            if found.wanted == "auto" and found.index.kind == "exact" and automatic(len(found.index)) == "hnsw":
                found = self._grown(space, found)
            found.improve()
            self._failures.well(space.id)
        except (BackendUnavailable, apsw.Error, OSError, RuntimeError, ValueError) as error:
            # Of an index that was dropped meanwhile nothing is missing.
            if self._loaded.get(space.id) is found:
                self._failed(found, error)
                _log.warning("vectors of namespace %s are searched row by row: %s", space.path, error)

    def _failed(self, found: Followed, error: Exception) -> None:
        """What is behind, or does not answer, is not asked until it has followed again; an exact index has only not grown."""
        found.ready = found.ready and found.index.kind == "exact"
        self._failures.failed(found.space.id, error)

    def _try_again(self, space: Space, found: Followed) -> None:
        """Lets an index that failed follow again. Chroma's is opened anew, since its collection may be another one."""
        with self._lock:
            if not self._failures.due(space.id) or space.id in self._jobs or self._loaded.get(space.id) is not found:
                return
            self._failures.trying(space.id)
            anew = found.index.kind == "chroma"
            if anew:
                index = open_index("chroma", space.dimensions, space.id, self._settings)
                self._loaded[space.id] = Followed(index, found.wanted, space, self._connections, self._ending)
        self._queue(space)
        if anew:
            with suppress(BackendUnavailable):
                found.index.close()

    def _grown(self, space: Space, before: Followed) -> Followed:
        """A graph in place of an exact index, which answers until the graph has all."""
        index = open_index("hnsw", space.dimensions, space.id, self._settings)
        grown = Followed(index, before.wanted, space, self._connections, self._ending)
        with self._lock:
            self._growing[space.id] = grown
        try:
            grown.follow()
            with self._lock:
                if not grown.ready or self._loaded.get(space.id) is not before:
                    return before
                self._loaded[space.id] = grown
        finally:
            with self._lock:
                del self._growing[space.id]
        grown.follow()
        return grown

    def _rows(self, space: Space) -> Portions:
        """All vectors of a space. Raises SizeChanged where others are there by now."""
        for ids, vectors in vector_rows.portions(self._connections.reading, space.low, space.high):
            if vectors.shape[1] != space.dimensions:
                raise SizeChanged(space.path)
            yield ids, vectors

    def _drop(self, found: Followed) -> None:
        found.dropped = True
        try:
            found.index.drop()
        except (BackendUnavailable, OSError) as error:
            _log.warning("what a vector index kept was not removed: %s", error)
        found.index.close()

    def _make_room(self) -> None:
        """Drops exact indexes that were not searched for longest, beyond a bound of memory: they are loaded again from the rows."""
        with self._lock:
            exact = [(key, _bytes(item.index)) for key, item in self._loaded.items() if item.index.kind == "exact"]
            held = sum(size for _, size in exact)
            for key, size in exact[:-1]:
                if held <= _EXACT_BYTES:
                    return
                held -= size
                del self._loaded[key]


def _bytes(index: VectorIndex) -> int:
    """About what an exact index takes in memory; one with a single vector has room for more."""
    return max(len(index), _SMALLEST) * index.dimensions * 4
