"""The seam between search and whatever holds vectors: one index a namespace, derived from the table of vectors, so it may be rebuilt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ids: TypeAlias = "NDArray[np.int64]"
"""Shape (n,): positive and different from each other."""
Vector: TypeAlias = "NDArray[np.float32]"
"""Shape (dimensions,): finite, of length 1."""
Vectors: TypeAlias = "NDArray[np.float32]"
"""Shape (n, dimensions): finite rows of length 1."""
Scores: TypeAlias = "NDArray[np.float32]"
"""Shape (n,): cosine similarities."""


class BackendMissing(ValueError):
    """A backend was chosen whose library cannot be loaded here. Only installing it helps; the message says what."""

    def __init__(self, kind: str, remedy: str) -> None:
        super().__init__(f"vector backend {kind!r} cannot be used: {remedy}")
        self.kind = kind


class BackendUnavailable(ConnectionError):
    """A backend that lives elsewhere does not answer. What was asked may or may not have been done; all calls can be repeated."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"vector backend {kind!r} does not answer: {reason}")
        self.kind = kind


class VectorIndex(Protocol):
    """The vectors of one namespace under their ids.

    All methods may be called from any thread at any time; a search sees a put or a removal as a whole or, in a batch, id by id.
    Each may raise ValueError, for a wrong shape. A backend with a server or a file of its own raises BackendUnavailable too; a
    retry is safe, and helps unless the message says otherwise.
    """

    kind: str
    dimensions: int

    def __len__(self) -> int:
        """Return the number of vectors."""

    def ids(self) -> Ids:
        """Return all ids, in no order. Whoever holds the table compares them with it after a crash."""

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids, new ones and such that are there."""

    def remove(self, ids: Ids) -> None:
        """Drop these ids; those that are not there are ignored."""

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> tuple[Ids, Scores]:
        """Return the ids nearest to ``vector`` and their similarities, best first.

        There are always ``min(limit, len(self))`` of them, all different, if need be from an exhaustive search. With ``within``
        the search is among these ids only, and exact.
        """

    def similarities(self, vector: Vector, ids: Ids) -> Scores:
        """Return the similarity of each of these ids, in their order; NaN for an id that is not there."""

    def wipe(self) -> bool:
        """Overwrite what is still held, in memory or in files of its own, of vectors that were removed; return whether it could."""

    def drop(self) -> None:
        """Remove everything, in files or on a server too. Only `close` may be called afterwards."""

    def close(self) -> None:
        """Free what is held in memory. Nothing else may be called afterwards."""


@runtime_checkable
class Durable(VectorIndex, Protocol):
    """An index that outlives the process. It may come back with fewer or more vectors than the table has: compare `ids`."""

    def load(self, path: Path) -> int | None:
        """Take over what was saved under ``path``, or is kept elsewhere; return up to which ``seq`` of the table it goes.

        None when there is nothing that can be trusted: then the index is empty, or all of the table has to be put again.
        """

    def save(self, path: Path, seq: int) -> None:
        """Make durable what it holds, and that it has all changes of the table up to ``seq``. Raises OSError."""
