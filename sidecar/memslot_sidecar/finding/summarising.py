"""Makes summaries in the background: small batches, one task for each way to make them, so that a slow model holds up no other.

What waits is noted in the index's file, in the transaction that told the index of the body: a crash loses nothing. A slot whose rank is
still too high waits until the time at which it will have fallen, if nobody reads it before.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import apsw

from memslot_index.changes import digest_of
from memslot_index.database.summaries import Due, Kept
from memslot_index.fulltext.bodies import body_text
from memslot_index.ranking import Decay
from memslot_index.summaries.base import SummariserError, SummariserUnavailable
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.summarisers import Summarisers
from memslot_sidecar.finding.summary import SUMMARY_BYTES, SummarySource, is_long, source_of, summarise_of, wants_one
from memslot_sidecar.finding.telling import Complaint
from memslot_sidecar.model import EffectiveSettings, SlotRecord
from memslot_sidecar.stores.base import Store

_BATCH = {SummarySource.EXTRACTIVE: 8, SummarySource.MODEL: 1}
_RETRY_S = 1.0
_RETRY_MOST_S = 60.0
_TOLD_MOST_S = 600.0
_AGAIN_MS = 60_000
_AGAIN_MOST_MS = 86_400_000
_LOOK_MOST_S = 60.0
_NOTES_AT_ONCE = 500
_NOTES_MOST = 10_000
_FAR_MS = 10 * 365 * 86_400_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    """A slot that a summary is made of now."""

    row: Due
    record: SlotRecord
    text: str
    digest: str


class Summarising:
    """The task of one source. ``problem`` says why what waits is not done, and is empty when all is well."""

    def __init__(
        self,
        source: SummarySource,
        store: Store,
        settings: Callable[[str], EffectiveSettings],
        desk: Desk,
        summarisers: Summarisers,
        decay: Decay,
        limit_bytes: int,
    ) -> None:
        self._source = source
        self._store = store
        self._settings = settings
        self._desk = desk
        self._summarisers = summarisers
        self._decay = decay
        self._limit_bytes = limit_bytes
        self._wake = asyncio.Event()
        self._asked: dict[tuple[str, str], None] = {}
        self._delay_s = _RETRY_S
        self._task: asyncio.Task[None] | None = None
        self._away = Complaint(_log)
        self.problem = ""

    def start(self) -> None:
        """Starts with what waits since before."""
        self._task = asyncio.create_task(self._run(), name=f"memslot summarising {self._source.name.lower()}")

    async def stop(self) -> None:
        """Ends, where it waits."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Says that something may wait."""
        self._wake.set()

    def asked(self, record: SlotRecord) -> None:
        """Notes that somebody asked for a slot's summary: its rank counts anew, and one that is missing is made."""
        if len(self._asked) < _NOTES_MOST:
            self._asked[(record.namespace, record.name)] = None
            self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                wait_s = await self._round()
            except (apsw.Error, OSError, MemslotError) as error:
                _log.warning("summaries wait: %s", explained(error))
                wait_s = await self._rest()
            # Not wait_for: before Python 3.12 it may swallow a cancellation that comes together with the event.
            timer = None if wait_s is None else asyncio.get_running_loop().call_later(wait_s, self._wake.set)
            await self._wake.wait()
            if timer is not None:
                timer.cancel()

    async def _round(self) -> float | None:
        """A batch; then seconds until there is more to do, or None when only a change brings more."""
        await self._take_notes()
        now_ms = self._store.now_ms()
        source, batch, limit = int(self._source), _BATCH[self._source], self._limit_bytes
        waiting, next_ms = await self._desk.read(lambda index: index.summaries.due(source, now_ms, batch))
        if not waiting:
            return None if next_ms is None else min(max((next_ms - now_ms) / 1000, 0.0), _LOOK_MOST_S)
        least = await self._desk.read(lambda index: index.summaries.least_rank(limit, SUMMARY_BYTES))
        jobs, settled, later = [], [], []
        for row in waiting:
            match self._look_at(row, least):
                case _Job() as job:
                    jobs.append(job)
                case Due() as postponed:
                    later.append(postponed)
                case None:
                    settled.append(_key(row))
        if settled or later:
            await self._desk.write(lambda index: index.summaries.finish([], settled, later, limit))
        return await self._make(jobs) if jobs else 0.0

    async def _take_notes(self) -> None:
        taken = list(islice(self._asked, _NOTES_AT_ONCE))
        if not taken:
            return
        for key in taken:
            del self._asked[key]
        if self._asked:
            self._wake.set()
        records = [record for key in taken if (record := self._store.describe(*key)) is not None]
        ranks = [(record.namespace, record.name, record.rank) for record in records]
        missing = [
            Due(record.namespace, record.name, record.revision, int(self._source), asked=True)
            for record in records
            if wants_one(record, self._settings(record.namespace))
        ]
        await self._desk.write(lambda index: index.summaries.asked(ranks, missing))

    def _look_at(self, row: Due, least: float | None) -> _Job | Due | None:
        """What to do now, when to look again, or None when there is nothing to do."""
        settings = self._settings(row.path)
        stored = self._store.read(row.path, row.name)
        if stored is None or source_of(settings) is not self._source:
            return None
        record = stored.record
        wanted = summarise_of(stored, settings)
        if wanted is None or (least is not None and record.rank <= least):
            return None
        due_ms = None if row.asked or is_long(record, settings) else self._due_ms(record, settings.summary_below_rank)
        if due_ms is not None:
            return replace(row, due_ms=due_ms)
        return _Job(row, record, body_text(record.content_type, stored.body), wanted.digest)

    def _due_ms(self, record: SlotRecord, below: float | None) -> int | None:
        """When a slot's rank will be below a bound, if nobody reads it; None when it is."""
        now_ms = self._store.now_ms()
        above = 0.0 if below is None else self._decay.score(record.rank, now_ms) - below
        if below is None or above < 0:
            return None
        return now_ms + 1 + math.ceil(min(above * self._decay.half_life_ms / math.log(2), _FAR_MS))

    async def _make(self, jobs: Sequence[_Job]) -> float:
        """Makes summaries; seconds until the next may be made."""
        made = await self._summarisers.in_background(self._source, [job.text for job in jobs])
        done = [(job, text, self._source) for job, text in zip(jobs, made, strict=True) if isinstance(text, str)]
        failed = [(job, error) for job, error in zip(jobs, made, strict=True) if isinstance(error, SummariserError)]
        for job, _ in failed:
            done += await self._meanwhile(job)
        later = [self._again(job.row) for job, _ in failed]
        nothing = [_key(job.row) for job, text, _ in done if not text]
        kept = [kept for job, text, source in done if (kept := self._kept(job, text, source)) is not None]
        limit = self._limit_bytes
        await self._desk.write(lambda index: index.summaries.finish(kept, nothing, later, limit))
        if not failed:
            self.problem, self._delay_s = "", _RETRY_S
            self._away.over("summaries are made again")
            return 0.0
        error = failed[-1][1]
        self.problem = str(error)
        if isinstance(error, SummariserUnavailable) and error.retry_after_s is not None:
            self._delay_s = max(self._delay_s, min(error.retry_after_s, _TOLD_MOST_S))
        self._away.tell("summaries wait, and are tried again in %g s: %s", self._delay_s, self.problem)
        return await self._rest()

    async def _meanwhile(self, job: _Job) -> list[tuple[_Job, str, SummarySource]]:
        """A summary that serves until the model's is there."""
        if self._source is SummarySource.EXTRACTIVE or job.row.tries:
            return []
        (text,) = await self._summarisers.in_background(SummarySource.EXTRACTIVE, [job.text])
        return [(job, text, SummarySource.EXTRACTIVE)] if isinstance(text, str) else []

    def _kept(self, job: _Job, text: str, source: SummarySource) -> Kept | None:
        """What is to be kept of a slot as it is now; None when it is gone, or has another body."""
        now = self._store.read(job.row.path, job.row.name)
        if now is None or not text:
            return None
        record = now.record
        if record.revision != job.record.revision:
            same = digest_of(body_text(record.content_type, now.body)) == job.digest
            if record.summary_bytes or not same:
                return None
        return Kept(job.row.path, job.row.name, record.revision, job.digest, int(source), record.rank, text)

    def _again(self, row: Due) -> Due:
        wait_ms = min(_AGAIN_MS << min(row.tries, 20), _AGAIN_MOST_MS)
        return replace(row, due_ms=self._store.now_ms() + wait_ms, tries=row.tries + 1)

    async def _rest(self) -> float:
        """Waits before the next attempt, longer each time."""
        await asyncio.sleep(self._delay_s)
        self._delay_s = min(self._delay_s * 2, _RETRY_MOST_S)
        return 0.0


def _key(row: Due) -> tuple[str, str, int, int]:
    return row.path, row.name, row.revision, row.source
