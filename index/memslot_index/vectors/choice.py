"""Which index a namespace has: a backend is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from memslot_index.vectors.base import BackendMissing

if TYPE_CHECKING:
    from memslot_index.vectors.base import VectorIndex

_MODULES = {
    "exact": "memslot_index.vectors.exact",
    "hnsw": "memslot_index.vectors.hnsw",
}
KINDS = tuple(_MODULES)
AUTO_THRESHOLD = 20_000
"""Up to so many vectors an automatic index is exact."""
_REMEDIES = {
    "exact": "install numpy, as `pip install 'memslot[vectors]'` does",
    "hnsw": "install numpy and usearch, as `pip install 'memslot[vectors]'` does",
}


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """What all indexes of one store have in common: ``threads`` is how many a put into a graph may use."""

    threads: int = 1


def automatic(count: int, present: str = "exact") -> str:
    """Return what an automatic index of ``count`` vectors is: ``exact`` up to AUTO_THRESHOLD, ``hnsw`` above.

    One that is ``present`` as ``hnsw`` stays so until it has shrunk to half the threshold, so that it is not built again and again.
    """
    most = AUTO_THRESHOLD // 2 if present == "hnsw" else AUTO_THRESHOLD
    return "exact" if count <= most else "hnsw"


def check_backend(kind: str) -> None:
    """Raise BackendMissing if this kind of index cannot be used here, ValueError if there is none of this name."""
    if kind not in KINDS:
        raise ValueError(f"vector backend {kind!r} is none of {', '.join(KINDS)}")
    try:
        import_module(_MODULES[kind])
    except ImportError as error:
        raise BackendMissing(kind, f"{error}; {_REMEDIES[kind]}") from error


def open_index(kind: str, dimensions: int, space: int, settings: VectorSettings) -> VectorIndex:  # noqa: ARG001 - indexes in memory need no number
    """Return the index of the namespace number ``space``. Raises what `check_backend` raises."""
    check_backend(kind)
    if kind == "exact":
        from memslot_index.vectors.exact import ExactIndex  # noqa: PLC0415 - imported when chosen

        return ExactIndex(dimensions)
    from memslot_index.vectors.hnsw import HnswIndex  # noqa: PLC0415

    return HnswIndex(dimensions, settings.threads)
