"""The store on SQLite: one directory, one process, one writer.

Everything here runs in the event loop's thread. Point reads and pages that an index answers are made right there, on a connection of
their own; what may take long goes to a thread; what changes anything goes to the writer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from memslot_index.ranking import Decay
from memslot_sidecar.errors import MemslotError, StoreUnavailable
from memslot_sidecar.model import FeedRecord, NamespaceRecord, SlotRecord, StoredSlot, Supplied, Usage, VersionRecord
from memslot_sidecar.stores.answer import Answer
from memslot_sidecar.stores.base import Decide, IntegrityReport, Page, Query, T, Wipe
from memslot_sidecar.stores.clock import MonotoneClock, wall_clock_ms
from memslot_sidecar.stores.listeners import Listener, Listeners
from memslot_sidecar.stores.sqlite import accesses, integrity, retention
from memslot_sidecar.stores.sqlite.backup import stream_copy
from memslot_sidecar.stores.sqlite.cache import SlotCache
from memslot_sidecar.stores.sqlite.failures import translating
from memslot_sidecar.stores.sqlite.files import Files
from memslot_sidecar.stores.sqlite.index_walk import walk_page
from memslot_sidecar.stores.sqlite.opening import Opened, open_store
from memslot_sidecar.stores.sqlite.page_cache import PageCache
from memslot_sidecar.stores.sqlite.scan import scan_page
from memslot_sidecar.stores.sqlite.work import Committed

CACHE_BYTES = 64 << 20
DEFAULT_DECAY = Decay()
_NOTED_LIMIT = 20_000


class SqliteStore:
    """A :class:`~memslot_sidecar.stores.base.Store` in the directory ``data_dir``. ``clock`` gives UTC milliseconds.

    ``cache_bytes`` bounds what is kept of the file in memory, ``lock_wait_s`` how long the start waits for another process that
    owns the directory. ``vfs`` is the name of the SQLite file layer to use.
    """

    kind = "sqlite"

    def __init__(
        self,
        data_dir: Path | str,
        clock: Callable[[], int] = wall_clock_ms,
        decay: Decay = DEFAULT_DECAY,
        *,
        cache_bytes: int = CACHE_BYTES,
        lock_wait_s: float = 0.0,
        vfs: str | None = None,
    ) -> None:
        self.store_id = ""
        self.digest_key = b""
        self._files = Files(Path(data_dir), cache_bytes, vfs)
        self._wall_clock = clock
        self._clock = MonotoneClock(clock)
        self.now_ms = self._clock.now_ms
        self._decay = decay
        self._lock_wait_s = lock_wait_s
        self._cache = SlotCache(cache_bytes // 4)
        self._pages = PageCache()
        self._accesses = accesses.Accesses()
        self._listeners = Listeners()
        self._wipes: list[Wipe] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._opened: Opened | None = None
        self._usage = Usage()
        self._revision = 0

    async def start(self) -> None:
        """Opens the store. Raises StartupError."""
        opened = await open_store(self._files, self._wall_clock, self._lock_wait_s, self._deliver, self._wipes)
        self._opened = opened
        self.store_id, self.digest_key = opened.store_id, opened.digest_key
        self._deliver(Committed(opened.writer.start()))
        opened.eraser.start()

    async def close(self) -> None:
        """Finishes what was accepted and closes; idempotent."""
        opened = self._opened
        if opened is None:
            return
        for task in self._tasks:
            task.cancel()
        await self._flush_if_possible()
        self._opened = None
        await opened.close()

    @property
    def revision(self) -> int:
        """The last revision that is committed and visible."""
        return self._revision

    def transact(self, decide: Decide[T]) -> Answer[T]:
        """Runs a mutation atomically and answers when it is durable. Raises StoreFull when the disk is full."""
        return self._open.writer.mutate(decide)

    def read(self, namespace: str, name: str) -> StoredSlot | None:
        """A live slot with its body."""
        key = (namespace, name)
        stored = self._cache.get(key) or self._fetched(key)
        return stored if stored is not None and stored.record.live(self._clock.now_ms()) else None

    @translating
    def _fetched(self, key: tuple[str, str]) -> StoredSlot | None:
        stored = self._open.readers.inline.read(*key)
        if stored is not None:
            self._cache.put(key, stored)
        return stored

    @translating
    def describe(self, namespace: str, name: str) -> SlotRecord | None:
        """A live slot without its body; reads no page of any body."""
        record = self._open.readers.inline.describe(namespace, name)
        return record if record is not None and record.live(self._clock.now_ms()) else None

    @translating
    def supplied(self, namespace: str, name: str, revision: int | None = None) -> Supplied | None:
        """What was sent with the body of a live slot."""
        return self._open.readers.inline.supplied(namespace, name, revision, self._clock.now_ms())

    async def lookup(self, query: Query) -> Page:
        """Live slots in order; reads no page of any body."""
        now_ms = self._clock.now_ms()
        page = self._pages.get(query, now_ms) or self._walk(query, now_ms)
        if page is not None:
            return page
        return await self._open.readers.scan(lambda reader: scan_page(reader.connection, query, now_ms))

    @translating
    def _walk(self, query: Query, now_ms: int) -> Page | None:
        timed = walk_page(self._open.readers.inline.connection, query, now_ms)
        if timed is None:
            return None
        self._pages.put(query, timed)
        return timed.page

    async def versions(self, namespace: str, name: str) -> Sequence[VersionRecord]:
        """The kept versions of a live slot, newest first."""
        now_ms = self._clock.now_ms()
        return await self._open.readers.scan(lambda reader: reader.versions(namespace, name, now_ms))

    async def read_version(self, namespace: str, name: str, revision: int) -> tuple[VersionRecord, bytes] | None:
        """One kept version of a live slot with its body."""
        now_ms = self._clock.now_ms()
        return await self._open.readers.scan(lambda reader: reader.read_version(namespace, name, revision, now_ms))

    @translating
    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""
        return self._open.readers.inline.namespace(path)

    @translating
    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        return self._open.readers.inline.configured(paths)

    async def namespaces(self, parent: str, after: str, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces that are configured or hold a live slot, by path."""
        now_ms = self._clock.now_ms()
        return await self._open.readers.scan(lambda reader: reader.namespaces(parent, after, limit, now_ms))

    async def tasks_due(self, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces whose task has something to do now."""
        now_ms = self._clock.now_ms()
        return await self._open.readers.scan(lambda reader: reader.tasks_due(limit, now_ms))

    async def live_count(self, path: str) -> int:
        """How many live slots a namespace holds."""
        now_ms = self._clock.now_ms()
        return await self._open.readers.scan(lambda reader: reader.live_count(path, now_ms))

    def usage(self) -> Usage:
        """Sums over the whole store."""
        return self._usage

    def note_access(self, record: SlotRecord, now_ms: int) -> None:
        """Counts that the slot's body was returned."""
        self._accesses.note(record, now_ms)
        if len(self._accesses) >= _NOTED_LIMIT and not self._tasks:
            self._spawn(self._flush_if_possible())

    async def flush_accesses(self) -> None:
        """Writes all noted accesses now, in portions."""
        portions = self._accesses.take()
        try:
            while portions:
                write = partial(accesses.write, portion=portions[0], decay=self._decay)
                self._drop(await self._open.writer.chore(write, bulk=True))
                del portions[0]
        finally:
            self._accesses.give_back(portions)

    def subscribe(self, listener: Listener) -> None:
        """``listener`` is called with the records of each commit before any of its mutations is answered."""
        self._listeners.add(listener)

    async def feed(self, after: int, limit: int) -> Sequence[FeedRecord]:
        """Records of the feed after a revision, in order."""
        return await self._open.readers.scan(lambda reader: reader.feed(after, limit))

    async def trim_feed(self, keep_revisions: int, older_than_ms: int, not_after: int) -> None:
        """Drops old records of the feed, in portions."""
        last = min(self._revision - keep_revisions, not_after)
        while await self._open.writer.chore(lambda rows: retention.trim(rows, last, older_than_ms), bulk=True):
            pass

    def watermark(self, projection: str) -> int:
        """The revision up to which a projection said it is complete."""
        return self._open.watermarks.get(projection, 0)

    async def set_watermark(self, projection: str, revision: int) -> None:
        """Keeps a projection's watermark durably."""
        await self._open.writer.chore(lambda rows: rows.set_meta(f"watermark.{projection}", revision))
        self._open.watermarks[projection] = revision

    async def erase(self) -> None:
        """Answers when freed bytes are in no file of the store. Raises ErasePending."""
        await self._open.eraser.erase()

    def before_erase(self, wipe: Wipe) -> None:
        """Each pass of erasing awaits ``wipe`` before it wipes the store's own files."""
        self._wipes.append(wipe)

    @property
    def erase_pending(self) -> bool:
        """Whether freed bytes wait to be wiped."""
        return self._opened is not None and self._opened.eraser.pending

    def backup(self) -> AsyncIterator[tuple[bytes, int, int]]:
        """A consistent copy with a store_id of its own, as (chunk, total bytes, revision)."""
        return stream_copy(self._files)

    async def check(self) -> IntegrityReport:
        """Checks the file, and that counters, bodies, tags, attributes and feed agree."""
        return await self._open.readers.scan(lambda reader: integrity.check(reader.connection))

    def file_bytes(self) -> int:
        """Size of the store's files in bytes."""
        return self._files.size()

    @property
    def _open(self) -> Opened:
        if self._opened is None:
            raise StoreUnavailable("the store is not open: repeat the call", retry_after_ms=1000)
        return self._opened

    def _deliver(self, committed: Committed) -> None:
        state = committed.state
        self._revision, self._usage = state.revision, state.usage
        self._clock.committed(state.time_ms)
        self._drop(committed.touched)
        if committed.erase and self._opened is not None:
            self._opened.eraser.requested(state.revision)
        self._listeners.tell(committed.feed)
        for outcome in committed.outcomes:
            outcome.tell()

    def _drop(self, touched: Collection[tuple[str, str]]) -> None:
        self._cache.drop(touched)
        self._pages.drop(touched)

    async def _flush_if_possible(self) -> None:
        try:
            await self.flush_accesses()
        except (MemslotError, apsw.Error):
            return

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
