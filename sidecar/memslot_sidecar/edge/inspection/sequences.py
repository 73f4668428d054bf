"""Texts side by side in one array without their white space, and hashes of whatever stands in a row in them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memslot_sidecar.edge.inspection.readings import Codes, Flags, Places

Hashes = NDArray[np.uint64]
Indices = NDArray[np.int64]

_WORD = 2**64
_BASE = secrets.randbits(64) | 1
"""Of the polynomials: a secret of this process, so that nobody can make texts for their hashes to collide."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Sequence:
    """Code points that are not white space. ``owner[i]`` is the number of the text that the one at ``i`` is of."""

    codes: Codes
    owner: Places

    def __len__(self) -> int:
        return len(self.codes)

    def within(self, length: int) -> Flags:
        """At which places ``length`` characters of one text begin; places behind which there are fewer at all are left out."""
        if len(self) < length:
            return np.zeros(0, bool)
        within: Flags = self.owner[: len(self) - length + 1] == self.owner[length - 1 :]
        return within

    def hashes(self, length: int, at: Indices | slice = slice(None)) -> Hashes:
        """A hash of the ``length`` characters that begin at each place, or at those of ``at`` (Karp and Rabin 1987, modulo 2**64)."""
        sums, places = self._sums, max(len(self) - length + 1, 0)
        if isinstance(at, slice):
            polynomials = sums[length : length + places] - sums[:places]
            return _mixed(polynomials * _powers(-1, len(self))[:places])
        return _mixed((sums[at + length] - sums[at]) * _powers(-1, len(self))[at])

    @cached_property
    def _sums(self) -> Hashes:
        """Sums of ``code * base**place`` over all that stands before each place: a difference of two is that over what lies between."""
        sums = np.zeros(len(self) + 1, np.uint64)
        np.cumsum(self.codes * _powers(1, len(self))[: len(self)], out=sums[1:])
        return sums


def least(values: NDArray[np.uint32], width: int) -> NDArray[np.uint32]:
    """The least of every ``width`` values in a row."""
    size = 1
    while size * 2 <= width:
        values = np.minimum(values[:-size], values[size:])
        size *= 2
    rest = width - size
    return np.minimum(values[:-rest], values[rest:]) if rest else values


def same(left: Codes, at: Indices, right: Codes, there: Indices, length: int) -> Flags:
    """Whether ``length`` characters from each of ``at`` equal those from each of ``there``, compared one by one.

    Where a pair goes on where the pair before it was, only its last character is new.
    """
    if not len(at):
        return np.zeros(0, bool)
    fresh = np.ones(len(at), bool)
    fresh[1:] = (np.diff(at) != 1) | (np.diff(there) != 1)
    equal: Flags = left[at + (length - 1)] == right[there + (length - 1)]
    for step in range(length - 1):
        equal[fresh] &= left[at[fresh] + step] == right[there[fresh] + step]
    if not equal.all():
        for step in range(length - 1):
            equal &= left[at + step] == right[there + step]
    return equal


def joined(starts: Indices, ends: Indices) -> tuple[Indices, Indices]:
    """Intervals, those that overlap made one, in order. (Those that only touch may be of two texts.)"""
    if not len(starts):
        return starts, ends
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    fresh = np.ones(len(starts), bool)
    fresh[1:] = starts[1:] >= ends[:-1]
    last = np.append(np.flatnonzero(fresh)[1:], len(starts)) - 1
    return starts[fresh], ends[last]


def _mixed(values: Hashes) -> Hashes:
    """Every bit of a polynomial in every bit of its hash (the last steps of MurmurHash3)."""
    values = values ^ (values >> np.uint64(33))
    values *= _SPREAD
    values ^= values >> np.uint64(29)
    values *= _SPREAD
    values ^= values >> np.uint64(32)
    return values


_kept: dict[int, Hashes] = {}


def _powers(sign: int, count: int) -> Hashes:
    """``base**(sign * i)`` for each ``i`` below ``count`` at least."""
    kept = _kept.get(sign)
    if kept is None or len(kept) < count:
        base = _BASE if sign > 0 else pow(_BASE, -1, _WORD)
        kept = np.full(-(-count // _BLOCK) * _BLOCK + _BLOCK, base, np.uint64)
        kept[0] = 1
        np.cumprod(kept, out=kept)
        _kept[sign] = kept
    return kept
