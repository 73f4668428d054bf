"""What is indexed of all namespaces, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memslot_index.index import Index

_SLOWEST = 100


@dataclass(frozen=True, slots=True)
class Overview:
    """Sums over all namespaces; ``slowest`` are those with the most slots that wait for a vector."""

    documents: int = 0
    waiting: int = 0
    file_bytes: int = 0
    slowest: Sequence[str] = ()


def overview(index: Index) -> Overview:
    """The sums of an index."""
    counts = index.waiting_counts()
    return Overview(
        documents=index.count(),
        waiting=sum(count for count, _ in counts.values()),
        file_bytes=index.file_bytes(),
        slowest=sorted(counts, key=lambda path: (-counts[path][0], path))[:_SLOWEST],
    )
