"""Sets of revisions, or of other numbers that are given without gaps, a bit each: a hundred million of them take 20 MB."""

from __future__ import annotations

from collections.abc import Iterator

Range = tuple[int, int]
"""First and last, both included."""

_BITS = 1 << 11
_FULL = (1 << _BITS) - 1


class RevisionSet:
    """Revisions from 1. One that is far from all others, as damage may make it, takes no more room than any."""

    def __init__(self) -> None:
        self._chunks: dict[int, bytearray] = {}
        self.first = 0
        self.last = 0
        self.count = 0

    def add(self, revision: int) -> bool:
        """Adds a revision; False when it was there."""
        number, at = divmod(revision, _BITS)
        chunk = self._chunks.get(number)
        if chunk is None:
            chunk = self._chunks[number] = bytearray(_BITS >> 3)
        bit = 1 << (at & 7)
        if chunk[at >> 3] & bit:
            return False
        chunk[at >> 3] |= bit
        self.first = min(self.first, revision) if self.first else revision
        self.last = max(self.last, revision)
        self.count += 1
        return True

    def __contains__(self, revision: int) -> bool:
        number, at = divmod(revision, _BITS)
        chunk = self._chunks.get(number)
        return chunk is not None and bool(chunk[at >> 3] & 1 << (at & 7))

    def missing(self, first: int, last: int) -> Iterator[Range]:
        """Ranges of the revisions between two, both included, that are not here."""
        start = first
        for there_first, there_last in self._ranges(first, last):
            if there_first > start:
                yield start, there_first - 1
            start = there_last + 1
        if start <= last:
            yield start, last

    def _ranges(self, first: int, last: int) -> Iterator[Range]:
        """Ranges of those that are here, in order; two of them may touch."""
        for number in sorted(self._chunks):
            base = number * _BITS
            low, high = max(first, base), min(last, base + _BITS - 1)
            if low <= high:
                yield from _runs(self._chunks[number], base, low, high)


def _runs(chunk: bytearray, base: int, low: int, high: int) -> Iterator[Range]:
    """Ranges of a chunk's bits between two numbers."""
    bits = int.from_bytes(chunk, "little")
    if bits == _FULL:
        yield low, high
        return
    number = low
    while number <= high:
        rest = bits >> (number - base)
        if not rest:
            return
        number += (rest & -rest).bit_length() - 1
        if number > high:
            return
        rest = bits >> (number - base)
        length = (~rest & (rest + 1)).bit_length() - 1
        yield number, min(number + length - 1, high)
        number += length
