"""Records of operations that may take several revisions: the latest of each is held back until it is known whether it is the last."""

from __future__ import annotations

from collections.abc import Callable

from memslot_sidecar.model import FeedRecord

Tell = Callable[[FeedRecord, bool], None]
"""Tells a record; the flag says whether it is the last of its operation."""


class HeldBack:
    """At most ``limit`` records, one an event id. What is pushed out, oldest first, is told as if it were the last."""

    def __init__(self, limit: int, tell: Tell) -> None:
        self._limit = limit
        self._tell = tell
        self._records: dict[str, FeedRecord] = {}

    def __contains__(self, event_id: str) -> bool:
        return event_id in self._records

    def hold(self, record: FeedRecord) -> None:
        """Holds a record back. The one before it of the same event is told: it was not the last."""
        event_id = record.call.event_id
        before = self._records.pop(event_id, None)
        if before is not None:
            self._tell(before, False)
        self._records[event_id] = record
        if len(self._records) > self._limit:
            self._tell(self._records.pop(next(iter(self._records))), True)

    def release(self, event_id: str) -> FeedRecord | None:
        """The record held back for an event, which is now the caller's to tell."""
        return self._records.pop(event_id, None)

    def tell_all(self) -> None:
        """Tells all as the last of their operations."""
        records, self._records = self._records, {}
        for record in records.values():
            self._tell(record, True)
