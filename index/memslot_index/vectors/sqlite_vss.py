"""sqlite-vss: a flat faiss index in an SQLite file. It is not maintained any more; offered because users name it, never a default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import apsw
import numpy as np

from memslot_index.vectors.base import BackendUnavailable, Ids, Scores, Vector, Vectors
from memslot_index.vectors.scores import best, checked, checked_query, compare
from memslot_index.vectors.sqlite_vss_file import KIND, Answering, checksum_of, connect, is_sealed

_VALUE_BYTES = 999_000_000
_LOOKUP = 1_024
_NEAREST = "SELECT rowid, distance FROM vectors WHERE vss_search(vector, vss_search_params(?, ?))"
_THESE = "SELECT rowid, vector FROM vectors WHERE rowid IN (SELECT value FROM json_each(?))"


class SqliteVssIndex:
    """Exact, in single precision, in memory and in a file; each put or removal writes the whole file anew, so give it batches.

    There can be as many vectors as SQLite takes bytes in one value: some 640,000 of 384 dimensions. All methods raise
    BackendUnavailable when that is exceeded or SQLite fails; a put or removal is then undone as a whole.

    The extension aborts the process when it reads a broken index. So a file is opened only if `save` has sealed it with a
    checksum since the last change; else, as after a crash, and when it is of other dimensions, it is begun anew.
    """

    kind = KIND

    def __init__(self, dimensions: int, path: Path | None = None) -> None:
        self.dimensions = dimensions
        self._path = path
        self._lock = Lock()
        with Answering():
            self._sealed = path is not None and is_sealed(path, dimensions)
            if not self._sealed:
                self._unlink()
            self._connection = self._open()

    def __len__(self) -> int:
        with self._lock, Answering():
            return self._count()

    def ids(self) -> Ids:
        """Return all ids, in no order."""
        with self._lock, Answering():
            rows = self._rows("SELECT rowid FROM vectors_data")
        return np.array([row[0] for row in rows], np.int64)

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids, all or none of them."""
        ids, vectors = checked(ids, vectors, self.dimensions)
        rows = ((slot, vector.tobytes()) for slot, vector in zip(ids.tolist(), vectors, strict=True))
        if not len(ids):
            return
        with self._changing():
            self._delete(ids)
            if self._count() + len(ids) > (most := _VALUE_BYTES // (4 * self.dimensions + 8)):
                raise BackendUnavailable(
                    KIND, f"there is room for {most} vectors of {self.dimensions} dimensions; use hnsw"
                )
            self._connection.executemany("INSERT INTO vectors (rowid, vector) VALUES (?, ?)", rows)

    def remove(self, ids: Ids) -> None:
        """Drop these ids, all or none of them; those that are not there are ignored."""
        if len(ids):
            with self._changing():
                self._delete(ids)

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> tuple[Ids, Scores]:
        """Return the nearest ids and their similarities, best first."""
        vector = checked_query(vector, self.dimensions)
        if within is not None:
            within = np.unique(within)
            return best(within, self.similarities(vector, within), limit)
        with self._lock, Answering():
            # A search for nothing, or of nothing, would abort the process.
            limit = min(limit, self._count())
            rows = self._rows(_NEAREST, vector.tobytes(), limit) if limit > 0 else []
        ids, scores = np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.float32)
        return best(ids, scores, limit)

    def similarities(self, vector: Vector, ids: Ids) -> Scores:
        """Return the similarity of each of these ids, NaN for one that is not there."""
        vector = checked_query(vector, self.dimensions)
        known: dict[int, float] = {}
        for start in range(0, len(ids), _LOOKUP):
            wanted = json.dumps(ids[start : start + _LOOKUP].tolist())
            with self._lock, Answering():
                rows = self._rows(_THESE, wanted)
            vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), self.dimensions)
            known.update(zip((row[0] for row in rows), compare(vectors, vector).tolist(), strict=True))
        return np.array([known.get(slot, np.nan) for slot in ids.tolist()], np.float32)

    def load(self, path: Path) -> int | None:  # noqa: ARG002 - it has a file of its own
        """Return up to which ``seq`` the file goes, or None if it was begun anew."""
        with self._lock, Answering():
            seq: int | None = self._rows("SELECT seq FROM state")[0][0]
        return seq

    def save(self, path: Path, seq: int) -> None:  # noqa: ARG002
        """Note in the file up to which ``seq`` it goes, and seal it."""
        with self._lock, Answering():
            self._durably("UPDATE state SET seq = ?, seal = ?", seq, checksum_of(self._connection))
            self._sealed = True

    def wipe(self) -> bool:
        """Write the file anew without what was removed; return True."""
        with self._lock, Answering():
            self._unseal()
            self._durably("VACUUM")
        return True

    def drop(self) -> None:
        """Delete the file."""
        self.close()
        self._unlink()

    def close(self) -> None:
        """Close the file."""
        with self._lock, Answering():
            self._connection.close()

    def _open(self) -> apsw.Connection:
        connection = connect(":memory:" if self._path is None else str(self._path))
        connection.execute("PRAGMA secure_delete = ON; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        if not self._sealed:
            connection.execute("CREATE TABLE state (dimensions INTEGER NOT NULL, seq INTEGER, seal INTEGER)")
            connection.execute("INSERT INTO state (dimensions) VALUES (?)", (self.dimensions,))
            columns = f"vector({self.dimensions}) metric_type=INNER_PRODUCT"
            connection.execute(f"CREATE VIRTUAL TABLE vectors USING vss0 ({columns})")
        return connection

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """One transaction. Until the next seal it need not survive a crash."""
        with self._lock, Answering():
            self._unseal()
            with self._connection:
                yield

    def _unseal(self) -> None:
        if self._sealed:
            self._durably("UPDATE state SET seal = NULL, seq = NULL")
            self._sealed = False

    def _durably(self, statement: str, *values: apsw.SQLiteValue) -> None:
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(statement, values)
        self._connection.execute("PRAGMA synchronous = OFF")

    def _rows(self, query: str, *values: apsw.SQLiteValue) -> list[Any]:
        return self._connection.execute(query, values).fetchall()

    def _count(self) -> int:
        return int(self._rows("SELECT count(*) FROM vectors_data")[0][0])

    def _delete(self, ids: Ids) -> None:
        """Delete those that are there; there is no UPDATE."""
        there = "SELECT rowid FROM vectors_data WHERE rowid IN (SELECT value FROM json_each(?))"
        rows = self._rows(there, json.dumps(ids.tolist()))
        self._connection.executemany("DELETE FROM vectors WHERE rowid = ?", rows)

    def _unlink(self) -> None:
        if self._path is not None:
            for suffix in ("", "-journal"):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
