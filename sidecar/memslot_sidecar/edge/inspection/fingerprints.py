"""A table of fingerprints: which slots may hold what hashes to one of them. Numbers in RAM; no text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memslot_sidecar.edge.inspection.readings import Flags
from memslot_sidecar.edge.inspection.sequences import Indices

Entries = NDArray[np.uint64]
_HALF = np.uint64(32)
_FEW = 1 << 16
_SHARE = 8


class Fingerprints:
    """Entries in order, each a fingerprint above the number of who has it: most of them in one array, new ones in a small one beside it.

    An array is never changed, so that who reads in another thread sees one state.
    """

    def __init__(self) -> None:
        self._levels: tuple[Entries, ...] = (np.zeros(0, np.uint64), np.zeros(0, np.uint64))

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def add(self, entries: Entries) -> None:
        """Adds entries that are in order."""
        large, small = self._levels
        small = _merged(small, entries)
        if len(small) > max(_FEW, len(large) // _SHARE):
            large, small = _merged(large, small), small[:0]
        self._levels = large, small

    def of(self, wanted: Flags) -> Fingerprints:
        """A table of the entries whose numbers are ``wanted``, which get new numbers, in the same order."""
        kept = Fingerprints()
        kept._levels = tuple(_renumbered(level, wanted, np.cumsum(wanted) - 1) for level in self._levels)
        return kept

    def holders(self, prints: NDArray[np.uint32]) -> Indices:
        """The numbers of those that have one of these fingerprints, which are in order; the same number may come several times."""
        first = prints.astype(np.uint64) << _HALF
        found = [_between(level, first, first + (np.uint64(1) << _HALF)) for level in self._levels if len(level)]
        numbers = np.concatenate(found) if found else np.zeros(0, np.uint64)
        return _numbers(numbers)

    def prints(self) -> NDArray[np.uint32]:
        """All fingerprints."""
        return np.concatenate([(level >> _HALF).astype(np.uint32) for level in self._levels])


def _numbers(entries: Entries) -> Indices:
    return (entries & np.uint64(2**32 - 1)).astype(np.int64)


def _renumbered(entries: Entries, wanted: Flags, renumbered: Indices) -> Entries:
    kept = entries[wanted[_numbers(entries)]]
    made: Entries = ((kept >> _HALF) << _HALF) | renumbered[_numbers(kept)].astype(np.uint64)
    return made


def _merged(left: Entries, right: Entries) -> Entries:
    if not len(left) or not len(right):
        return left if len(left) else right
    both = np.concatenate([left, right])
    both.sort(kind="stable")
    return both


def _between(level: Entries, first: Entries, behind: Entries) -> Entries:
    """What stands in ``level`` from each of ``first`` to each of ``behind``."""
    begin = np.searchsorted(level, first)
    counts = np.searchsorted(level, behind) - begin
    begin, counts = begin[counts > 0], counts[counts > 0]
    rows: Indices = np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    return level[rows]
