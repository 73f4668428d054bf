"""Bodies, a portion of them at a time, ready to be compared: what of them must be found, and their fingerprints.

The fingerprints are those of winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003).
DESIGN.md says why the lengths are what they are.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.readings import Flags, as_it_is, blank, codes_of, text_of, unescaped
from memslot_sidecar.edge.inspection.sequences import Indices, Sequence, least

PART = 40
"""So many characters of a body in a row, white space included, are found wherever they are."""
WINDOW = 28
"""... if so many of them are not white space."""
GRAM = 20
"""Characters whose hash may become a fingerprint."""
SHORTEST = 12
"""A body of so many characters, and fewer than PART, is found as a whole ..."""
SHORTEST_VISIBLE = 8
"""... if so many of them are not white space."""
SHORT_MOST = PART - 1
"""No body that is found as a whole has more of those."""


@dataclass(frozen=True, slots=True)
class Short:
    """A body that is found as a whole: where it stands in the portion's sequence."""

    body: int
    first: int
    length: int


class Portion:
    """Some bodies as one sequence. A text of it is a body, or a body without its escapes; ``body_of`` says whose."""

    def __init__(self, bodies: Items[Body]) -> None:
        self.bodies = bodies
        texts = [(number, form) for number, body in enumerate(bodies) for form in _forms(body)]
        self.body_of = np.array([number for number, _ in texts], np.int64)
        lengths = np.array([len(form) for _, form in texts], np.int64)
        self._begin = np.cumsum(lengths + 1) - lengths - 1
        self._end = self._begin + lengths
        codes = codes_of("\n".join(form for _, form in texts))
        self._at = np.flatnonzero(~blank(codes))
        owner = np.searchsorted(self._begin, self._at, "right") - 1
        self.sequence = Sequence(codes[self._at], owner.astype(np.int32))
        numbers = np.arange(len(texts))
        self._first = np.searchsorted(owner, numbers, "left")
        self._behind = np.searchsorted(owner, numbers, "right")
        visible = self._behind - self._first
        self._windowed = (lengths >= PART) & (visible >= WINDOW)
        self._short = ~self._windowed & (lengths >= SHORTEST) & (visible >= SHORTEST_VISIBLE)

    @cached_property
    def shorts(self) -> Items[Short]:
        """The texts that are found as a whole."""
        found = np.flatnonzero(self._short)
        first, behind = self._first[found], self._behind[found]
        columns = (self.body_of[found].tolist(), first.tolist(), (behind - first).tolist())
        return [Short(*row) for row in zip(*columns, strict=True)]

    def windows(self) -> Flags:
        """At which places WINDOW characters begin that are looked for."""
        within = self.sequence.within(WINDOW)
        return within & self._windowed[self.sequence.owner[: len(within)]]

    def parts(self) -> tuple[Indices, Indices]:
        """The shortest parts that make PART characters with the white space around them counted, as (begins, lengths): for each place the
        one that begins there, and the one that ends there. No length is below WINDOW or above PART.

        Whatever longer part there is, these cover it.
        """
        places = np.arange(len(self.sequence))
        owner = self.sequence.owner
        first, behind, begin, end = self._first[owner], self._behind[owner], self._begin[owner], self._end[owner]
        least_end = np.where(places > first, np.append(-1, self._at[:-1]) + 1, begin) + PART
        to = np.maximum(np.minimum(np.searchsorted(self._at, least_end), behind), places + WINDOW)
        forth = (end >= least_end) & (to <= behind)
        most_begin = np.where(places + 1 < behind, np.append(self._at[1:], 0), end) - PART
        since = np.minimum(np.maximum(np.searchsorted(self._at, most_begin), first), places + 1 - WINDOW)
        back = (begin <= most_begin) & (since >= first)
        begins = np.concatenate([places[forth], since[back]])
        return begins, np.concatenate([to[forth], places[back] + 1]) - begins

    def visible_text(self, first: int, behind: int) -> str:
        """What stands in the sequence between two places."""
        return text_of(self.sequence.codes[first:behind])

    def visible_texts(self, body: int) -> Items[str]:
        """The forms of a body without white space."""
        numbers = np.flatnonzero(self.body_of == body).tolist()
        return [self.visible_text(self._first[number], self._behind[number]) for number in numbers]

    def fingerprints(self, ordinals: Indices) -> Entries:
        """Fingerprints of all bodies; ``ordinals`` are the numbers that stand beside them for each body."""
        held = ordinals[self.body_of]
        windows = self.windows()
        chosen = winnowed(self.sequence)[windows]
        shorts = self.shorts
        first = np.array([short.first for short in shorts], np.int64)
        lengths = np.array([short.length for short in shorts], np.int64)
        numbers = ordinals[np.array([short.body for short in shorts], np.int64)]
        whole = np.zeros(len(shorts), np.uint64)
        for length in np.unique(lengths).tolist():
            those = lengths == length
            whole[those] = self.sequence.hashes(length, first[those])
        return Entries(
            entries(chosen, held[self.sequence.owner[: len(windows)][windows]]),
            entries(high(self.sequence.hashes(SHORTEST_VISIBLE, first)), numbers),
            entries(high(whole), numbers),
        )


@dataclass(frozen=True, slots=True)
class Entries:
    """Fingerprints with ordinals beside them: of windows, and of short bodies their beginnings and their wholes."""

    windows: NDArray[np.uint64]
    beginnings: NDArray[np.uint64]
    wholes: NDArray[np.uint64]


def winnowed(sequence: Sequence) -> NDArray[np.uint32]:
    """For each WINDOW characters in a row the fingerprint that winnowing chooses among them: the least of their hashes."""
    if len(sequence) < WINDOW:
        return np.zeros(0, np.uint32)
    return least(high(sequence.hashes(GRAM)), WINDOW - GRAM + 1)


def high(hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The upper halves of hashes."""
    return (hashes >> np.uint64(32)).astype(np.uint32)


def entries(prints: NDArray[np.uint32], ordinals: Indices) -> NDArray[np.uint64]:
    """Each pair of fingerprint and ordinal once, in order."""
    pairs = (prints.astype(np.uint64) << np.uint64(32)) | ordinals.astype(np.uint64)
    if len(pairs) > 1:
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    return np.unique(pairs)


def _forms(body: Body) -> list[str]:
    plain = unescaped(as_it_is(body.text)) if body.escaped else None
    return [body.text] if plain is None else [body.text, text_of(plain.codes)]
