"""What works on an open index: it follows the store, brings whole namespaces in or out, makes vectors, and mends what is damaged."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from memslot_index.database.connections import FileReplaced, damaged
from memslot_index.fulltext.analysis import ANALYSIS_VERSION
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.comparing import KINDS, is_there
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.embedding import Embedding
from memslot_sidecar.finding.follower import Follower
from memslot_sidecar.finding.merging import Merging
from memslot_sidecar.finding.models import Models
from memslot_sidecar.finding.plans import Plans
from memslot_sidecar.model import EffectiveSettings
from memslot_sidecar.stores.base import Store

PROJECTION = "index"
_AGAIN_S = 1.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """Where the index lives (in memory where ``directory`` is None), and whether the server's settings want one from the start.

    ``signature`` tells whether these settings are those of before.
    """

    directory: Path | None
    wanted: bool
    signature: str
    vectors: VectorSettings


class Running:
    """An open index and those who work on it; made by :meth:`open`."""

    def __init__(
        self,
        store: Store,
        settings_of: Callable[[str], EffectiveSettings],
        signature: str,
        models: Models,
        desk: Desk,
    ) -> None:
        self._store = store
        self._settings_of = settings_of
        text = f"{ANALYSIS_VERSION} {signature} {is_there('numpy')}"
        self._signature = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        self.desk = desk
        self.plans = Plans(store, settings_of, desk, models)
        self.follower = Follower(store, settings_of, desk, self._configured, lambda: self.plans.waiting, self.failed)
        self.embedding = Embedding(store, settings_of, desk, models, self.failed)
        self.merging = Merging(desk, lambda: self.follower.has_all and not self.plans.waiting, self.failed)
        self._noted = -1
        self._planning: asyncio.Task[None] | None = None
        self._mending: asyncio.Task[None] | None = None
        self._warming: asyncio.Future[None] | None = None

    @classmethod
    async def open(
        cls, store: Store, settings_of: Callable[[str], EffectiveSettings], settings: FinderSettings, models: Models
    ) -> Running:
        """Opens the index of a store and begins to work on it. Raises apsw.Error, OSError, MemslotError."""
        desk = await Desk.open(settings.directory, replace(settings.vectors, store=store.store_id))
        try:
            running = cls(store, settings_of, settings.signature, models, desk)
            await running._check_store()
            await store.set_watermark(PROJECTION, max(1, store.revision))
            watermark = await desk.read(lambda index: index.meta("watermark"))
            same = await desk.read(lambda index: index.meta("signature")) == running._signature
        except BaseException:
            await desk.close()
            raise
        if watermark is None or not same:
            running.plans.add("")
        for space in desk.index.spaces():
            if not space.complete:
                running.plans.add(space.path)
        running._start(store.revision if watermark is None else int(watermark))
        return running

    async def stop(self) -> None:
        """Ends, where it waits, notes how far the index is and closes it."""
        for task in (self._planning, self._mending):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self.merging.stop()
        await self.embedding.stop()
        await self.follower.stop()
        await self._note()
        await self.desk.close()

    async def note(self) -> None:
        """Keeps how far the index is, and looks whether its file is still there."""
        try:
            self.desk.index.check_place()
        except FileReplaced as error:
            self.failed(error)
        await self._note()

    async def check(self) -> list[str]:
        """What is wrong with the index's file, a line each; one that is damaged is made anew. Raises apsw.Error, OSError."""
        index = self.desk.index
        lines = await asyncio.get_running_loop().run_in_executor(None, index.check)
        if lines and index is self.desk.index:
            self.failed(apsw.CorruptError(lines[0]))
        return lines

    def failed(self, error: Exception) -> None:
        """Makes the index anew after an error that says that it has to be."""
        if damaged(error) and (self._mending is None or self._mending.done()):
            self._mending = asyncio.create_task(self._mend(), name="memslot mending the index")

    def _start(self, watermark: int) -> None:
        """Nothing is awaited between the look at the revision and the start, so that no commit is missed."""
        self.follower.start(watermark)
        self.desk.waits = self.embedding.wake
        self.embedding.start()
        self.desk.changed = self.merging.wake
        self.merging.start()
        self._plan()
        self._warm()

    def _warm(self) -> None:
        """Loads what takes long before somebody searches it, and drops what is not used any more."""
        spaces = self.desk.index.spaces()
        kinds = {space.id: KINDS[self._settings_of(space.path).vector_index] for space in spaces}
        self._warming = self.desk.read(lambda index: index.warm(kinds))
        self._warming.add_done_callback(_warmed)

    async def _check_store(self) -> None:
        """Empties an index that is of another store, or of a later state of this one."""
        store_id = await self.desk.read(lambda index: index.meta("store_id"))
        watermark = await self.desk.read(lambda index: index.meta("watermark"))
        ahead = watermark is not None and int(watermark) > self._store.revision
        if (store_id is not None and store_id != self._store.store_id) or ahead:
            await self.desk.write(Index.reset)
        await self.desk.write(lambda index: index.set_meta(store_id=self._store.store_id))

    def _configured(self, namespaces: Sequence[str]) -> None:
        for namespace in namespaces:
            self.plans.add(namespace)
        self._plan()

    def _plan(self) -> None:
        if self._planning is None or self._planning.done():
            self._planning = asyncio.create_task(self._carry_out(), name="memslot indexing namespaces")

    async def _carry_out(self) -> None:
        while self.plans.waiting:
            try:
                await self.plans.carry_out()
                await self.desk.write(lambda index: index.set_meta(signature=self._signature))
                self.embedding.wake()
            except Exception as error:  # noqa: BLE001 - a supervisor: it is tried again
                _log.error("indexing of namespaces failed, and is tried again: %s", explained(error))
                self.failed(error)
                await asyncio.sleep(_AGAIN_S)

    async def _mend(self) -> None:
        _log.error("the index's file is damaged or gone: it is made anew from the store")
        try:
            await self.desk.renew()
            self._noted = -1
            # At once: from here on searches know that not all is in.
            self._configured([""])
            await self._check_store()
        except (apsw.Error, OSError) as error:
            _log.error("the index cannot be made anew now: %s", explained(error))
            await asyncio.sleep(_AGAIN_S)
            return
        self.follower.retry()

    async def _note(self) -> None:
        revision = self.follower.done
        if self.plans.waiting or revision == self._noted:
            return
        try:
            await self.desk.apply([], revision)
            self._noted = revision
        except (apsw.Error, OSError) as error:
            _log.warning("how far the index is could not be noted: %s", explained(error))
            self.failed(error)


def _warmed(warming: asyncio.Future[None]) -> None:
    """What could not be loaded before is loaded by the first search."""
    if not warming.cancelled() and (error := warming.exception()) is not None:
        _log.warning("vectors could not be loaded ahead: %s", explained(error))
