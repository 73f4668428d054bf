"""Telling revisions from the store's feed: those that a crash left untold, and those that came faster than they could be written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from memslot_sidecar.audit.admission import Admission
from memslot_sidecar.audit.completeness import Completeness
from memslot_sidecar.audit.event import Recorded
from memslot_sidecar.audit.heldback import HeldBack
from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.model import SYSTEM, FeedRecord
from memslot_sidecar.stores.base import Store

_PORTION = 50
_OPEN_LIMIT = 64
_RETRY_S = 1.0

_log = logging.getLogger(__name__)


class CatchUp:
    """One run from the last revision that was taken to ``head``, which may grow meanwhile. Memory is bounded by the queue's limit."""

    def __init__(
        self,
        store: Store,
        completeness: Completeness,
        admission: Admission,
        put: Callable[[Recorded], None],
        in_flight: HeldBack,
        told: Told | None = None,
    ) -> None:
        self.head = 0
        self._store = store
        self._completeness = completeness
        self._admission = admission
        self._put = put
        self._in_flight = in_flight
        self._told = told or Told()
        self._open = HeldBack(_OPEN_LIMIT, self._tell)

    async def run(self) -> None:
        """Takes all revisions up to the head. When it returns, without a pause after the last of them, nothing is behind."""
        while self._completeness.taken < self.head:
            await self._admission.half_empty()
            try:
                records = await self._store.feed(self._completeness.taken, _PORTION)
            except StoreUnavailable as error:
                _log.warning("the change feed cannot be read for the audit trail, and is tried again: %s", error)
                await asyncio.sleep(_RETRY_S)
                continue
            self._skip_to(records[0].revision if records else self.head + 1)
            for record in records:
                self._take(record)
        self._open.tell_all()

    def _take(self, record: FeedRecord) -> None:
        self._completeness.take(record.revision)
        missing = self._told.missing(record)
        if missing is None:
            self._completeness.told([record.revision])
        elif record.call.event_id in self._in_flight:
            self._in_flight.hold(missing)
        elif record.call.caller == SYSTEM:
            self._put(Recorded(missing, code="OK", recovered=True))
        else:
            self._open.hold(missing)

    def _tell(self, record: FeedRecord, last: bool) -> None:
        self._put(Recorded(record, code="UNKNOWN" if last else None, last=last, recovered=True))

    def _skip_to(self, revision: int) -> None:
        """Owns up to revisions that the feed no longer holds; ``memslot audit reconcile`` finds them missing."""
        first = self._completeness.taken + 1
        if revision > first:
            _log.error(
                "revisions %d to %d are no longer in the change feed: their events are lost", first, revision - 1
            )
            self._completeness.skip(revision - 1)
