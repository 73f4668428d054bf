"""Where a prompt holds bodies, or parts of them. Everything is compared with the bodies themselves; time is linear in both, however often
texts repeat themselves, since it is windows that are counted and not pairs of places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memslot_sidecar.edge.inspection.bodies import SHORTEST_VISIBLE, WINDOW, Portion, Short, high
from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.prompts import Prompt
from memslot_sidecar.edge.inspection.sequences import Indices, joined, same

_BITS = 22


@dataclass(frozen=True, slots=True)
class Match:
    """Characters ``start`` to ``end`` of the prompt's text number ``text`` are of a body; ``whole``: all of it stands there."""

    body: Body
    text: int
    start: int
    end: int
    whole: bool


Prefer = Callable[[Body], tuple[bool, int, str]]
"""The order of bodies that have the same in a place: the first one is told."""


def matches(prompt: Prompt, portion: Portion, prefer: Prefer) -> Iterator[Match]:
    """What of a portion's bodies stands in a prompt: for each place one of the bodies that have just the same in it."""
    for starts, ends, numbers in (*_parts(prompt, portion), *_shorts(prompt, portion)):
        number = min(numbers, key=lambda number: prefer(portion.bodies[number]))
        forms = portion.visible_texts(number)
        for first, behind in zip(starts.tolist(), ends.tolist(), strict=True):
            text = prompt.visible_text(first, behind)
            whole = any(form in text for form in forms)
            yield Match(portion.bodies[number], *prompt.place(first, behind), whole)


Group = tuple[Indices, Indices, list[int]]
"""Intervals of a prompt's sequence, and the numbers of the bodies that have what stands in them."""


def _parts(prompt: Prompt, portion: Portion) -> list[Group]:
    """Parts of bodies. A part begins with a window and ends with one, and as a part is shorter than two windows, these two say what it is."""
    numbers = _window_numbers(prompt, portion)
    if not (numbers >= 0).any():
        return []
    begins, lengths = portion.parts()
    shifts = lengths - WINDOW
    there = (numbers[begins] >= 0) & (numbers[begins + shifts] >= 0)
    begins, shifts = begins[there], shifts[there]
    occurring = _present(prompt, numbers)
    groups = _Groups()
    for shift in np.unique(shifts).tolist():
        those = begins[shifts == shift]
        groups.add(*_pairs(prompt, occurring, numbers, those, shift), portion.body_of[portion.sequence.owner[those]])
    return list(groups) if len(shifts) else []


def _window_numbers(prompt: Prompt, portion: Portion) -> NDArray[np.int64]:
    """For each place in a portion, which of the prompt's windows begins there; -1 where none does."""
    windows = prompt.windows
    places = np.flatnonzero(portion.windows())
    hashes = portion.sequence.hashes(WINDOW, places)
    marks = np.zeros(1 << _BITS, bool)
    marks[windows.hashes >> np.uint64(64 - _BITS)] = True
    likely = marks[hashes >> np.uint64(64 - _BITS)]
    places, hashes = places[likely], hashes[likely]
    numbers = np.full(max(len(portion.sequence) - WINDOW + 1, 0), -1, np.int64)
    if len(windows.hashes) and len(places):
        found = np.minimum(np.searchsorted(windows.hashes, hashes), len(windows.hashes) - 1)
        equal = windows.hashes[found] == hashes
        places, found = places[equal], found[equal]
        equal = same(portion.sequence.codes, places, prompt.sequence.codes, windows.first[found], WINDOW)
        numbers[places[equal]] = found[equal]
    return numbers


def _present(prompt: Prompt, numbers: NDArray[np.int64]) -> Indices:
    """The places of the prompt at which a window begins that the portion has."""
    at = prompt.windows.at
    wanted = np.zeros(len(prompt.windows.hashes) + 1, bool)
    wanted[numbers[numbers >= 0]] = True
    return np.flatnonzero(wanted[at])


def _pairs(
    prompt: Prompt, occurring: Indices, numbers: NDArray[np.int64], begins: Indices, shift: int
) -> tuple[Indices, Indices, Indices, Indices]:
    """The parts that begin at ``begins`` in the portion and are ``WINDOW + shift`` long: the intervals of the prompt that hold each kind of
    them, as (starts, ends, kind), and the kind of each begin."""
    at, many = prompt.windows.at, len(prompt.windows.hashes)
    sought = numbers[begins] * many + numbers[begins + shift]
    kinds, kind_of = np.unique(sought, return_inverse=True)
    places = occurring[occurring + shift < len(at)]
    places = places[at[places + shift] >= 0]
    pairs = at[places].astype(np.int64) * many + at[places + shift]
    found = np.searchsorted(kinds, pairs)
    good = found < len(kinds)
    good[good] = kinds[found[good]] == pairs[good]
    places, found = places[good], found[good]
    # One after the other on a line of their own, so that only places of one kind are joined.
    line = len(at) + WINDOW + shift + 1
    starts, ends = joined(found * line + places, found * line + places + WINDOW + shift)
    return starts % line, ends % line, starts // line, kind_of


class _Groups:
    """Bodies by what they have in common with the prompt: those that have the same kinds of parts are looked at once."""

    def __init__(self) -> None:
        self._starts: list[Indices] = []
        self._ends: list[Indices] = []
        self._kinds: list[Indices] = []
        self._had: list[Indices] = []
        self._bodies: list[Indices] = []
        self._count = 0

    def add(self, starts: Indices, ends: Indices, kinds: Indices, had: Indices, bodies: Indices) -> None:
        """Adds the intervals of some kinds, and which body has which kind."""
        self._starts.append(starts)
        self._ends.append(ends)
        self._kinds.append(kinds + self._count)
        self._had.append(had + self._count)
        self._bodies.append(bodies)
        self._count += int(had.max(initial=-1)) + 1

    def __iter__(self) -> Iterator[Group]:
        starts, ends, kinds = map(np.concatenate, (self._starts, self._ends, self._kinds))
        bounds = np.searchsorted(kinds, np.arange(self._count + 1))
        for had, numbers in self._alike(bounds):
            counts = bounds[had + 1] - bounds[had]
            rows = np.repeat(bounds[had] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
            yield *joined(starts[rows], ends[rows]), numbers

    def _alike(self, bounds: Indices) -> Iterator[tuple[Indices, list[int]]]:
        """Bodies that have the same kinds, of those that occur in the prompt."""
        pairs = np.unique(np.concatenate(self._bodies) * self._count + np.concatenate(self._had))
        bodies, had = pairs // self._count, pairs % self._count
        occurs = bounds[had + 1] > bounds[had]
        bodies, had = bodies[occurs], had[occurs]
        alike: dict[bytes, tuple[Indices, list[int]]] = {}
        cuts = np.flatnonzero(np.diff(bodies)) + 1
        for those, kinds in zip(np.split(bodies, cuts), np.split(had, cuts), strict=True):
            if len(those):
                alike.setdefault(kinds.tobytes(), (kinds, []))[1].append(int(those[0]))
        yield from alike.values()


def _shorts(prompt: Prompt, portion: Portion) -> Iterator[Group]:
    """Bodies that are found as a whole."""
    by_length: dict[int, list[Short]] = defaultdict(list)
    for short in portion.shorts:
        by_length[short.length].append(short)
    first = np.array([short.first for short in portion.shorts], np.int64)
    begins = prompt.beginning(high(portion.sequence.hashes(SHORTEST_VISIBLE, first)))
    for length, shorts in by_length.items():
        places = prompt.fitting(begins, length)
        if len(places):
            yield from _of_length(prompt, portion, shorts, places, length)


def _of_length(prompt: Prompt, portion: Portion, shorts: list[Short], places: Indices, length: int) -> Iterator[Group]:
    first = np.array([short.first for short in shorts], np.int64)
    kinds, example, kind_of = np.unique(portion.sequence.hashes(length, first), return_index=True, return_inverse=True)
    hashes = prompt.sequence.hashes(length, places)
    found = np.minimum(np.searchsorted(kinds, hashes), len(kinds) - 1)
    good = kinds[found] == hashes
    places, found = places[good], found[good]
    good = same(prompt.sequence.codes, places, portion.sequence.codes, first[example[found]], length)
    places, found = places[good], found[good]
    order = np.argsort(found, kind="stable")
    places, found = places[order], found[order]
    cuts = np.flatnonzero(np.diff(found)) + 1
    for those, kind in zip(np.split(places, cuts), np.split(found, cuts), strict=True):
        if len(those):
            numbers = [shorts[number].body for number in np.flatnonzero(kind_of == kind[0]).tolist()]
            yield *joined(those, those + length), numbers
