"""Follows the change feed: what a commit touched is read from the store and handed to the index, in the order of the commits.

What is handed over is a slot as it is now, which may be later than the commit that named it. Reading and handing over are one step
of the loop, and one thread applies what it gets in that order: so whatever else hands over slots (a rebuild), the index ends with the
store's last word.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice

from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.entries import changes_of, takes_part
from memslot_sidecar.finding.telling import stopping, told
from memslot_sidecar.model import Change, EffectiveSettings, FeedRecord
from memslot_sidecar.stores.base import Store

_PENDING_LIMIT = 50_000
_FEED_PORTION = 200
_RETRY_S = 1.0
_RETRY_MOST_S = 30.0

_log = logging.getLogger(__name__)


class Gap(Exception):
    """The feed no longer holds what the index has not seen."""


class Follower:
    """Keeps ``desk``'s index in step. ``configured`` is called with the namespaces whose settings changed, ``failed`` with what went wrong.

    As long as ``holding()`` says so, something that a commit asked for is still under way: how far the index is, is not kept, so that a
    crash leads back to that commit.
    """

    def __init__(
        self,
        store: Store,
        settings: Callable[[str], EffectiveSettings],
        desk: Desk,
        configured: Callable[[Sequence[str]], None],
        holding: Callable[[], bool],
        failed: Callable[[Exception], None],
    ) -> None:
        self._store = store
        self._settings = settings
        self._desk = desk
        self._configured = configured
        self._holding = holding
        self._failed = failed
        self._pending: dict[tuple[str, str], None] = {}
        self._head = 0
        self._behind: int | None = None
        self._waiters: dict[asyncio.Future[None], int] = {}
        self._wake = asyncio.Event()
        self._mended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False
        self.done = 0
        self.problem = ""

    def start(self, watermark: int) -> None:
        """Follows from a revision on."""
        self.done = watermark
        self._head = max(self._store.revision, watermark)
        if watermark < self._head:
            self._behind = watermark
        self._wake.set()
        self._task = asyncio.create_task(self._run(), name="memslot indexing")

    async def stop(self) -> None:
        """Ends, where it waits; whoever waits for it is told."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._stopped = True
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_exception(stopping())

    def told(self, records: Sequence[FeedRecord]) -> None:
        """A listener of the feed."""
        for record in records:
            self._head = record.revision
            self._note(record, self._pending)
        if len(self._pending) > _PENDING_LIMIT:
            # The feed remembers: it is read from there.
            self._behind = self.done if self._behind is None else min(self._behind, self.done)
            self._pending.clear()
        if not self._pending and self._behind is None and not self._desk.busy:
            self._reached(self._head)
        else:
            self._wake.set()

    def retry(self) -> None:
        """Says that what failed may go now."""
        self._mended.set()

    async def reached(self, revision: int) -> None:
        """Answers when the index contains a revision. Raises IndexUnavailable when it stops before."""
        if self.done >= revision:
            return
        if self._stopped:
            raise stopping()
        waiter = asyncio.get_running_loop().create_future()
        self._waiters[waiter] = revision
        self._wake.set()
        try:
            await waiter
        finally:
            self._waiters.pop(waiter, None)

    def _note(self, record: FeedRecord, touched: dict[tuple[str, str], None]) -> None:
        """Adds the slots that a commit touched, as far as they are or will be indexed."""
        configured = False
        for change in record.changes:
            if change.change in (Change.CONFIGURED, Change.DELETED):
                configured = True
            elif change.change is not Change.RENEWED and self._indexed(record.namespace):
                touched[(record.namespace, change.name)] = None
        if configured:
            self._configured([record.namespace])

    def _indexed(self, namespace: str) -> bool:
        return takes_part(self._settings(namespace)) or self._desk.has(namespace)

    async def _run(self) -> None:
        delay_s = _RETRY_S
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._drain()
                self.problem, delay_s = "", _RETRY_S
            except Gap:
                self.problem = "the change feed no longer holds what was not indexed yet: all is indexed anew"
                self._behind = None
                self._configured([""])
                self._wake.set()
            except Exception as error:  # noqa: BLE001 - a supervisor: what was not indexed is tried again, and searches say so
                self.problem = f"the index cannot be written: {told(error)}"
                _log.error("the index cannot be written; tried again in %g s: %s", delay_s, explained(error))
                self._failed(error)
                self._behind = self.done if self._behind is None else min(self._behind, self.done)
                self._release()
                self._mended.clear()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._mended.wait(), delay_s)
                delay_s = min(delay_s * 2, _RETRY_MOST_S)
                self._wake.set()

    async def _drain(self) -> None:
        while self._behind is not None:
            await self._catch_up(self._behind)
        while self._pending:
            head = self._head
            changes = changes_of(self._store, self._pending, self._settings)
            portion = list(islice(self._pending, len(changes)))
            for key in portion:
                del self._pending[key]
            last = not self._pending
            try:
                await self._desk.apply(changes, head if last and not self._holding() else None)
            except BaseException:
                self._pending = {**dict.fromkeys(portion), **self._pending}
                raise
            if last:
                self._reached(head)
        if self.has_all:
            self._reached(self._head)

    @property
    def has_all(self) -> bool:
        """Whether nothing that was committed has still to be handed over."""
        return self._behind is None and not self._pending

    async def _catch_up(self, after: int) -> None:
        records = await self._store.feed(after, _FEED_PORTION)
        if not records:
            if after < self._store.revision and self._behind == after:
                raise Gap
            self._behind = None
            return
        if records[0].revision != after + 1:
            raise Gap
        touched: dict[tuple[str, str], None] = {}
        for record in records:
            self._note(record, touched)
        keys = list(touched)
        while keys:
            changes = changes_of(self._store, keys, self._settings)
            await self._desk.apply(changes)
            del keys[: len(changes)]
        last = records[-1].revision
        if not self._holding():
            await self._desk.apply([], last)
        self._reached(last)
        self._behind = last if last < self._head else None

    def _reached(self, revision: int) -> None:
        self.done = max(self.done, revision)
        for waiter, wanted in self._waiters.items():
            if wanted <= self.done and not waiter.done():
                waiter.set_result(None)

    def _release(self) -> None:
        """Lets searches go on without what cannot be indexed now; they say so."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
