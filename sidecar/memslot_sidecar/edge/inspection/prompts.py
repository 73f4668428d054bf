"""A prompt, ready to be compared: all readings of all its texts as one sequence, and where each of its windows stands."""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memslot_sidecar.edge.inspection.bodies import SHORT_MOST, SHORTEST_VISIBLE, WINDOW, high, winnowed
from memslot_sidecar.edge.inspection.fingerprints import Fingerprints
from memslot_sidecar.edge.inspection.readings import Flags, blank, readings, text_of
from memslot_sidecar.edge.inspection.sequences import Indices, Sequence, same

_BITS = 20


@dataclass(frozen=True, slots=True)
class Windows:
    """The different windows of a prompt: their hashes in order, the first place of each, and at each place which of them begins there
    (-1 where none does)."""

    hashes: NDArray[np.uint64]
    first: Indices
    at: NDArray[np.int32]


class Prompt:
    """The texts of a prompt. ``len(prompt)`` is how many characters its readings have without white space."""

    def __init__(self, texts: Items[str]) -> None:
        whole = "\n".join(texts)
        lengths = np.array([len(text) for text in texts], np.int64)
        begin = np.cumsum(lengths + 1) - lengths - 1
        kept = [reading[~blank(reading.codes)] for reading in readings(whole)]
        texts_read = [np.searchsorted(begin, reading.start, "right") - 1 for reading in kept]
        self._text = np.concatenate(texts_read)
        self._start = np.concatenate([reading.start for reading in kept]) - begin[self._text]
        self._end = np.concatenate([reading.end for reading in kept]) - begin[self._text]
        owners = [number * len(texts) + text for number, text in enumerate(texts_read)]
        self.sequence = Sequence(
            np.concatenate([reading.codes for reading in kept]), np.concatenate(owners).astype(np.int32)
        )

    def __len__(self) -> int:
        return len(self.sequence)

    def place(self, first: int, behind: int) -> tuple[int, int, int]:
        """The number of the text in which a part of the sequence stands, and where it begins and ends there."""
        return int(self._text[first]), int(self._start[first]), int(self._end[behind - 1])

    def visible_text(self, first: int, behind: int) -> str:
        """What stands in the sequence between two places."""
        return text_of(self.sequence.codes[first:behind])

    @cached_property
    def prints(self) -> NDArray[np.uint32]:
        """The fingerprints of the prompt, in order."""
        chosen = winnowed(self.sequence)
        return np.unique(chosen[self.sequence.within(WINDOW)])

    @cached_property
    def windows(self) -> Windows:
        """Windows with the same hash are compared: one that differs from those before it begins nowhere. (Nobody has seen two.)"""
        places = np.flatnonzero(self.sequence.within(WINDOW))
        hashes, first, numbers = np.unique(self.sequence.hashes(WINDOW, places), return_index=True, return_inverse=True)
        repeated = first[numbers] != np.arange(len(places))
        codes = self.sequence.codes
        equal = same(codes, places[repeated], codes, places[first[numbers[repeated]]], WINDOW)
        at = np.full(len(self.sequence), -1, np.int32)
        at[places] = numbers
        at[places[repeated][~equal]] = -1
        return Windows(hashes, places[first], at)

    def beginning(self, beginnings: NDArray[np.uint32]) -> Indices:
        """Where one of the short bodies may begin, whose beginnings have these fingerprints."""
        if not len(beginnings):
            return np.zeros(0, np.int64)
        marks: Flags = np.zeros(1 << _BITS, bool)
        marks[beginnings >> np.uint32(32 - _BITS)] = True
        within = self.sequence.within(SHORTEST_VISIBLE)
        return np.flatnonzero(within & marks[self._beginnings >> np.uint32(32 - _BITS)])

    def candidates(self, windows: Fingerprints, beginnings: Fingerprints, wholes: Fingerprints) -> Indices:
        """The numbers of the slots that may have a part of the prompt, those first that have most fingerprints in common with it."""
        found = [windows.holders(self.prints)]
        places = self.beginning(beginnings.prints())
        for length in range(SHORTEST_VISIBLE, SHORT_MOST + 1) if len(places) else ():
            hashes = self.sequence.hashes(length, self.fitting(places, length))
            found.append(wholes.holders(np.unique(high(hashes))))
        numbers, counts = np.unique(np.concatenate(found), return_counts=True)
        return numbers[np.argsort(-counts, kind="stable")]

    def fitting(self, places: Indices, length: int) -> Indices:
        """Those of ``places`` at which so many characters of one text begin."""
        within = self.sequence.within(length)
        places = places[places < len(within)]
        return places[within[places]]

    @cached_property
    def _beginnings(self) -> NDArray[np.uint32]:
        return high(self.sequence.hashes(SHORTEST_VISIBLE))
