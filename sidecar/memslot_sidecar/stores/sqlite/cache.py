"""Slots that were read lately, with their bodies, within a bound on their bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from memslot_sidecar.model import StoredSlot

_OVERHEAD_BYTES = 1_500
"""About what a record and its entry take beside the body."""

Key = tuple[str, str]


class SlotCache:
    """The most recently used slots. Expired ones stay until they are pushed out: who reads checks."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._used_bytes = 0
        self._slots: OrderedDict[Key, StoredSlot] = OrderedDict()

    def get(self, key: Key) -> StoredSlot | None:
        """The slot, if it is here."""
        stored = self._slots.get(key)
        if stored is not None:
            self._slots.move_to_end(key)
        return stored

    def put(self, key: Key, stored: StoredSlot) -> None:
        """Keeps a slot that is not here yet."""
        size = _size(stored)
        if size > self._limit_bytes // 4:
            return
        self._slots[key] = stored
        self._used_bytes += size
        while self._used_bytes > self._limit_bytes:
            _, oldest = self._slots.popitem(last=False)
            self._used_bytes -= _size(oldest)

    def drop(self, keys: Iterable[Key]) -> None:
        """Lets go of slots that have changed."""
        for key in keys:
            stored = self._slots.pop(key, None)
            if stored is not None:
                self._used_bytes -= _size(stored)


def _size(stored: StoredSlot) -> int:
    return len(stored.body) + _OVERHEAD_BYTES
