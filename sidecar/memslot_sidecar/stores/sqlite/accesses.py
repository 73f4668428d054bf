"""Counts of accesses, gathered in RAM and written in bounded portions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memslot_index.ranking import Decay
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.stores.sqlite.group import GroupRows

PORTION = 128
"""Slots that are written in one commit, so that waiting mutations are not held up."""


@dataclass(slots=True)
class Noted:
    """Accesses to one slot since the last flush."""

    namespace: str
    name: str
    created_revision: int
    count: int
    last_ms: int


class Accesses:
    """What was noted and not yet written."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, str, int], Noted] = {}

    def __len__(self) -> int:
        return len(self._noted)

    def note(self, record: SlotRecord, now_ms: int) -> None:
        """Counts one access."""
        key = (record.namespace, record.name, record.created_revision)
        noted = self._noted.get(key)
        if noted is None:
            self._noted[key] = Noted(*key, 1, now_ms)
        else:
            noted.count += 1
            noted.last_ms = now_ms

    def take(self) -> list[list[Noted]]:
        """Everything noted, in portions; it is no longer held here."""
        noted = list(self._noted.values())
        self._noted.clear()
        return [noted[start : start + PORTION] for start in range(0, len(noted), PORTION)]

    def give_back(self, portions: list[list[Noted]]) -> None:
        """Holds again what could not be written."""
        for noted in (noted for portion in portions for noted in portion):
            key = (noted.namespace, noted.name, noted.created_revision)
            newer = self._noted.setdefault(key, noted)
            if newer is not noted:
                newer.count += noted.count


def write(rows: GroupRows, portion: list[Noted], decay: Decay) -> list[tuple[str, str]]:
    """Adds a portion to the stored counts; answers the slots that changed. Slots that were recreated meanwhile are left alone."""
    changed = []
    for noted in portion:
        record = rows.slot(noted.namespace, noted.name)
        if record is None or record.created_revision != noted.created_revision:
            continue
        rank = decay.accessed(record.rank, noted.last_ms, record.importance, noted.count)
        accessed = replace(record, rank=rank, access_count=record.access_count + noted.count, accessed_ms=noted.last_ms)
        rows.access(record, accessed)
        changed.append((noted.namespace, noted.name))
    return changed
