"""The one door to the index: opens it when the first namespace wants one, keeps it in step, and answers searches.

A namespace of mode KEYS costs nothing here: no file, no thread, no library.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from memslot_index.candidates import Candidates, Wanted
from memslot_index.fulltext.analysis import ANALYSIS_VERSION
from memslot_index.fulltext.query import TextQuery
from memslot_index.index import Index, SpaceStats
from memslot_index.vectors.base import BackendUnavailable
from memslot_index.vectors.choice import VectorSettings
from memslot_sidecar.errors import IndexBehind, IndexOutdated, IndexUnavailable, MemslotError
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.embedding import Embedding, outdated
from memslot_sidecar.finding.entries import takes_part
from memslot_sidecar.finding.follower import Follower
from memslot_sidecar.finding.models import Models, fits
from memslot_sidecar.finding.plans import Plans
from memslot_sidecar.finding.summaries import Summaries
from memslot_sidecar.model import Change, EffectiveSettings, FeedRecord, VectorIndexKind
from memslot_sidecar.stores.base import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROJECTION = "index"
KINDS: Mapping[VectorIndexKind, str] = {
    VectorIndexKind.AUTO: "auto",
    VectorIndexKind.EXACT: "exact",
    VectorIndexKind.HNSW: "hnsw",
    VectorIndexKind.CHROMA: "chroma",
    VectorIndexKind.SQLITE_VSS: "sqlite-vss",
}
_PLAN_WAIT_S = 5.0
_SETTLE_S = 0.25
_SLOWEST = 100

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


@dataclass(frozen=True, slots=True)
class Overview:
    """Sums over all namespaces; ``slowest`` are those with the most slots that wait for a vector."""

    documents: int = 0
    waiting: int = 0
    file_bytes: int = 0
    slowest: Sequence[str] = ()


class Finder:
    """Follows one store. Everything here runs in the loop's thread."""

    def __init__(self, store: Store, settings: FinderSettings, models: Models, summaries: Summaries) -> None:
        self._store = store
        self._settings_of: Callable[[str], EffectiveSettings] = _unbound
        self._settings = settings
        self._desk: Desk | None = None
        self._follower: Follower | None = None
        self._embedding: Embedding | None = None
        self._plans: Plans | None = None
        self._opening: asyncio.Task[None] | None = None
        self._planning: asyncio.Task[None] | None = None
        self._running = False
        self._warming: asyncio.Future[None] | None = None
        self._kept: set[asyncio.Task[None]] = set()
        self.models = models
        self.summaries = summaries
        self.problem = ""

    def attach(self, settings_of: Callable[[str], EffectiveSettings]) -> None:
        """Says where the settings of a namespace are known, and starts to listen to the feed."""
        self._settings_of = settings_of
        self.summaries.attach(settings_of)
        self._store.subscribe(self._told)
        self._store.before_erase(self.wipe)

    async def start(self) -> None:
        """Opens the index, if there is or should be one. Raises StartupError."""
        self._running = True
        if self._settings.wanted or self._store.watermark(PROJECTION) > 0:
            await self._open()

    async def stop(self) -> None:
        """Notes how far the index is and closes it."""
        self._running = False
        for task in (self._opening, self._planning, *self._kept):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._embedding is not None:
            await self._embedding.stop()
        if self._follower is not None:
            await self._follower.stop()
        await self.models.close()
        await self.summaries.stop()
        desk, self._desk = self._desk, None
        if desk is not None:
            if self._follower is not None:
                await self._note(desk, self._follower.done)
            await desk.close()

    @property
    def watermark(self) -> int | None:
        """The revision up to which the index is complete; None where there is no index."""
        return None if self._follower is None else self._follower.done

    @property
    def index(self) -> Desk | None:
        """The open index."""
        return self._desk

    async def note(self) -> None:
        """Keeps how far the index is."""
        if self._desk is not None and self._follower is not None:
            await self._note(self._desk, self._follower.done)

    async def ready(
        self, namespace: str, revision: int, min_revision: int, deadline_s: float | None, *, vectors: bool
    ) -> list[str]:
        """Waits until the index contains the words of ``revision`` and, up to ``min_revision``, the vectors too.

        Returns what is still missing, a sentence each. Raises IndexUnavailable, IndexBehind.
        """
        desk, follower, plans = await self._parts()
        missing = await self._planned(plans, namespace, deadline_s)
        if not follower.problem:
            await self._in_time(follower.reached(max(revision, min_revision)), deadline_s, min_revision, follower)
        if follower.problem:
            missing.append(follower.problem)
        if vectors:
            assert self._embedding is not None
            if min_revision:
                await self._in_time(
                    self._embedding.complete(namespace, min_revision), deadline_s, min_revision, follower
                )
            space = desk.index.space(namespace)
            if space is not None and space.dimensions:
                wait_s = 3600.0 if min_revision else _SETTLE_S
                await desk.read(lambda index: index.vectors.settle(space, wait_s))
        return missing

    async def indexed_revision(self, namespace: str, *, vectors: bool) -> int:
        """The revision up to which a namespace's index is complete."""
        desk, follower, _ = await self._parts()
        done = follower.done
        if not vectors:
            return done
        counts = await desk.read(lambda index: index.waiting_counts())
        waiting, oldest = counts.get(namespace, (0, 0))
        return min(done, oldest - 1) if waiting else done

    async def query_vector(self, namespace: str, settings: EffectiveSettings, text: str) -> NDArray[np.float32]:
        """The vector of a text, by the namespace's embedder. Raises EmbedderUnavailable, IndexOutdated."""
        desk, _, _ = await self._parts()
        space = desk.index.space(namespace)
        embedder = await self.models.get(settings.embedder)
        if space is not None and space.dimensions and not fits(space, embedder):
            raise IndexOutdated(
                f"namespace '{namespace}': {outdated(space.model or 'the writers', embedder.model)}",
                field="namespace",
                metadata={"made_by": space.model, "configured": embedder.model},
            )
        return await self.models.query(settings.embedder, text)

    def dimensions(self, namespace: str) -> int:
        """How many numbers the namespace's vectors have; 0 when there is none."""
        space = None if self._desk is None else self._desk.index.space(namespace)
        return 0 if space is None else space.dimensions

    async def candidates(self, namespace: str, wanted: Wanted) -> Candidates:
        """Who may be meant; to be confirmed against the store. Raises IndexUnavailable."""
        desk, _, _ = await self._parts()
        try:
            return await desk.read(lambda index: index.search(namespace, wanted))
        except (apsw.Error, OSError, BackendUnavailable) as error:
            raise _unavailable(str(error)) from error

    async def matched_fields(self, query: TextQuery, ids: Sequence[int]) -> Mapping[int, Sequence[str]]:
        """Which fields of documents match a query."""
        desk, _, _ = await self._parts()
        return await desk.read(lambda index: index.matched_fields(query, ids))

    def keep(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Lets work go on to its end, or until the finder stops, whoever else still wants it."""
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return task

    async def paths(self, parent: str) -> AsyncIterator[str]:
        """The namespaces at and below one that the store or the index knows; all where it is empty. Raises IndexUnavailable."""
        _, _, plans = await self._parts()
        async for path in plans.paths(parent):
            yield path

    async def rebuild(self, namespace: str, *, vectors: bool, done: Callable[[int], None]) -> None:
        """Indexes a namespace anew. Raises IndexUnavailable."""
        desk, _, plans = await self._parts()
        if vectors:
            await desk.write(lambda index: index.use_model(namespace, "", 0))
        await plans.rebuild(namespace, self._settings_of(namespace), done)
        assert self._embedding is not None
        self._embedding.wake()

    async def stats(self, namespace: str) -> SpaceStats | None:
        """What is indexed of a namespace, and why it is not as it should be."""
        if self._desk is None:
            return None
        return await self._desk.read(lambda index: index.stats(namespace))

    async def overview(self) -> Overview:
        """What is indexed of all namespaces, and which of them have the most slots that wait for a vector."""
        if self._desk is None:
            return Overview()
        counts = await self._desk.read(lambda index: index.waiting_counts())
        slowest = sorted(counts, key=lambda path: (-counts[path][0], path))[:_SLOWEST]
        return Overview(
            documents=await self._desk.read(Index.count),
            waiting=sum(count for count, _ in counts.values()),
            file_bytes=await self._desk.read(Index.file_bytes),
            slowest=slowest,
        )

    def problem_of(self, namespace: str) -> str:
        """What is wrong with a namespace's index, in words."""
        if self._embedding is not None and namespace in self._embedding.problems:
            return self._embedding.problems[namespace]
        return "" if self._follower is None else self._follower.problem

    async def wipe(self) -> None:
        """Answers when what is forgotten is in none of the index's files. Raises IndexUnavailable."""
        if self._desk is None or self._follower is None:
            if self._opening is not None or self._store.watermark(PROJECTION) > 0:
                raise _unavailable("it is not open yet")
            return
        revision = self._store.revision
        await self._follower.reached(revision)
        if self._follower.done < revision:
            raise _unavailable(self._follower.problem)
        try:
            await self._desk.write(Index.wipe)
        except (apsw.Error, OSError) as error:
            raise _unavailable(explained(error)) from error

    def _told(self, records: Sequence[FeedRecord]) -> None:
        if self._follower is not None:
            self._follower.told(records)
            return
        if not self._running or self._opening is not None:
            return
        if any(change.change is Change.CONFIGURED for record in records for change in record.changes) and any(
            takes_part(self._settings_of(record.namespace)) for record in records
        ):
            self._opening = asyncio.create_task(self._open(), name="memslot opening the index")

    async def _parts(self) -> tuple[Desk, Follower, Plans]:
        if self._opening is not None and self._desk is None:
            await asyncio.shield(self._opening)
        if self._desk is None or self._follower is None or self._plans is None:
            raise _unavailable(self.problem or "it is not open")
        return self._desk, self._follower, self._plans

    async def _open(self) -> None:
        try:
            desk = await self._checked(
                await Desk.open(self._settings.directory, replace(self._settings.vectors, store=self._store.store_id))
            )
        except (apsw.Error, OSError) as error:
            self.problem = f"the index cannot be opened: {explained(error)}"
            _log.error("%s; searches are refused, all else goes on", self.problem)
            return
        plans = Plans(self._store, self._settings_of, desk, self.models)
        follower = Follower(self._store, self._settings_of, desk, self._configured)
        await self._store.set_watermark(PROJECTION, max(1, self._store.revision))
        watermark = await desk.read(lambda index: index.meta("watermark"))
        same = await desk.read(lambda index: index.meta("signature")) == self._signature()
        if watermark is None or not same:
            plans.add("")
        self._desk, self._plans, self._follower = desk, plans, follower
        # From here on no commit is missed: nothing is awaited between the look at the revision and the listener.
        follower.start(self._store.revision if watermark is None else int(watermark))
        self._embedding = Embedding(self._store, self._settings_of, desk, self.models)
        desk.waits = self._embedding.wake
        self._embedding.start()
        self.summaries.open(desk)
        self._plan()
        kinds = {space.path: KINDS[self._settings_of(space.path).vector_index] for space in desk.index.spaces()}
        self._warming = desk.read(lambda index: _warm(index, kinds))

    async def _checked(self, desk: Desk) -> Desk:
        """The index, if it is of this store; else a new one."""
        store_id = await desk.read(lambda index: index.meta("store_id"))
        watermark = await desk.read(lambda index: index.meta("watermark"))
        ahead = watermark is not None and int(watermark) > self._store.revision
        if (store_id is not None and store_id != self._store.store_id) or ahead:
            await desk.write(Index.reset)
        await desk.write(lambda index: index.set_meta(store_id=self._store.store_id))
        return desk

    def _signature(self) -> str:
        text = f"{ANALYSIS_VERSION} {self._settings.signature}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _configured(self, namespaces: Sequence[str]) -> None:
        assert self._plans is not None
        for namespace in namespaces:
            self._plans.add(namespace)
        self._plan()

    def _plan(self) -> None:
        if self._planning is None or self._planning.done():
            self._planning = asyncio.create_task(self._carry_out(), name="memslot indexing namespaces")

    async def _carry_out(self) -> None:
        assert self._plans is not None
        assert self._desk is not None
        assert self._embedding is not None
        while self._plans.waiting:
            try:
                await self._plans.carry_out()
                await self._desk.write(lambda index: index.set_meta(signature=self._signature()))
                self._embedding.wake()
            except (apsw.Error, OSError, MemslotError) as error:
                _log.error("indexing of namespaces failed, and is tried again: %s", explained(error))
                await asyncio.sleep(1.0)

    async def _planned(self, plans: Plans, namespace: str, deadline_s: float | None) -> list[str]:
        """Waits a while for a namespace that is being indexed whole."""
        if not plans.covers(namespace):
            return []
        left_s = _PLAN_WAIT_S if deadline_s is None else max(0.0, deadline_s - time.monotonic()) / 2
        try:
            await asyncio.wait_for(
                asyncio.shield(asyncio.ensure_future(plans.first(namespace))), min(left_s, _PLAN_WAIT_S)
            )
        except asyncio.TimeoutError:
            return [f"namespace '{namespace}' is still being indexed: not all of its slots can be found yet"]
        return []

    async def _in_time(self, reaching: Any, deadline_s: float | None, min_revision: int, follower: Follower) -> None:
        left_s = None if deadline_s is None else max(0.0, deadline_s - time.monotonic() - 0.02)
        try:
            await asyncio.wait_for(reaching, left_s)
        except asyncio.TimeoutError:
            raise IndexBehind(
                f"the index has not reached revision {min_revision}: ask again, or with a later deadline or a smaller min_revision",
                field="min_revision",
                metadata={"indexed_revision": str(follower.done)},
            ) from None

    async def _note(self, desk: Desk, revision: int) -> None:
        try:
            await desk.apply([], revision)
        except (apsw.Error, OSError) as error:
            _log.warning("how far the index is could not be noted: %s", explained(error))


def _warm(index: Index, kinds: Mapping[str, str]) -> None:
    """Loads what takes long before somebody searches it."""
    for space in index.spaces():
        if space.dimensions:
            index.vectors.warm(space, kinds[space.path])


def _unavailable(why: str) -> IndexUnavailable:
    return IndexUnavailable(f"the index cannot be searched now: {why}", retry_after_ms=1000)


def _unbound(_: str) -> EffectiveSettings:
    raise RuntimeError("the finder was not attached")
