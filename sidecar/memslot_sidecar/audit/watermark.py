"""Keeping in the store up to which revision the trail is complete and durable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

from memslot_sidecar.audit.completeness import Completeness
from memslot_sidecar.audit.writer import Writer
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.stores.base import Store

PROJECTION = "audit"

_log = logging.getLogger(__name__)


class Watermark:
    """Stored from time to time, never before what it promises is synced. ``stored`` is what the store knows."""

    def __init__(self, store: Store, writer: Writer, completeness: Completeness) -> None:
        self.stored = store.watermark(PROJECTION)
        self._store = store
        self._writer = writer
        self._completeness = completeness
        self._unsynced: list[int] = []
        self._due = asyncio.Event()

    def written(self, revisions: Iterable[int]) -> None:
        """Notes revisions whose events were written."""
        self._unsynced += revisions
        self._due.set()

    async def keep(self, interval_s: float) -> None:
        """Stores it, at most once an interval, while events of mutations are written; until it is cancelled."""
        failed = False
        while True:
            await self._due.wait()
            await asyncio.sleep(interval_s)
            self._due.clear()
            try:
                await self.store()
                failed = False
            except (OSError, MemslotError) as error:
                if not failed:
                    _log.warning("the audit watermark cannot be kept, and is tried again: %r", error)
                failed = True
                self._due.set()

    async def store(self) -> None:
        """Syncs what was written, then stores up to where the trail is complete: never the other way round. Raises OSError, MemslotError."""
        # What is reported meanwhile may have been written after the sync.
        covered = len(self._unsynced)
        await self._writer.synced()
        self._completeness.told(self._unsynced[:covered])
        del self._unsynced[:covered]
        complete = self._completeness.complete
        if complete > self.stored:
            await self._store.set_watermark(PROJECTION, complete)
            self.stored = complete
