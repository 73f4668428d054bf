"""The nearest vectors: compared row by row, or answered by an index and made complete by the rows that it has not followed yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memslot_index.database import vector_rows
from memslot_index.database.spaces import Space
from memslot_index.database.vector_rows import Portions, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Nearest:
    """Ids (n,) and similarities (n,), best first, perhaps with some that are no longer there; of the rows as they were at ``seq``, or, where
    that is None, of all."""

    ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    seq: int | None = None


def scan(
    reading: Reading, space: Space, vector: NDArray[np.float32], limit: int, within: NDArray[np.int64] | None
) -> Nearest:
    """The nearest of a space, by going through all rows: slow, and right while there is no index that is ready."""
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    nobody = Nearest(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
    return _among(vector_rows.portions(reading, space.low, space.high), nobody, vector, limit, within)


def completed(
    found: Nearest,
    reading: Reading,
    space: Space,
    vector: NDArray[np.float32],
    limit: int,
    within: NDArray[np.int64] | None,
) -> Nearest:
    """What an index has ``found``, and the rows that changed since."""
    if found.seq is None:
        return found
    changed = ((ids, vectors) for _, ids, vectors in vector_rows.changes(reading, space.low, space.high, found.seq))
    return _among(changed, found, vector, limit, within)


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
