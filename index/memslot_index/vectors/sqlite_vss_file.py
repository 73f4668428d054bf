"""Files of sqlite-vss: loading the extension, and telling whether what it would read is whole."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from types import TracebackType

import apsw
import sqlite_vss  # type: ignore[import-untyped]

from memslot_index.vectors.base import BackendMissing, BackendUnavailable

KIND = "sqlite-vss"
_RIVALS = ("hnswlib", "sqlite_vec")
_BEFORE = "usearch"
"""May be loaded after the extension, but not before: then the extension would abort the process."""
_CHUNK = 1 << 20


_loaded = False


class Answering:
    """Around each call: a failure of SQLite, as a full disk, becomes BackendUnavailable."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, apsw.Error):
            raise BackendUnavailable(KIND, f"{type(error).__name__}: {error}") from error


def check() -> None:
    """Raise BackendMissing if the extension cannot be loaded into this process."""
    connect(":memory:").close()


def connect(file: str) -> apsw.Connection:
    """Return a connection that has the extension. Raises BackendMissing."""
    global _loaded  # noqa: PLW0603 - of the process, as the extension is
    if rivals := [name for name in _RIVALS if name in sys.modules]:
        raise BackendMissing(
            KIND, f"{', '.join(rivals)} is loaded in this process, and beside it sqlite-vss would abort it"
        )
    if _BEFORE in sys.modules and not _loaded:
        raise BackendMissing(
            KIND,
            f"{_BEFORE} (hnsw) was loaded into this process first, and sqlite-vss would abort it: restart the sidecar",
        )
    connection = apsw.Connection(file)
    try:
        # First, whether it is a database at all: the extension would not say that this was what it stumbled over.
        connection.execute("PRAGMA schema_version")
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vss.vector_loadable_path())
        connection.load_extension(sqlite_vss.vss_loadable_path())
        # Its library of indexes is set up with the first table, not before.
        connection.execute("CREATE VIRTUAL TABLE temp.memslot_first USING vss0 (vector(1)); DROP TABLE memslot_first")
        _loaded = True
        connection.enable_load_extension(False)
    except apsw.ExtensionLoadingError as error:
        connection.close()
        raise BackendMissing(KIND, f"{error}; it needs `apt-get install libblas3 liblapack3 libgomp1`") from error
    except apsw.Error:
        connection.close()
        raise
    return connection


def is_sealed(path: Path, dimensions: int) -> bool:
    """Whether a file was saved, is whole, and of these dimensions. The extension is not needed to see that."""
    if not path.exists():
        return False
    connection = apsw.Connection(str(path))
    try:
        state = connection.execute("SELECT dimensions, seal FROM state").fetchall()
        return state == [(dimensions, checksum_of(connection))]
    except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
        return False
    finally:
        connection.close()


def checksum_of(connection: apsw.Connection) -> int:
    """Return the checksum of the index as it stands in the file."""
    checksum = 0
    for row in connection.execute("SELECT rowid FROM vectors_index").fetchall():
        with connection.blob_open("main", "vectors_index", "idx", int(str(row[0])), False) as blob:
            while chunk := blob.read(_CHUNK):
                checksum = zlib.crc32(chunk, checksum)
    return checksum
