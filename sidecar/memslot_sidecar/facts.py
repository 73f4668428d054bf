"""What a process knows of itself, for the services that tell it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.watermark import PROJECTION
from memslot_sidecar.interceptors.counts import CallCounts
from memslot_sidecar.model import Change, FeedRecord
from memslot_sidecar.services.server_facts import Counters

_OVERWRITING = (Change.OVERWRITTEN, Change.APPENDED, Change.PATCHED)


class ChangeCounts:
    """Counts what happened to slots since the process started; a listener of the change feed."""

    def __init__(self) -> None:
        self._counts: Counter[Change] = Counter()

    def __call__(self, records: Sequence[FeedRecord]) -> None:
        """Counts the changes of a commit."""
        for record in records:
            for change in record.changes:
                self._counts[change.change] += 1

    def of(self, *changes: Change) -> int:
        """How often any of ``changes`` happened."""
        return sum(self._counts[change] for change in changes)


@dataclass(frozen=True, slots=True)
class ProcessFacts:
    """One process: who it is, since when, and what it has counted. ``lifetime`` tells why its store will be gone soon, if so."""

    message_limit_bytes: int
    instance_id: str
    audit: AuditLog
    lifetime: Callable[[], str]
    version: str = field(default_factory=lambda: version("memslot"))
    started_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    calls: CallCounts = field(default_factory=CallCounts)
    changes: ChangeCounts = field(default_factory=ChangeCounts)

    @property
    def store_warning(self) -> str:
        """Why the store will be gone sooner than one may think; empty when nothing tells of that, as before there is a directory."""
        return self.lifetime()

    def counters(self) -> Counters:
        """What was done since the process started."""
        written = self.audit.stats
        return Counters(
            calls=self.calls.snapshot(),
            overwritten=self.changes.of(*_OVERWRITING),
            evicted=self.changes.of(Change.EVICTED),
            expired=self.changes.of(Change.EXPIRED),
            audit_written=written.written,
            audit_dropped=written.dropped,
            audit_queued=written.queued + written.behind,
            projections={PROJECTION: self.audit.watermark},
        )
