"""Vectors as they are kept: half-precision floats by document id. What compares them is derived from these rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

import apsw

from memslot_index.database.rows import fetch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PORTION = 4096

Portions: TypeAlias = "Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]]"
"""Some vectors after others: ids (n,) and vectors (n, d)."""
Reading = Callable[[], AbstractContextManager[apsw.Connection]]

_ALL = "SELECT id, vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"
# A seq is one commit's, which has few rows; the index holds the id too.
_CHANGED = (
    "SELECT id, vector, seq FROM vectors INDEXED BY vectors_by_seq"
    " WHERE seq >= ? AND (seq > ? OR id > ?) AND id BETWEEN ? AND ? ORDER BY seq, id LIMIT ?"
)
# A file that is older than the entry in meta has none.
_LAST = (
    "SELECT max(coalesce((SELECT max(seq) FROM vectors), 0), coalesce((SELECT value FROM meta WHERE key = 'seq'), 0))"
)


def put(connection: apsw.Connection, rows: Sequence[tuple[int, bytes]], seq: int) -> None:
    """Keeps vectors (little-endian float32) under their ids, as of ``seq``, which grows with every change."""
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    halves = [(id_, seq, np.frombuffer(vector, dtype="<f4").astype("<f2").tobytes()) for id_, vector in rows]
    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", halves)
    if halves:
        # A number that came twice would have an index that was saved in between take one change for the other.
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('seq', ?)", (seq,))


def remove(connection: apsw.Connection, ids: Iterable[int]) -> list[int]:
    """Removes vectors; returns the ids of those that were there."""
    wanted = json.dumps(list(ids))
    rows = fetch(connection, "SELECT v.id FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value", (wanted,))
    if rows:
        connection.execute("DELETE FROM vectors WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
    return [row[0] for row in rows]


def there(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """Those of ``ids`` that have a vector."""
    rows = fetch(
        connection,
        "SELECT v.id FROM json_each(?) j CROSS JOIN vectors v INDEXED BY vectors_by_id ON v.id = j.value",
        (json.dumps(list(ids)),),
    )
    return {row[0] for row in rows}


def of(connection: apsw.Connection, ids: Iterable[int]) -> dict[int, bytes]:
    """The vectors (little-endian float16) of ``ids`` that have one."""
    rows = fetch(
        connection,
        "SELECT v.id, v.vector FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value",
        (json.dumps(list(ids)),),
    )
    return dict(rows)


def count(connection: apsw.Connection, low: int, high: int) -> int:
    """How many vectors there are between two ids; their rows are not read."""
    rows = fetch(
        connection, "SELECT count(*) FROM vectors INDEXED BY vectors_by_id WHERE id BETWEEN ? AND ?", (low, high)
    )
    return int(rows[0][0])


def any_between(connection: apsw.Connection, low: int, high: int) -> bool:
    """Whether there is a vector between two ids."""
    return bool(fetch(connection, "SELECT 1 FROM vectors WHERE id BETWEEN ? AND ? LIMIT 1", (low, high)))


def remove_range(connection: apsw.Connection, low: int, high: int) -> None:
    """Removes the vectors between two ids."""
    connection.execute("DELETE FROM vectors WHERE id BETWEEN ? AND ?", (low, high))


def last_seq(connection: apsw.Connection) -> int:
    """The highest seq that there ever was, of rows that are gone too."""
    return int(fetch(connection, _LAST)[0][0])


def portions(reading: Reading, low: int, high: int) -> Portions:
    """The vectors between two ids. Each portion is read by itself: one that goes meanwhile may have come before."""
    while True:
        with reading() as connection:
            rows = fetch(connection, _ALL, (low, high, PORTION))
        if not rows:
            return
        yield _arrays(rows)
        low = rows[-1][0] + 1


def changes(
    reading: Reading, low: int, high: int, after_seq: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float32]]]:
    """The vectors between two ids that changed after ``after_seq``, in portions, oldest first: the ``seq`` of the portion's last, ids (n,)
    and vectors (n, d). Each is read by itself: rows that change meanwhile may come twice."""
    last = (after_seq, high)
    while True:
        with reading() as connection:
            rows = fetch(connection, _CHANGED, (last[0], last[0], last[1], low, high, PORTION))
        if not rows:
            return
        last = (rows[-1][2], rows[-1][0])
        yield last[0], *_arrays(rows)


def arrays(connection: apsw.Connection, wanted: Iterable[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The vectors of those ids that have one: ids (n,) and vectors (n, d), or (0, 0) when none has."""
    return _arrays(list(of(connection, wanted).items()))


def ids(connection: apsw.Connection, low: int, high: int) -> NDArray[np.int64]:
    """All ids between two that have a vector."""
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    rows = fetch(connection, "SELECT id FROM vectors WHERE id BETWEEN ? AND ?", (low, high))
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))


def _arrays(rows: Sequence[Any]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    size = len(rows[0][1]) // 2 if rows else 0
    vectors = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f2").reshape(len(rows), size).astype(np.float32)
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows)), vectors
