"""The one door to the index: opens it when the first namespace wants one, keeps it in step, and answers searches.

A namespace of mode KEYS costs nothing here: no file, no thread, no library.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import apsw

from memslot_index.candidates import Candidates, Wanted
from memslot_index.database.stopping import Stop
from memslot_index.fulltext.query import TextQuery
from memslot_index.index import Index, SpaceStats
from memslot_index.sizes import SizeChanged
from memslot_index.vectors.base import BackendUnavailable
from memslot_sidecar.errors import (
    EmbedderUnavailable,
    IndexOutdated,
    IndexUnavailable,
    InvalidField,
)
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.comparing import KINDS
from memslot_sidecar.finding.desk import Desk, NotBegun
from memslot_sidecar.finding.embedding import outdated
from memslot_sidecar.finding.entries import takes_part
from memslot_sidecar.finding.models import Models, fits
from memslot_sidecar.finding.overview import Overview, overview
from memslot_sidecar.finding.readiness import ready
from memslot_sidecar.finding.running import PROJECTION, FinderSettings, Running
from memslot_sidecar.finding.summaries import Summaries
from memslot_sidecar.finding.telling import told
from memslot_sidecar.model import Change, EffectiveSettings, FeedRecord
from memslot_sidecar.stores.base import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

__all__ = ["KINDS", "PROJECTION", "Finder", "FinderSettings"]

_SEARCH_S = 5.0
_RETRY_S = 1.0
_RETRY_MOST_S = 60.0

_log = logging.getLogger(__name__)


class Finder:
    """Follows one store. Everything here runs in the loop's thread."""

    def __init__(self, store: Store, settings: FinderSettings, models: Models, summaries: Summaries) -> None:
        self._store = store
        self._settings_of: Callable[[str], EffectiveSettings] = _unbound
        self._settings = settings
        self._running: Running | None = None
        self._started = False
        self._opening: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()
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
        """Opens the index, if there is or should be one; one that cannot be opened is tried again, and searches say so."""
        self._started = True
        if self._settings.wanted or self._store.watermark(PROJECTION) > 0:
            self._open()
            await self._looked.wait()

    async def stop(self) -> None:
        """Notes how far the index is and closes it."""
        self._started = False
        for task in (self._opening, *self._kept):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self.summaries.stop()
        running, self._running = self._running, None
        if running is not None:
            await running.stop()
        await self.models.close()

    @property
    def watermark(self) -> int | None:
        """The revision up to which the index is complete; None where there is no index."""
        return None if self._running is None else self._running.follower.done

    @property
    def index(self) -> Desk | None:
        """The open index."""
        return None if self._running is None else self._running.desk

    async def note(self) -> None:
        """Keeps how far the index is."""
        if self._running is not None:
            await self._running.note()

    async def ready(
        self, namespace: str, revision: int, min_revision: int, deadline_s: float | None, *, vectors: bool
    ) -> list[str]:
        """Waits until the index contains the words of ``revision`` and, up to ``min_revision``, the vectors too.

        Returns what is still missing, a sentence each. Raises IndexUnavailable, IndexBehind.
        """
        running = await self._parts()
        try:
            return await ready(
                running, namespace, max(revision, min_revision), min_revision, deadline_s, vectors=vectors
            )
        except (apsw.Error, OSError) as error:
            running.failed(error)
            raise _unavailable(told(error)) from error

    async def indexed_revision(self, namespace: str) -> int:
        """The revision up to which a namespace's words and vectors are complete."""
        done = (await self._parts()).follower.done
        oldest = await self._counted(lambda index: index.oldest_waiting(namespace), 0)
        return _complete(done, oldest)

    async def query_vector(
        self, namespace: str, settings: EffectiveSettings, text: str, deadline_s: float | None
    ) -> NDArray[np.float32]:
        """The vector of a text, by the namespace's embedder, which leaves half of the time to the search. Raises EmbedderUnavailable,
        IndexOutdated."""
        left_s = None if deadline_s is None else max(0.0, deadline_s - time.monotonic()) / 2
        try:
            return await asyncio.wait_for(self._query_vector(namespace, settings, text), left_s)
        except asyncio.TimeoutError:
            raise EmbedderUnavailable(
                f"the embedder '{settings.embedder}' has not answered in half of the call's time",
                metadata={"embedder": settings.embedder},
            ) from None

    async def _query_vector(self, namespace: str, settings: EffectiveSettings, text: str) -> NDArray[np.float32]:
        space = (await self._parts()).desk.index.space(namespace)
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
        space = None if self._running is None else self._running.desk.index.space(namespace)
        return 0 if space is None else space.dimensions

    async def candidates(self, namespace: str, wanted: Wanted) -> tuple[Candidates, int]:
        """Who may be meant, to be confirmed against the store; and up to which revision what was searched is complete.

        Raises IndexUnavailable, and InvalidField for what takes too long.
        """
        done = (await self._parts()).follower.done
        found = await self._searched(lambda index, stop: index.search(namespace, wanted, stop), wanted.query)
        return found, _complete(done, found.oldest_waiting)

    def slower(self, namespace: str) -> str:
        """Why a search by vectors takes long, in words; empty when it does not."""
        index = None if self._running is None else self._running.desk.index
        space = None if index is None else index.space(namespace)
        if index is None or space is None or space.id not in index.vectors.problems:
            return ""
        return "what compares vectors cannot be used now (Stats tells why): all of them were compared, one by one"

    def keep(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Lets work go on to its end, or until the finder stops, whoever else still wants it."""
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return task

    async def paths(self, parent: str) -> AsyncIterator[str]:
        """The namespaces at and below one that the store or the index knows; all where it is empty. Raises IndexUnavailable."""
        async for path in (await self._parts()).plans.paths(parent):
            yield path

    async def rebuild(self, namespace: str, *, vectors: bool, done: Callable[[int], None]) -> None:
        """Indexes a namespace anew. Raises IndexUnavailable."""
        running = await self._parts()
        await running.plans.rebuild(namespace, done, vectors=vectors)
        running.embedding.wake()

    async def stats(self, namespace: str) -> SpaceStats | None:
        """What is indexed of a namespace, and why it is not as it should be. None where that cannot be read."""
        return await self._counted(lambda index: index.stats(namespace), None)

    async def overview(self) -> Overview:
        """What is indexed of all namespaces, and which of them have the most slots that wait for a vector."""
        return await self._counted(overview, Overview())

    def problem_of(self, namespace: str) -> str:
        """What is wrong with a namespace's index, in words."""
        if self._running is None:
            return self.problem
        return self._running.embedding.problems.get(namespace) or self._running.follower.problem

    async def check(self) -> list[str]:
        """What is wrong with the index, a line each; a damaged file is made anew from the store."""
        try:
            lines = [] if self._running is None else await self._running.check()
        except (apsw.Error, OSError) as error:
            lines = [told(error)]
        return [f"index: {line}" for line in lines or [self.problem] if line]

    async def wipe(self) -> None:
        """Answers when what is forgotten is in none of the index's files. Raises IndexUnavailable."""
        running = self._running
        if running is None:
            if self._opening is not None or self._store.watermark(PROJECTION) > 0:
                raise _unavailable("it is not open yet")
            return
        revision = self._store.revision
        await running.follower.reached(revision)
        if running.follower.done < revision:
            raise _unavailable(running.follower.problem)
        try:
            await running.desk.write(Index.wipe)
        except (apsw.Error, OSError) as error:
            running.failed(error)
            raise _unavailable(told(error)) from error

    def _told(self, records: Sequence[FeedRecord]) -> None:
        if self._running is not None:
            self._running.follower.told(records)
            return
        if not self._started or self._opening is not None:
            return
        if any(change.change is Change.CONFIGURED for record in records for change in record.changes) and any(
            takes_part(self._settings_of(record.namespace)) for record in records
        ):
            self._open()

    def _open(self) -> None:
        self._opening = asyncio.create_task(self._opened(), name="memslot opening the index")

    async def _opened(self) -> None:
        delay_s = _RETRY_S
        while True:
            try:
                running = await Running.open(self._store, self._settings_of, self._settings, self.models)
            except Exception as error:  # noqa: BLE001 - a supervisor: it is tried again
                self.problem = f"it cannot be opened: {told(error)}"
                _log.error(
                    "the index cannot be opened, searches are refused, all else goes on; tried again in %g s: %s",
                    delay_s,
                    explained(error),
                )
                self._looked.set()
                await asyncio.sleep(delay_s)
                delay_s = min(delay_s * 2, _RETRY_MOST_S)
            else:
                self._running, self.problem = running, ""
                self.summaries.open(running.desk)
                self._looked.set()
                return

    async def _parts(self) -> Running:
        if self._running is None and self._opening is not None:
            await self._looked.wait()
        if self._running is None:
            raise _unavailable(self.problem or "it is not open")
        return self._running

    async def _searched(self, work: Callable[[Index, Stop], T], query: TextQuery | None) -> T:
        """What a search finds. One with a deadline ends when its caller is gone, at the latest."""
        running = await self._parts()
        try:
            return await running.desk.search(work, _SEARCH_S)
        except NotBegun:
            raise _unavailable("too many others search") from None
        except asyncio.TimeoutError:
            if query is None:
                raise _unavailable(f"it has not answered in {_SEARCH_S:g} s") from None
            raise InvalidField(
                f"text asks for too much: the search was ended after {_SEARCH_S:g} s; ask for fewer or rarer words, and for more letters "
                "before a star",
                field="text",
            ) from None
        except (apsw.Error, OSError, BackendUnavailable, SizeChanged) as error:
            running.failed(error)
            raise _unavailable(told(error)) from error

    async def _counted(self, work: Callable[[Index], T], otherwise: T) -> T:
        if self._running is None:
            return otherwise
        try:
            return await self._running.desk.read(work)
        except (apsw.Error, OSError) as error:
            self._running.failed(error)
            return otherwise


def _complete(done: int, oldest_waiting: int) -> int:
    """The revision up to which all is in, where words are up to one, and the oldest that waits for a vector is of another (or 0)."""
    return min(done, oldest_waiting - 1) if oldest_waiting else done


def _unavailable(why: str) -> IndexUnavailable:
    return IndexUnavailable(f"the index cannot be searched now: {why}", retry_after_ms=1000)


def _unbound(_: str) -> EffectiveSettings:
    raise RuntimeError("the finder was not attached")
