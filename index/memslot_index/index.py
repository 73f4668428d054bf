"""The index of all namespaces: told what changed, it finds. It holds no body, and answers with names that its caller confirms.

Methods that change it must be called by one thread at a time; :meth:`Index.search` and what only reads may be called in any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from memslot_index import making, sizes
from memslot_index.beside import Beside
from memslot_index.candidates import Candidates, Search, Wanted
from memslot_index.changes import Change, Entry, Made, Removal, Waiting
from memslot_index.database import documents, schema, vector_rows
from memslot_index.database.connections import Connections, damaged, remove
from memslot_index.database.spaces import Space, Spaces
from memslot_index.database.stopping import Stop
from memslot_index.database.words import fulltext
from memslot_index.discarding import discard
from memslot_index.merging import Merging
from memslot_index.putting import Putting
from memslot_index.sizes import SizeChanged
from memslot_index.summary_cache import SummaryCache
from memslot_index.vector_spaces import VectorSpaces
from memslot_index.vectors.base import BackendMissing, BackendUnavailable
from memslot_index.vectors.choice import VectorSettings

_PORTION = 500
_LARGE = 5_000
"""Documents of a namespace, from which on it pays to search words and vectors in two threads."""
_HELPERS = 2


@dataclass(frozen=True, slots=True)
class SpaceStats:
    """One namespace's part: counts, the lowest revision that waits for a vector (0 for none), and what compares its vectors now."""

    documents: int
    vectors: int
    waiting: int
    oldest_waiting: int
    truncated: int
    kind: str
    model: str
    dimensions: int
    problem: str


class Index:
    """An index in ``directory``, or in memory where that is None."""

    def __init__(self, directory: Path | None, settings: VectorSettings) -> None:
        self._connections = Connections(directory)
        try:
            writer = self._connections.writer
            self._spaces = Spaces(writer)
            self._seq = vector_rows.last_seq(writer)
            self.summaries = SummaryCache(self._connections)
            self.merging = Merging(self._connections, self._spaces.words.numbers)
        except BaseException:
            self._connections.close()
            raise
        self.vectors = VectorSpaces(self._connections, settings, directory, self._seq)
        # In memory there is a single connection, which a search holds.
        self._helpers = None if directory is None else ThreadPoolExecutor(_HELPERS, "memslot-beside")
        self.fresh = self._connections.fresh

    @classmethod
    def opened(cls, directory: Path | None, settings: VectorSettings) -> Index:
        """The index of a directory; an empty one in place of one that is damaged. Raises apsw.Error, OSError."""
        try:
            return cls(directory, settings)
        except apsw.Error as error:
            if directory is None or not damaged(error):
                raise
            remove(directory)
            return cls(directory, settings)

    def put_away(self) -> None:
        """Removes the files; what is still open of them is of no use any more."""
        self._connections.put_away()

    def check_place(self) -> None:
        """Raises FileReplaced when the file that is open is no longer the one in the directory."""
        self._connections.check_place()

    def meta(self, key: str) -> str | int | None:
        """What was kept under ``key``."""
        with self._connections.reading() as connection:
            return schema.meta(connection, key)

    def set_meta(self, **values: str | int) -> None:
        """Keeps values."""
        with self._connections.writing() as connection:
            for key, value in values.items():
                schema.set_meta(connection, key, value)

    def space(self, path: str) -> Space | None:
        """The space of a namespace."""
        return self._spaces.get(path)

    def spaces(self) -> list[Space]:
        """All spaces."""
        return self._spaces.all()

    def paths(self) -> set[str]:
        """The namespaces of which anything is kept."""
        return {space.path for space in self._spaces.all()} | self.summaries.paths

    def apply(self, changes: Iterable[Change], watermark: int | None = None) -> None:
        """Indexes slots as they are now, and forgets those that are gone; all of it or nothing, ``watermark`` included."""
        latest = {(change.space, change.name): change for change in changes}
        by_space: dict[str, list[Change]] = {}
        for change in latest.values():
            by_space.setdefault(change.space, []).append(change)
        self._seq += 1
        before = [self._spaces.get(path) for path in by_space]
        for path, group in by_space.items():
            sizes.make_way(self._changing, self._spaces, path, group)
        touched = []
        with self._changing() as connection:
            for path, group in by_space.items():
                touched.append((path, self._apply(connection, path, group)))
            self.summaries.told(connection, latest.values())
            if watermark is not None:
                schema.set_meta(connection, "watermark", watermark)
        for space, (path, gone) in zip(before, touched, strict=True):
            self._tell(path, gone, space)
        self.summaries.announce()

    def add_vectors(self, path: str, made: Sequence[Made]) -> int:
        """Takes vectors that were made of documents, as far as these are still the same; returns how many."""
        self._seq += 1
        with self._changing() as connection:
            space = self._spaces.get(path)
            good = making.accept(connection, sizes.of_size(space, made), self._seq)
            if space is not None and good:
                self._spaces.put(replace(space, vectors=True))
        self._tell(path, [])
        return good

    def begin(self, path: str) -> Space:
        """The space of a namespace whose slots are about to be indexed all; incomplete until :meth:`completed`."""
        with self._changing():
            space = self._spaces.make(path, complete=False)
            return self._spaces.put(replace(space, complete=False))

    def completed(self, path: str) -> None:
        """Notes that all slots that a namespace had are in."""
        with self._changing():
            space = self._spaces.get(path)
            if space is not None:
                self._spaces.put(replace(space, complete=True))

    def use_model(self, path: str, model: str, dimensions: int) -> None:
        """Notes what makes a namespace's vectors; those of another model or size are dropped, in portions, and it is incomplete until all
        its slots were indexed anew."""
        with self._changing():
            space = self._spaces.make(path, complete=True)
            if (space.model, space.dimensions) == (model, dimensions):
                return
            self._spaces.put(replace(space, complete=False))
        discard(self._changing, space)
        with self._changing():
            self._spaces.put(replace(space, model=model, dimensions=dimensions, vectors=False, complete=False))
        self.vectors.forget(space)

    def use_writers(self, path: str) -> None:
        """Notes that a namespace's vectors are those that writers send; what a model made is dropped, and the others wait to be put again."""
        space = self._spaces.get(path)
        if space is not None and space.model:
            self.use_model(path, "", 0)

    def name_model(self, path: str, model: str, dimensions: int) -> None:
        """Notes what makes the vectors that are still missing, where those that are there have the same size."""
        with self._changing():
            space = self._spaces.get(path)
            if space is not None and not space.model and space.dimensions in (0, dimensions):
                self._spaces.put(replace(space, model=model, dimensions=dimensions))

    def reset(self) -> None:
        """Removes everything."""
        for space in self._spaces.all():
            self.drop(space.path)
        for path in list(self.summaries.paths):
            self.summaries.drop(path)
        with self._connections.writing() as connection:
            connection.execute("DELETE FROM meta WHERE key <> 'seq'")

    def drop(self, path: str) -> None:
        """Removes all that is indexed of a namespace, in portions."""
        space = self._spaces.get(path)
        while space is not None:
            with self._changing() as connection:
                gone = documents.remove_range(connection, space.low, space.high, _PORTION)
                fulltext(connection, space.words, space.shift).remove(gone)
                self.merging.written(space.words)
                vector_rows.remove(connection, gone)
                if len(gone) < _PORTION:
                    self._spaces.remove(space)
            if len(gone) < _PORTION:
                self.vectors.forget(space)
                return

    def names(self, path: str, after: str, limit: int) -> list[str]:
        """Names that are indexed, in order."""
        space = self._spaces.get(path)
        if space is None:
            return []
        with self._connections.reading() as connection:
            return [row.name for row in documents.page(connection, space.id, after, limit)]

    def summarised(self, path: str, after: str, limit: int) -> list[str]:
        """Names that have a summary or wait for one, in order."""
        return self.summaries.names(path, after, limit)

    def waiting(self, path: str, limit: int) -> list[Waiting]:
        """Documents of a namespace that wait for a vector, longest first."""
        space = self._spaces.get(path)
        if space is None:
            return []
        with self._connections.reading() as connection:
            return making.waiting(connection, space, limit)

    def oldest_waiting(self, path: str) -> int:
        """The lowest revision of a namespace that waits for a vector; 0 when none does."""
        space = self._spaces.get(path)
        if space is None:
            return 0
        with self._connections.reading() as connection:
            return documents.oldest_waiting(connection, space.id)

    def waiting_paths(self) -> list[str]:
        """The namespaces that have documents without a vector."""
        with self._connections.reading() as connection:
            waiting = set(documents.waiting_spaces(connection))
        return [space.path for space in self._spaces.all() if space.id in waiting]

    def warm(self, kinds: dict[int, str]) -> None:
        """Loads what takes long to load, and drops what nobody uses; ``kinds`` are those of the spaces' vector indexes."""
        self.vectors.tidy(kinds)
        # sqlite-vss is only loaded before hnsw.
        for space in sorted(self._spaces.all(), key=lambda space: kinds.get(space.id) != "sqlite-vss"):
            if space.dimensions and space.id in kinds:
                self.vectors.warm(space, kinds[space.id])

    def waiting_counts(self) -> dict[str, tuple[int, int]]:
        """By namespace: how many documents wait for a vector, and the lowest of their revisions."""
        with self._connections.reading() as connection:
            counts = documents.waiting_counts(connection)
        return {space.path: counts[space.id] for space in self._spaces.all() if space.id in counts}

    def search(self, path: str, wanted: Wanted, stop: Stop) -> Candidates:
        """Who may be meant. Raises SizeChanged, and apsw.InterruptError when it was stopped."""
        space = self._spaces.get(path)
        if space is None:
            return Candidates()
        if wanted.vector is not None and space.dimensions:
            self._open_vectors(space, wanted.kind)
        with self._connections.stoppable(stop), self._connections.reading() as connection:
            now = self._spaces.read(connection, path)
            if now is None:
                return Candidates()
            if wanted.vector is not None and now.dimensions not in (0, len(wanted.vector)):
                raise SizeChanged(path)
            taken = self._spaces.taken(now.words)
            return Search(connection, now, self.vectors, wanted, taken, self._beside(now, stop)).run()

    def stats(self, path: str) -> SpaceStats | None:
        """A namespace's part of the index."""
        space = self._spaces.get(path)
        if space is None:
            return None
        with self._connections.reading() as connection:
            return SpaceStats(
                documents=documents.count(connection, space.id),
                vectors=vector_rows.count(connection, space.low, space.high),
                waiting=documents.waiting_count(connection, space.id),
                oldest_waiting=documents.oldest_waiting(connection, space.id),
                truncated=documents.truncated_count(connection, space.id),
                kind=self.vectors.kind(space),
                model=space.model,
                dimensions=space.dimensions,
                problem=self.vectors.problems.get(space.id, ""),
            )

    def count(self) -> int:
        """How many documents there are."""
        with self._connections.reading() as connection:
            return documents.count(connection)

    def file_bytes(self) -> int:
        """Size of the index's file."""
        return self._connections.file_bytes()

    def wipe(self) -> None:
        """Writes the file anew without what is gone, and truncates its log. Raises apsw.BusyError while somebody reads the old pages."""
        with self._connections.writing() as connection:
            for number in self._spaces.words.numbers:
                fulltext(connection, number).wipe()
        self._connections.vacuum()
        self.vectors.wipe()

    def check(self) -> list[str]:
        """What is wrong with the file, its full text included, a line each. May be called in any thread, and keeps nobody waiting."""
        return self._connections.check()

    def close(self, *, keep: bool = True) -> None:
        """Closes the index, and saves what can be loaded faster than made, if there is something to ``keep``."""
        if self._helpers is not None:
            self._helpers.shutdown()
        self.vectors.close(keep=keep)
        self._connections.close()

    @contextmanager
    def _changing(self) -> Iterator[apsw.Connection]:
        """A transaction after whose failure the remembered spaces are read anew."""
        try:
            with self._connections.writing() as connection:
                yield connection
        except BaseException:
            self._spaces.reload()
            raise

    def _beside(self, space: Space, stop: Stop) -> Beside | None:
        """The threads that help to search a large namespace; None where that would take longer."""
        if self._helpers is None or space.next_local <= _LARGE:
            return None
        return Beside(self._helpers, self._connections, stop)

    def _open_vectors(self, space: Space, kind: str) -> None:
        """Without what compares them, vectors are searched row by row."""
        try:
            self.vectors.open(space, kind)
        except (BackendUnavailable, BackendMissing) as error:
            self.vectors.problems[space.id] = str(error)
        except ValueError as error:
            raise SizeChanged(space.path) from error

    def _tell(self, path: str, gone: Sequence[int], before: Space | None = None) -> None:
        """Says that vectors of a space changed; of one that is gone, or has vectors of another size than ``before``, nothing is left."""
        space = self._spaces.get(path)
        if before is not None and before.dimensions and (space is None or space.dimensions != before.dimensions):
            self.vectors.forget(before)
        if space is not None and space.dimensions:
            self.vectors.changed(space, gone)

    def _apply(self, connection: apsw.Connection, path: str, changes: Sequence[Change]) -> list[int]:
        """Applies the changes of one namespace; returns the ids whose vectors are gone."""
        space = self._spaces.get(path)
        entries = [change for change in changes if isinstance(change, Entry)]
        if space is None and not entries:
            return []
        space = space or self._spaces.make(path, complete=True)
        self.merging.written(space.words)
        there = documents.named(connection, [(space.id, change.name) for change in changes])
        known = {row.name: row for row in there if row is not None}
        gone = [known[change.name].id for change in changes if isinstance(change, Removal) and change.name in known]
        if gone:
            documents.remove(connection, gone)
            fulltext(connection, space.words, space.shift).remove(gone)
        entries = sizes.fitting(self._spaces, path, entries)
        put = Putting(connection, fulltext(connection, space.words, space.shift), self._spaces, self._seq).put(
            space, entries, known
        )
        dropped: list[int] = []
        if space.dimensions and (gone or put.changed):
            unsettled = making.unsettle(connection, [*gone, *put.changed])
            dropped = vector_rows.remove(connection, [*gone, *put.stale, *unsettled])
            sizes.emptied(connection, self._spaces, path)
        if gone and not entries and not documents.page(connection, space.id, "", 1) and space.complete:
            self._spaces.remove(space)
        return dropped
