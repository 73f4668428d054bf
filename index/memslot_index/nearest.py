"""The nearest vectors: compared row by row, or answered by an index and made complete by the rows that it has not followed yet."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import apsw

from memslot_index.database import vector_rows
from memslot_index.database.spaces import Space
from memslot_index.database.vector_rows import Portions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Nearest:
    """Ids (n,) and similarities (n,), best first, perhaps with some that are no longer there; of the rows as they were at ``seq``, or, where
    that is None, of all. ``nothing_since`` hears up to which later one no row of the space has changed."""

    ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    seq: int | None = None
    nothing_since: Callable[[int], None] | None = None


def scan(rows: Portions, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None) -> Nearest:
    """The nearest, by going through all ``rows`` of a space: slow, and right while there is no index that is ready."""
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    nobody = Nearest(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
    return _among(rows, nobody, vector, limit, within)


def completed(
    found: Nearest,
    connection: apsw.Connection,
    space: Space,
    vector: NDArray[np.float32],
    limit: int,
    within: NDArray[np.int64] | None,
) -> Nearest:
    """What an index has ``found``, and the rows that changed since."""
    if found.seq is None:
        return found
    last = vector_rows.last_seq(connection)
    changes = vector_rows.changes(lambda: nullcontext(connection), space.low, space.high, found.seq)
    portions = ((ids, vectors) for _, ids, vectors in changes)
    first = next(portions, None)
    if first is not None:
        return _among(chain([first], portions), found, vector, limit, within)
    if found.nothing_since is not None:
        # Else each search would pass by all that other spaces write.
        found.nothing_since(last)
    return found


def _among(
    portions: Portions, known: Nearest, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None
) -> Nearest:
    """The best of ``portions`` and of what is ``known`` already, which gives way to what portions say of the same id."""
    ids, scores = known.ids, known.scores
    for some, vectors in portions:
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        from memslot_index.vectors.scores import best, compare  # noqa: PLC0415

        older = np.isin(ids, some, invert=True)
        keep = slice(None) if within is None else np.isin(some, within)
        ids = np.concatenate([ids[older], some[keep]])
        scores = np.concatenate([scores[older], compare(vectors[keep], vector)])
        ids, scores = best(ids, scores, limit)
    return Nearest(ids, scores)
