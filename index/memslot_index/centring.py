"""Questions without what they share with everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memslot_index.database.vector_rows import Portions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TRUST = 100
_DRIFT = 0.05


class Centring:
    """The means of the spaces' vectors, each taken anew when the number of vectors has changed by a twentieth."""

    def __init__(self) -> None:
        self._means: dict[int, tuple[int, NDArray[np.float32]]] = {}

    def forget(self, space_id: int) -> None:
        """Drops a space's mean."""
        self._means.pop(space_id, None)

    def centred(
        self, space_id: int, count: int | None, vector: NDArray[np.float32], portions: Callable[[], Portions]
    ) -> NDArray[np.float32]:
        """A question's vector without what it shares with all ``count`` vectors of the space (None: as many as when it was last known),
        which makes some of them near to everything.

        ``q - n / (n + 100) m``, with the mean ``m`` of the ``n`` vectors (of the first of ``portions``, where there are many), at length
        1. (Suzuki, Hara, Shimbo, Saerens, Fukumizu: Centering Similarity Measures to Reduce Hubs, EMNLP 2013; the factor keeps a mean of
        few from counting much.)
        """
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        known, mean = self._means.get(space_id, (0, vector))
        count = known if count is None else count
        if abs(count - known) > known * _DRIFT or mean.shape != vector.shape:
            _, vectors = next(iter(portions()), (None, vector[None, :]))
            mean = vectors.mean(axis=0, dtype=np.float32)
            self._means[space_id] = count, mean
        moved = vector - count / (count + _TRUST) * mean
        length = float(np.linalg.norm(moved))
        return (moved / length).astype(np.float32) if length > 0 else vector
