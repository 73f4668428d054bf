"""The one door to summaries: what is kept, what is made at once, and what is left to the background.

Without an index (no namespace wants one) nothing is kept, and what is asked for is made at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import apsw

from memslot_index.changes import digest_of
from memslot_index.database.summaries import Kept
from memslot_index.fulltext.bodies import body_text
from memslot_index.ranking import Decay
from memslot_index.summaries.base import SummariserError, SummariserMissing
from memslot_sidecar.errors import IndexNotEnabled
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.summarisers import Summarisers
from memslot_sidecar.finding.summarising import Summarising
from memslot_sidecar.finding.summary import (
    SUMMARISING,
    SUMMARY_BYTES,
    Summary,
    SummarySource,
    fits,
    kept_summary,
    source_of,
    summarise_of,
    summary_of,
)
from memslot_sidecar.model import EffectiveSettings, SlotRecord, StoredSlot
from memslot_sidecar.stores.base import Store


class Summaries:
    """Summaries of the slots of one store. Everything here runs in the loop's thread; ``limit_bytes`` bounds what is kept."""

    def __init__(self, store: Store, summarisers: Summarisers, decay: Decay, limit_bytes: int) -> None:
        self._store = store
        self._settings: Callable[[str], EffectiveSettings] | None = None
        self._summarisers = summarisers
        self._decay = decay
        self._limit_bytes = limit_bytes
        self._desk: Desk | None = None
        self._tasks: dict[SummarySource, Summarising] = {}
        self._under_way: dict[tuple[str, str, int], asyncio.Future[str]] = {}

    def attach(self, settings: Callable[[str], EffectiveSettings]) -> None:
        """Says where the settings of a namespace are known."""
        self._settings = settings

    def open(self, desk: Desk) -> None:
        """Keeps summaries in an index from now on, and makes those that wait there."""
        assert self._settings is not None
        self._desk = desk
        for source in SUMMARISING.values():
            task = Summarising(
                source, self._store, self._settings, desk, self._summarisers, self._decay, self._limit_bytes
            )
            self._tasks[source] = task
            task.start()
        limit = self._limit_bytes
        desk.write(lambda index: index.summaries.finish([], [], [], limit)).add_done_callback(_noted)
        loop = asyncio.get_running_loop()
        desk.index.summaries.news = partial(_tell, loop, self._wake)

    async def stop(self) -> None:
        """Ends what is under way; before the index is closed."""
        for task in self._tasks.values():
            await task.stop()
        await self._summarisers.close()
        for future in list(self._under_way.values()):
            await asyncio.gather(future, return_exceptions=True)
        self._desk = None

    async def check(self, source: SummarySource) -> None:
        """Raises SummariserError when this server cannot make summaries in a way, however often it is tried."""
        await self._summarisers.check(source)

    async def stats(self) -> tuple[int, int]:
        """How many summaries are kept that were made here, and their size in bytes."""
        if self._desk is None:
            return 0, 0
        try:
            return await self._desk.read(lambda index: index.summaries.sums())
        except apsw.Error:
            return 0, 0

    def problem(self, namespace: str) -> str:
        """Why summaries of a namespace's slots are not made, in words; empty when all is well."""
        source = None if self._settings is None else source_of(self._settings(namespace))
        task = None if source is None else self._tasks.get(source)
        return "" if task is None or not task.problem else f"summaries wait: {task.problem}"

    async def kept(self, namespace: str, names: Sequence[str]) -> Mapping[str, Kept]:
        """What is kept of slots, by name; to be compared with the slots' revisions. An index that cannot be read has nothing."""
        if self._desk is None or namespace not in self._desk.index.summaries.paths:
            return {}
        try:
            return await self._desk.read(lambda index: index.summaries.of(namespace, names))
        except apsw.Error:
            return {}

    def asked(self, record: SlotRecord) -> None:
        """Notes that a slot's summary was asked for: one that is missing, or is not of the kind that is wanted, is made in the background."""
        source = None if self._settings is None else source_of(self._settings(record.namespace))
        if source in self._tasks:
            self._tasks[source].asked(record)

    async def of(self, record: SlotRecord) -> Summary | None:
        """A summary of a slot without one of its writer: the body itself where it is short, else what is kept, else one that is made at once.

        None for a body that is no text, when none can be made, and when the slot is no longer as ``record`` says; whether it still is,
        is the caller's to see. Raises IndexNotEnabled where what makes summaries is not installed.
        """
        kept = None
        if record.body_bytes > SUMMARY_BYTES:
            kept = (await self.kept(record.namespace, [record.name])).get(record.name)
        found = kept_summary(record, kept)
        if found is not None:
            self.asked(record)
            return found
        stored = self._store.read(record.namespace, record.name)
        if stored is None or stored.record.revision != record.revision:
            return None
        return await self._of_body(stored, kept)

    async def _of_body(self, stored: StoredSlot, kept: Kept | None) -> Summary | None:
        record = stored.record
        text = body_text(record.content_type, stored.body)
        if not text.strip():
            return None
        if fits(text):
            whole = stored.body.decode(errors="replace")
            return summary_of(record, whole if fits(whole) else text, SummarySource.EXTRACTIVE)
        digest = digest_of(text)
        if kept is not None and kept.digest == digest:
            self.asked(record)
            return summary_of(record, kept.text, SummarySource(kept.source))
        try:
            made = await self._at_once(record, text, digest)
        except SummariserMissing as error:
            raise IndexNotEnabled(f"no summary can be made here: {error}", field="view") from None
        except SummariserError:
            return None
        self.asked(record)
        return summary_of(record, made, SummarySource.EXTRACTIVE) if made else None

    async def _at_once(self, record: SlotRecord, text: str, digest: str) -> str:
        """A summary without a model; callers that want the same one share it, and whoever goes away leaves it to the others."""
        key = (record.namespace, record.name, record.revision)
        found = self._under_way.get(key)
        if found is None:
            found = asyncio.ensure_future(self._make(record, text, digest))
            self._under_way[key] = found
            found.add_done_callback(_noted)
        return await asyncio.shield(found)

    async def _make(self, record: SlotRecord, text: str, digest: str) -> str:
        try:
            made = await self._summarisers.at_once(text)
        finally:
            del self._under_way[(record.namespace, record.name, record.revision)]
        self._keep(record, digest, made)
        return made

    def _keep(self, record: SlotRecord, digest: str, text: str) -> None:
        """Keeps what was made at once, where the namespace keeps summaries of such slots and the slot is still the same.

        Between the look at the slot and the queue nothing is awaited, so that whatever happens to the slot later is told to the index later.
        """
        if self._desk is None or self._settings is None or not text:
            return
        now = self._store.read(record.namespace, record.name)
        if now is None or now.record.revision != record.revision:
            return
        if summarise_of(now, self._settings(record.namespace)) is None:
            return
        kept = Kept(
            record.namespace, record.name, record.revision, digest, int(SummarySource.EXTRACTIVE), now.record.rank, text
        )
        limit = self._limit_bytes
        self._desk.write(lambda index: index.summaries.finish([kept], [], [], limit)).add_done_callback(_noted)

    def _wake(self) -> None:
        for task in self._tasks.values():
            task.wake()


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    loop.call_soon_threadsafe(what)


def _noted(future: asyncio.Future[Any]) -> None:
    """Nobody may be left who wants to know what went wrong; what is missing is made again when it is asked for."""
    if not future.cancelled():
        future.exception()
