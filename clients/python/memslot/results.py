"""What calls return: frozen values with aware UTC datetimes. A repr shows a body's size, never the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memslot import values
from memslot.enums import (
    IndexMode,
    Origin,
    Outcome,
    Overflow,
    ReceiptWarning,
    SummaryMode,
    SummarySource,
    VectorIndexKind,
)

AttributeValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A short text that stands for a body: how it was made, and the slot's revision that it belongs to.

    ``origin`` is the least trusted of what it was made from: what a model wrote about a user's text is the MODEL's.
    """

    text: str = field(repr=False)
    source: SummarySource
    origin: Origin
    revision: int


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """Everything about a slot but its body.

    ``revision`` is the token for ``if_revision``; ``version`` counts the changes since the slot was created, from 1. ``rank_score`` is higher
    for what comes first and comparable only within one reply. ``access_time`` None: never read; ``expire_time`` None: never expires.
    ``has_summary``: a summary of the present body is at hand, which ``summary`` holds where it was asked for. ``has_vector``: the writer sent
    a vector with the present body.
    """

    name: str
    namespace: str
    revision: int
    version: int
    content_type: str
    body_bytes: int
    create_time: datetime
    update_time: datetime
    access_time: datetime | None = None
    expire_time: datetime | None = None
    description: str = ""
    task_type: str = ""
    tags: tuple[str, ...] = ()
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    importance: float = 0.0
    rank_score: float = 0.0
    pinned: bool = False
    access_count: int = 0
    written_by: str = ""
    origin: Origin = Origin.UNSPECIFIED
    has_summary: bool = False
    has_vector: bool = False
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot with its body."""

    info: SlotInfo
    body: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """The slot's name."""
        return self.info.name

    @property
    def revision(self) -> int:
        """The token for ``if_revision``."""
        return self.info.revision

    @property
    def content_type(self) -> str:
        """Media type of the body."""
        return self.info.content_type

    @property
    def value(self) -> Any:
        """The body by its content type: str for text/*, the JSON value for JSON types, bytes otherwise.

        Raises ValueError when the body is not what its content type says, which a memslot server never stores.
        """
        return values.decode(self.body, self.info.content_type)

    @property
    def text(self) -> str:
        """The body as text, whatever its content type. Raises ValueError when it is not UTF-8."""
        return values.text_of(self.body)

    def __repr__(self) -> str:
        info = self.info
        return f"Slot(name={info.name!r}, namespace={info.namespace!r}, revision={info.revision}, content_type={info.content_type!r}, {len(self.body)} bytes)"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a mutation did to one slot.

    ``revision`` is the slot's after the call (of its tombstone when it was forgotten, 0 when it was absent), ``previous_revision`` the one
    before, 0 when there was no slot. ``expire_time`` None: never. ``evicted`` names slots that made room, lowest rank first.
    """

    name: str
    outcome: Outcome
    revision: int = 0
    version: int = 0
    previous_revision: int = 0
    expire_time: datetime | None = None
    evicted: tuple[str, ...] = ()
    warnings: tuple[ReceiptWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A slot that a lookup found: its name, its namespace, and its ``info`` where that was asked for."""

    name: str
    namespace: str
    info: SlotInfo | None = None


@dataclass(frozen=True, slots=True)
class LookupPage:
    """One page of a lookup. ``next_page_token`` is empty on the last; ``total`` is None unless it was asked for."""

    entries: Sequence[Entry]
    next_page_token: str
    revision: int
    total: int | None = None
    total_is_lower_bound: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many slots were forgotten, whether matching ones remain, and the revision that contains it."""

    count: int
    more_remain: bool
    revision: int


@dataclass(frozen=True, slots=True)
class Committed:
    """The answer to a commit: a receipt for each operation, in order, and the one revision of all."""

    receipts: Sequence[Receipt]
    revision: int


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """A kept version of a slot, without its body."""

    revision: int
    version: int
    content_type: str
    body_bytes: int
    update_time: datetime
    written_by: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class NamespaceSettings:
    """What bounds a namespace, and how its slots are found; None is inherited, or, for ``ttl_max`` and ``summary_below_rank`` among the
    effective settings, unbounded."""

    slot_limit: int | None = None
    body_limit_bytes: int | None = None
    ttl_default: timedelta | None = None
    ttl_max: timedelta | None = None
    ttl_refresh_on_read: bool | None = None
    versions_kept: int | None = None
    overflow: Overflow | None = None
    erase_on_forget: bool | None = None
    index_mode: IndexMode | None = None
    embedder: str | None = None
    vector_index: VectorIndexKind | None = None
    summary_mode: SummaryMode | None = None
    summary_above_bytes: int | None = None
    summary_below_rank: float | None = None


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace: what was set in it, what holds in it, and its use."""

    name: str
    settings: NamespaceSettings
    effective_settings: NamespaceSettings
    slot_count: int
    stored_bytes: int
    create_time: datetime


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Which server this is, its limits, and the embedders that it has; a limit of None does not exist.

    ``store_warning`` says why what is stored will be gone sooner than one may think (a data directory that ends with its pod, a store in
    RAM); empty when nothing tells of that.
    """

    version: str
    store_id: str
    instance_id: str
    store: str
    message_limit_bytes: int
    namespace_defaults: NamespaceSettings
    namespace_limit: int | None
    namespace_limit_per_root: int | None
    store_limit_bytes: int | None
    store_limit_bytes_per_root: int | None
    rank_half_life: timedelta
    start_time: datetime
    revision: int
    embedders: Sequence[str] = ()
    store_warning: str = ""


@dataclass(frozen=True, slots=True)
class CallCount:
    """How often one method was answered with one gRPC code."""

    method: str
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class IndexStats:
    """State of the index of one namespace.

    ``waiting`` counts the slots that still get a vector, ``indexed_revision`` is the one up to which vectors are complete. ``vector_index``
    compares the vectors now, ``model`` made them (empty: their writers did); ``truncated`` counts those of only the beginning of a text.
    ``problem`` says why the index is not as it should be; empty when all is well.
    """

    namespace: str
    documents: int
    vectors: int
    waiting: int
    indexed_revision: int
    vector_index: str
    model: str
    dimensions: int
    truncated: int
    problem: str


@dataclass(frozen=True, slots=True)
class Stats:
    """What is stored, and what was done since the process started. Sizes in bytes; ``projections`` maps names to watermarks.

    ``indexes`` maps namespaces to their index: the one that was asked for, and those with the most slots that wait for a vector.
    ``index_documents``, ``index_waiting`` and ``index_bytes`` are about all namespaces.
    """

    namespaces: int
    slots: int
    stored_bytes: int
    file_bytes: int
    overwritten: int
    evicted: int
    expired: int
    audit_written: int
    audit_dropped: int
    audit_queued: int
    erase_pending: bool
    calls: Sequence[CallCount]
    projections: Mapping[str, int]
    uptime: timedelta
    revision: int
    indexes: Mapping[str, IndexStats] = field(default_factory=dict)
    index_documents: int = 0
    index_waiting: int = 0
    index_bytes: int = 0
    summaries: int = 0
    summary_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Reindexing:
    """How far the making of an index is: slots done, of how many, and the namespace under way.

    ``revision`` is the store's revision that is indexed, 0 until the end.
    """

    done: int
    total: int
    namespace: str
    revision: int


@dataclass(frozen=True, slots=True)
class BackupInfo:
    """A backup that was received whole: its size in bytes and the revision that it contains."""

    total_bytes: int
    revision: int


@dataclass(frozen=True, slots=True)
class IntegrityReport:
    """What a check found wrong, a line each; empty when all is well."""

    problems: Sequence[str]
    slots_checked: int
    revision: int
