"""The store in RAM: every mutation is its own commit, in the event loop's thread."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Sequence

from memslot_index.ranking import Decay
from memslot_sidecar.errors import BackupUnsupported, StoreUnavailable
from memslot_sidecar.model import FeedRecord, NamespaceRecord, SlotRecord, StoredSlot, Supplied, Usage, VersionRecord
from memslot_sidecar.stores.answer import Answer
from memslot_sidecar.stores.base import Decide, IntegrityReport, Page, Query, T, Wipe
from memslot_sidecar.stores.clock import MonotoneClock, wall_clock_ms
from memslot_sidecar.stores.erasing import Passes
from memslot_sidecar.stores.listeners import Listener, Listeners
from memslot_sidecar.stores.ram.check import problems
from memslot_sidecar.stores.ram.tables import Held, Tables, accessed
from memslot_sidecar.stores.unit_of_work import BufferedTransaction
from memslot_sidecar.stores.versions import version_of

DEFAULT_DECAY = Decay()


class _Eraser(Passes):
    async def wipe_store(self, asked: int) -> None:
        """There is nothing to wipe."""


class RamStore:
    """A :class:`~memslot_sidecar.stores.base.Store` without files. ``clock`` gives UTC milliseconds."""

    kind = "ram"

    def __init__(self, clock: Callable[[], int] = wall_clock_ms, decay: Decay = DEFAULT_DECAY) -> None:
        self.store_id = uuid.uuid4().hex
        self.digest_key = secrets.token_bytes(32)
        self._clock = MonotoneClock(clock)
        self._decay = decay
        self._tables = Tables()
        self._listeners = Listeners()
        self._watermarks: dict[str, int] = {}
        self._wipes: list[Wipe] = []
        self._eraser = _Eraser(before=self._wipes)
        self._open = False

    async def start(self) -> None:
        """Opens the store."""
        self._open = True
        self._eraser.start()

    async def close(self) -> None:
        """Closes the store; its content stays until the object is gone."""
        self._open = False
        await self._eraser.close()

    @property
    def revision(self) -> int:
        """The last revision."""
        return self._tables.revision

    def now_ms(self) -> int:
        """The present time; never before that of the last commit."""
        return self._clock.now_ms()

    def transact(self, decide: Decide[T]) -> Answer[T]:
        """Runs a mutation atomically."""
        answer: Answer[T] = Answer()
        try:
            answer.set_result(self._transacted(decide))
        except Exception as error:  # noqa: BLE001 - it is the waiter's
            answer.set_exception(error)
        return answer

    def _transacted(self, decide: Decide[T]) -> T:
        if not self._open:
            raise StoreUnavailable("the store is closed", retry_after_ms=1000)
        tx = BufferedTransaction(self._tables, self._clock.now_ms(), self._tables.revision)
        result = decide(tx)
        changes = tx.finish()
        if not changes.empty:
            self._tables.drop_answers(tx.now_ms)
            self._tables.apply(changes)
            self._clock.committed(tx.now_ms)
        if changes.erase:
            self._eraser.requested(changes.revision)
        self._listeners.tell(changes.feed)
        return result

    def read(self, namespace: str, name: str) -> StoredSlot | None:
        """A live slot with its body."""
        held = self._live(namespace, name)
        return None if held is None else StoredSlot(held.record, held.body)

    def describe(self, namespace: str, name: str) -> SlotRecord | None:
        """A live slot without its body."""
        held = self._live(namespace, name)
        return None if held is None else held.record

    def supplied(self, namespace: str, name: str, revision: int | None = None) -> Supplied | None:
        """What was sent with the body of a live slot."""
        held = self._live(namespace, name)
        return held.supplied if held is not None and revision in (None, held.record.revision) else None

    async def lookup(self, query: Query) -> Page:
        """Live slots in order."""
        return self._tables.matching(query, self.now_ms())

    async def versions(self, namespace: str, name: str) -> Sequence[VersionRecord]:
        """The kept versions of a live slot, newest first."""
        held = self._live(namespace, name)
        return [] if held is None else [version_of(held.record), *(version for version, _ in held.kept)]

    async def read_version(self, namespace: str, name: str, revision: int) -> tuple[VersionRecord, bytes] | None:
        """One kept version of a live slot with its body."""
        held = self._live(namespace, name)
        if held is None:
            return None
        every = [(version_of(held.record), held.body), *held.kept]
        return next((pair for pair in every if pair[0].revision == revision), None)

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""
        return self._tables.namespace(path)

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        return self._tables.configured(paths)

    async def namespaces(self, parent: str, after: str, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces that are configured or hold a live slot, by path."""
        below = parent + "/"
        found: list[NamespaceRecord] = []
        for path in sorted(self._tables.namespaces):
            record = self._tables.namespaces[path]
            if path <= after or not (not parent or path == parent or path.startswith(below)):
                continue
            if record.configured or await self.live_count(path):
                found.append(record)
        return found[:limit]

    async def tasks_due(self, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces whose task has something to do now."""
        due = [
            (record.task.due_ms, record.path)
            for record in self._tables.namespaces.values()
            if record.task is not None and record.task.due_ms <= self.now_ms()
        ]
        return [self._tables.namespaces[path] for _, path in sorted(due)[:limit]]

    async def live_count(self, path: str) -> int:
        """How many live slots a namespace holds."""
        now_ms = self.now_ms()
        return sum(held.record.live(now_ms) for held in self._tables.slots.get(path, {}).values())

    def usage(self) -> Usage:
        """Sums over the whole store."""
        return self._tables.total

    def note_access(self, record: SlotRecord, now_ms: int) -> None:
        """Counts that the slot's body was returned, at once."""
        held = self._tables.held(record.namespace, record.name)
        if held is not None and held.record.created_revision == record.created_revision:
            rank = self._decay.accessed(held.record.rank, now_ms, held.record.importance)
            accessed(held, rank, 1, now_ms)

    async def flush_accesses(self) -> None:
        """Nothing waits here."""

    def subscribe(self, listener: Listener) -> None:
        """``listener`` is called with the records of each commit."""
        self._listeners.add(listener)

    async def feed(self, after: int, limit: int) -> Sequence[FeedRecord]:
        """Records of the feed after a revision, in order."""
        records = self._tables.feed
        start = max(after + 1 - records[0].revision, 0) if records else 0
        return records[start : start + limit]

    async def trim_feed(self, keep_revisions: int, older_than_ms: int, not_after: int) -> None:
        """Drops old records of the feed."""
        last = min(self.revision - keep_revisions, not_after)
        records = self._tables.feed
        kept = 0
        while kept < len(records) and records[kept].revision <= last and records[kept].time_ms < older_than_ms:
            kept += 1
        del records[:kept]

    def watermark(self, projection: str) -> int:
        """The revision up to which a projection said it is complete."""
        return self._watermarks.get(projection, 0)

    async def set_watermark(self, projection: str, revision: int) -> None:
        """Keeps a projection's watermark."""
        self._watermarks[projection] = revision

    async def erase(self) -> None:
        """Answers when what was derived from freed bytes is wiped; the store itself has no file that they could stay in."""
        await self._eraser.erase()

    def before_erase(self, wipe: Wipe) -> None:
        """Each pass of erasing awaits ``wipe``."""
        self._wipes.append(wipe)

    @property
    def erase_pending(self) -> bool:
        """Whether freed bytes wait to be wiped."""
        return self._eraser.pending

    def backup(self) -> AsyncIterator[tuple[bytes, int, int]]:
        """Raises BackupUnsupported: the content dies with the process by intent, so there is nothing that a copy could restore."""
        raise BackupUnsupported("a store in RAM has no file to copy: serve with --store sqlite to make backups")

    async def check(self) -> IntegrityReport:
        """Checks that the counters and the feed agree with the slots."""
        slots = sum(len(slots) for slots in self._tables.slots.values())
        return IntegrityReport(problems(self._tables), slots)

    def file_bytes(self) -> int:
        """There are no files."""
        return 0

    def _live(self, namespace: str, name: str) -> Held | None:
        held = self._tables.held(namespace, name)
        return held if held is not None and held.record.live(self.now_ms()) else None
