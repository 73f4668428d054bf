"""The seam between operations and backends.

A backend keeps the truth: namespaces, slots, bodies, versions, answers to request ids, and the ordered change feed. It holds no
rule of its own: a mutation is a function of a :class:`Transaction`, which lives in ``operations``, and a backend only runs it atomically.

Every method may raise :class:`~memslot_sidecar.errors.StoreUnavailable` (a retry may help) and
:class:`~memslot_sidecar.errors.StoreCorrupt` (it does not); what else is raised stands with the method.
"""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from memslot_index.filters import Filter
from memslot_sidecar.model import (
    CallInfo,
    FeedRecord,
    NamespaceRecord,
    SlotChange,
    SlotRecord,
    StoredAnswer,
    StoredSlot,
    Supplied,
    Usage,
    VersionRecord,
)
from memslot_sidecar.stores.answer import Answer

T = TypeVar("T")
Decide = Callable[["Transaction"], T]
"""A mutation: reads through the transaction, buffers its changes in it, returns its answer. It runs in whichever thread the backend
chooses, may be cut off halfway when it touches many rows, and is run again then and after a failed commit: whatever it does outside of
the transaction must be right when it is done again."""

Wipe = Callable[[], Awaitable[None]]
"""Makes sure that bytes which were freed before the call are in no file that the callee keeps."""


class Order(enum.Enum):
    """Lookup orders, with the direction of the contract; ties are broken by namespace and name, ascending."""

    RANK = "rank"
    NAME = "name"
    UPDATED = "updated"
    CREATED = "created"
    ACCESSED = "accessed"
    EXPIRES = "expires"
    SIZE = "size"


SortKey = tuple[float | int | str | None, ...]
"""Where a page ended: the order's value(s), then namespace and name. Opaque to everyone but the backend's ordering."""


@dataclass(frozen=True, slots=True)
class Query:
    """Which slots, in which order. ``after`` is exclusive. ``count_to`` asks for the number of all matches, counted so far.

    With ``names_only`` the items carry no record, so that an index can answer alone.
    """

    namespace: str
    recursive: bool = False
    name_prefix: str = ""
    filter: Filter | None = None
    order: Order = Order.RANK
    reverse: bool = False
    limit: int = 50
    after: SortKey | None = None
    names_only: bool = True
    count_to: int | None = None


class Item(NamedTuple):
    """One slot of a page; ``key`` continues after it. (A named tuple: pages make many of them.)"""

    namespace: str
    name: str
    key: SortKey
    record: SlotRecord | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a query. ``total`` counts up to ``count_to`` + 1: a larger total than asked for is a lower bound."""

    items: Sequence[Item]
    more: bool
    total: int | None = None


@dataclass(frozen=True, slots=True)
class IntegrityReport:
    """What a check found: a line a problem, without any body."""

    problems: Sequence[str]
    slots_checked: int


class Transaction(Protocol):
    """One mutation's view of the store and its buffered changes. Reads see the buffered changes by name.

    ``now_ms`` is the commit's time: never before that of an earlier commit, whatever the wall clock does.
    """

    now_ms: int

    @property
    def revision(self) -> int:
        """The last revision taken: by this mutation, or by those before it, though their group was not committed yet."""

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace, with its counters as of the buffered changes."""

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured (for inheritance)."""

    def within(self, path: str, limit: int) -> Sequence[NamespaceRecord]:
        """The namespace and those below it, those that only hold a task or expired slots included, in byte order of their paths, with
        their counters as of the buffered changes; namespaces that were created by these are not seen."""

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store, as of the buffered changes."""

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""

    def body(self, record: SlotRecord) -> bytes:
        """The body of a slot that :meth:`slot` returned."""

    def supplied(self, record: SlotRecord) -> Supplied | None:
        """What was sent with the body of a slot that :meth:`slot` returned; None when nothing was."""

    def expired(self, namespace: str | None, limit: int) -> Sequence[SlotRecord]:
        """Slots that expired at ``now_ms``, of one namespace or of all, soonest first; buffered changes are not seen."""

    def lowest_ranked(self, namespace: str, limit: int, excluding: Collection[str] = ()) -> Sequence[SlotRecord]:
        """Live slots of a namespace, lowest rank first, pinned ones and ``excluding`` left out; buffered changes are not seen."""

    def matching(self, query: Query) -> Page:
        """Live slots with their records; buffered changes are not seen."""

    def answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        """The kept answer to a request id that has not expired."""

    def put(
        self, record: SlotRecord, body: bytes | None, *, keep_versions: int = 1, supplied: Supplied | None = None
    ) -> None:
        """Creates or replaces a slot; ``body`` None leaves the body as it is. The namespace is created when it is missing.

        When the body of an existing slot is replaced, the old one is kept while there are fewer than ``keep_versions`` (the
        current one included). ``supplied`` goes with the body: it takes the place of what was sent before, and None removes that with
        the old body, but leaves it where the body stays. The record's ``vector_bytes`` and ``summary_bytes`` are set here. Versions do
        not keep it. The vectors of a namespace must have one size when the mutation ends.
        """

    def remove(self, record: SlotRecord) -> None:
        """Removes a slot with its body, versions and all that was sent with it. An emptied namespace that is not configured vanishes with the commit."""

    def put_namespace(self, record: NamespaceRecord) -> None:
        """Creates a namespace or changes its settings and task; the counters in ``record`` are ignored."""

    def remove_namespace(self, path: str) -> None:
        """Removes a namespace's settings; the namespace vanishes with the commit if it holds no slots and no task."""

    def keep_answer(self, answer: StoredAnswer) -> None:
        """Keeps an answer together with the commit."""

    def next_revision(self) -> int:
        """Takes the next revision. A mutation that changes nothing takes none."""

    def emit(self, revision: int, namespace: str, call: CallInfo, changes: Sequence[SlotChange], outcome: str) -> None:
        """Adds the revision's record to the change feed."""

    def request_erase(self) -> None:
        """Notes durably, with this commit, that freed bytes must be wiped (see :meth:`Store.erase`)."""


class Store(Protocol):
    """The truth. All methods are called from the event loop's thread.

    ``kind`` is the backend's name. ``store_id`` is new after a restore. ``digest_key`` is a random secret of the store for keyed hashes.
    """

    kind: str
    store_id: str
    digest_key: bytes

    async def start(self) -> None:
        """Opens the store. Raises StartupError (in use by another sidecar, newer schema, damaged)."""

    async def close(self) -> None:
        """Finishes what was accepted and closes; idempotent."""

    @property
    def revision(self) -> int:
        """The last revision that is committed and visible."""

    def now_ms(self) -> int:
        """The present time; never before that of the last commit."""

    def transact(self, decide: Decide[T]) -> Answer[T]:
        """Runs a mutation atomically and answers when it is durable; what ``decide`` raises is raised here, and nothing changed. The
        mutation is queued by the call itself (a future, not a lazy coroutine), in the order of the calls; cancelling whoever waits does
        not undo it.

        Mutations of one group commit do not affect each other's fate. Raises StoreFull when the disk is full.
        """

    def read(self, namespace: str, name: str) -> StoredSlot | None:
        """A live slot with its body. Does not count as an access."""

    def describe(self, namespace: str, name: str) -> SlotRecord | None:
        """A live slot without its body; reads no page of any body."""

    def supplied(self, namespace: str, name: str, revision: int | None = None) -> Supplied | None:
        """What was sent with the body of a live slot; None when nothing was, or when the slot is not at ``revision`` (if given)."""

    async def lookup(self, query: Query) -> Page:
        """Live slots in order; reads no page of any body."""

    async def versions(self, namespace: str, name: str) -> Sequence[VersionRecord]:
        """The kept versions of a live slot, newest first, the current one included; empty when there is no such slot."""

    async def read_version(self, namespace: str, name: str, revision: int) -> tuple[VersionRecord, bytes] | None:
        """One kept version of a live slot with its body."""

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace. It may hold only expired slots (see :meth:`live_count`)."""

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured (for inheritance)."""

    async def namespaces(self, parent: str, after: str, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces that are configured or hold a live slot, in byte order of their paths, after ``after``; with a parent only it
        and those below it."""

    async def tasks_due(self, limit: int) -> Sequence[NamespaceRecord]:
        """Namespaces whose task has something to do now, those that are due longest first."""

    async def live_count(self, path: str) -> int:
        """How many live slots a namespace holds."""

    def usage(self) -> Usage:
        """Sums over the whole store."""

    def note_access(self, record: SlotRecord, now_ms: int) -> None:
        """Counts that the slot's body was returned. Flushed in bounded portions every ten seconds; no revision; lossy in a crash.
        Ignored when the slot was recreated meanwhile."""

    async def flush_accesses(self) -> None:
        """Writes all noted accesses now."""

    def subscribe(self, listener: Callable[[Sequence[FeedRecord]], None]) -> None:
        """``listener`` is called in the loop's thread with the records of each commit, in order, after it is durable and before any
        of its mutations is answered. It must not block; one that raises is logged, and told of the next commit."""

    async def feed(self, after: int, limit: int) -> Sequence[FeedRecord]:
        """Records of the feed after a revision, in order."""

    async def trim_feed(self, keep_revisions: int, older_than_ms: int, not_after: int) -> None:
        """Drops records that are both outside the newest ``keep_revisions`` and older than ``older_than_ms`` (a point in time), none
        after ``not_after``."""

    def watermark(self, projection: str) -> int:
        """The revision up to which a projection said it is complete; 0 when it never did."""

    async def set_watermark(self, projection: str, revision: int) -> None:
        """Keeps a projection's watermark durably."""

    async def erase(self) -> None:
        """Answers when bytes freed by earlier commits are in no file of the store; calls that wait share one pass.

        Raises ErasePending when that cannot be done now; it is then resumed by itself, also after a restart.
        """

    def before_erase(self, wipe: Wipe) -> None:
        """Registers, before :meth:`start`, what each pass of erasing awaits before it wipes the store's own files: it must wipe what was
        derived from bodies that commits before the call freed.

        It may be called as soon as the start begins, and again after a failure. When it raises, the pass fails as ErasePending, and
        another one follows by itself.
        """

    @property
    def erase_pending(self) -> bool:
        """Whether freed bytes wait to be wiped."""

    def backup(self) -> AsyncIterator[tuple[bytes, int, int]]:
        """A consistent copy, as (chunk, total bytes, revision). Raises BackupUnsupported."""

    async def check(self) -> IntegrityReport:
        """Checks the store's files, and that its counters, bodies and feed agree."""

    def file_bytes(self) -> int:
        """Size of the store's files in bytes; 0 in RAM."""
