"""The fingerprints of one namespace, and which of its slots they are of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

import numpy as np

from memslot_sidecar.edge.inspection.bodies import Entries, Portion
from memslot_sidecar.edge.inspection.fingerprints import Fingerprints
from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.prompts import Prompt

SLOT_BYTES = 300
"""About what a slot takes beside its fingerprints."""
_STALE_LEAST = 1_000


class Space:
    """What is known of a namespace. A slot is in one of three places: fingerprinted, waiting to be read, or left out for want of room.

    Every reading of a slot has a number of its own; the fingerprints of numbers that are nobody's any more are passed over, and dropped
    when there are many. The loop's thread changes what is here; other threads read tables.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.listed = False
        self.waiting: dict[str, None] = {}
        self.left_out: dict[str, None] = {}
        self._number_of: dict[str, int] = {}
        self._name_of: list[str | None] = []
        self._tables: tuple[Fingerprints, ...] = (Fingerprints(), Fingerprints(), Fingerprints())

    @property
    def used_bytes(self) -> int:
        """About how much memory this takes."""
        slots = len(self._name_of) + len(self.waiting) + len(self.left_out)
        return 8 * sum(map(len, self._tables)) + SLOT_BYTES * slots

    def begin(self, names: Iterable[str]) -> None:
        """Says which slots there are; those that were told of meanwhile are known already."""
        for name in names:
            if name not in self._number_of:
                self.waiting[name] = None
        self.listed = True

    def changed(self, name: str, *, gone: bool) -> None:
        """Forgets a slot at once; one that is not ``gone`` is read again."""
        self.forget(name)
        self.left_out.pop(name, None)
        if gone:
            self.waiting.pop(name, None)
        else:
            self.waiting[name] = None

    def forget(self, name: str) -> None:
        """Passes over the fingerprints of a slot from now on."""
        number = self._number_of.pop(name, None)
        if number is not None:
            self._name_of[number] = None

    def number(self, name: str) -> int:
        """A number for a slot that is read just now: it no longer waits."""
        self.forget(name)
        self.waiting.pop(name, None)
        number = self._number_of[name] = len(self._name_of)
        self._name_of.append(name)
        return number

    def add(self, entries: Entries) -> None:
        """Adds fingerprints. Takes milliseconds when there are many: it may run in a thread, under the lock."""
        for table, new in zip(self._tables, (entries.windows, entries.beginnings, entries.wholes), strict=True):
            table.add(new)

    async def compact(self) -> None:
        """Drops the fingerprints of numbers that are nobody's, when they are as many as the others. Called under the lock."""
        if len(self._name_of) < 2 * len(self._number_of) + _STALE_LEAST:
            return
        wanted = np.array([name is not None for name in self._name_of])
        tables = await asyncio.to_thread(lambda: tuple(table.of(wanted) for table in self._tables))
        # Meanwhile some may have become nobody's, and none somebody's.
        self._tables = tables
        self._name_of = [name for name, kept in zip(self._name_of, wanted.tolist(), strict=True) if kept]
        self._number_of = {name: number for number, name in enumerate(self._name_of) if name is not None}

    def holders(self, prompt: Prompt) -> list[int]:
        """The numbers of the slots that may have a part of a prompt, likely ones first. Runs in a thread."""
        numbers: list[int] = prompt.candidates(*self._tables).tolist()
        return numbers

    def names(self, numbers: Iterable[int]) -> list[str]:
        """The names of those numbers that are still somebody's."""
        found = (self._name_of[number] for number in numbers)
        return [name for name in found if name is not None]


def fingerprints_of(bodies: Sequence[Body], numbers: Sequence[int]) -> Entries:
    """The fingerprints of bodies. Runs in a thread."""
    return Portion(bodies).fingerprints(np.array(numbers, np.int64))
