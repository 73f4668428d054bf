"""Sets of revisions, or of other numbers that are given without gaps, a bit each: a hundred million of them take 12 MB."""

from __future__ import annotations

from collections.abc import Iterator

Range = tuple[int, int]
"""First and last, both included."""


class RevisionSet:
    """Revisions from 1."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self.first = 0
        self.last = 0
        self.count = 0

    def add(self, revision: int) -> bool:
        """Adds a revision; False when it was there."""
        byte, bit = revision >> 3, 1 << (revision & 7)
        if byte >= len(self._bits):
            self._bits.extend(bytes(max(byte + 1 - len(self._bits), len(self._bits) // 2)))
        if self._bits[byte] & bit:
            return False
        self._bits[byte] |= bit
        self.first = min(self.first, revision) if self.first else revision
        self.last = max(self.last, revision)
        self.count += 1
        return True

    def __contains__(self, revision: int) -> bool:
        byte = revision >> 3
        return byte < len(self._bits) and bool(self._bits[byte] & 1 << (revision & 7))

    def missing(self, first: int, last: int) -> Iterator[Range]:
        """Ranges of the revisions between two, both included, that are not here."""
        start = 0
        revision = first
        while revision <= last:
            if revision & 7 == 0 and not start and self._full_byte(revision):
                revision += 8
                continue
            if revision in self:
                if start:
                    yield start, revision - 1
                    start = 0
            elif not start:
                start = revision
            revision += 1
        if start:
            yield start, last

    def _full_byte(self, revision: int) -> bool:
        byte = revision >> 3
        return byte < len(self._bits) and self._bits[byte] == 0xFF
