"""The domain: slots, namespaces, changes and who asked. Plain values, no I/O, no protobuf.

Units are in the names: ``*_ms`` are UTC integer milliseconds (or a span of them), ``*_bytes`` are bytes. A missing
optional value is ``None``, never a magic number.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

AttributeValue = str | int | float | bool
VECTOR_ITEM_BYTES = 4
"""Of each number of a stored vector: float32."""


class Origin(enum.IntEnum):
    """Who a body comes from, as its writer says (values as in the contract)."""

    UNSPECIFIED = 0
    USER = 1
    MODEL = 2
    TOOL = 3
    OPERATOR = 4


class Outcome(enum.IntEnum):
    """What a mutation did to one slot (values as in the contract)."""

    CREATED = 1
    OVERWRITTEN = 2
    APPENDED = 3
    PATCHED = 4
    UPDATED = 5
    UNCHANGED = 6
    FORGOTTEN = 7
    ABSENT = 8
    CHECKED = 9


class Warning(enum.IntEnum):  # noqa: A001 - the contract's word
    """What a caller should know though the call succeeded (values as in the contract)."""

    SLOT_LIMIT_NEAR = 1
    TTL_CLAMPED = 2


class Overflow(enum.IntEnum):
    """What happens when a namespace is full (values as in the contract)."""

    REJECT = 1
    EVICT_LOWEST_RANK = 2


class IndexMode(enum.IntEnum):
    """By what the slots of a namespace can be found (values as in the contract)."""

    KEYS = 1
    FULLTEXT = 2
    HYBRID = 3


class VectorIndexKind(enum.IntEnum):
    """What compares vectors (values as in the contract)."""

    AUTO = 1
    EXACT = 2
    HNSW = 3
    CHROMA = 4
    SQLITE_VSS = 5


class SummaryMode(enum.IntEnum):
    """Of which bodies summaries are made in the background (values as in the contract)."""

    OFF = 1
    EXTRACTIVE = 2
    MODEL = 3


class Lifetime(enum.IntEnum):
    """How a slot's expiry was chosen, so that an overwrite can renew the same choice."""

    DEFAULT = 0
    TTL = 1
    UNTIL = 2
    NEVER = 3


class Change(str, enum.Enum):
    """What one revision did to one slot or namespace, as the change feed tells it."""

    CREATED = "CREATED"
    OVERWRITTEN = "OVERWRITTEN"
    APPENDED = "APPENDED"
    PATCHED = "PATCHED"
    UPDATED = "UPDATED"
    RENEWED = "RENEWED"
    FORGOTTEN = "FORGOTTEN"
    EVICTED = "EVICTED"
    EXPIRED = "EXPIRED"
    CONFIGURED = "CONFIGURED"
    DELETED = "DELETED"


@dataclass(frozen=True, slots=True)
class SlotRecord:
    """Everything but the body of one slot, as it is stored.

    ``rank`` is the time-free sort key of :mod:`memslot_index.ranking`; ``created_revision`` orders slots by creation and tells
    a slot from an earlier one of the same name. ``vector_bytes`` and ``summary_bytes`` are the sizes of what the writer sent with the
    present body (see :class:`Supplied`); 0 is nothing.
    """

    namespace: str
    name: str
    revision: int
    version: int
    content_type: str
    body_bytes: int
    description: str
    task_type: str
    tags: tuple[str, ...]
    attributes: Mapping[str, AttributeValue]
    importance: float
    pinned: bool
    origin: Origin
    written_by: str
    rank: float
    access_count: int
    created_revision: int
    created_ms: int
    updated_ms: int
    accessed_ms: int | None
    expire_ms: int | None
    lifetime: Lifetime
    ttl_ms: int | None
    vector_bytes: int = 0
    summary_bytes: int = 0

    @property
    def supplied_bytes(self) -> int:
        """The size of what was sent with the present body."""
        return self.vector_bytes + self.summary_bytes

    @property
    def stored_bytes(self) -> int:
        """What the slot counts: its body and what was sent with it, earlier versions not included."""
        return self.body_bytes + self.vector_bytes + self.summary_bytes

    def live(self, now_ms: int) -> bool:
        """Whether the slot is visible at ``now_ms``."""
        return self.expire_ms is None or self.expire_ms > now_ms


@dataclass(frozen=True, slots=True)
class StoredSlot:
    """A slot with its body."""

    record: SlotRecord
    body: bytes


@dataclass(frozen=True, slots=True)
class Supplied:
    """What a writer sent with a body, and what goes with it: ``vector`` as little-endian float32 of length 1, and a summary."""

    vector: bytes | None = None
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """An earlier (or the current) body of a slot, without the body."""

    namespace: str
    name: str
    revision: int
    version: int
    content_type: str
    body_bytes: int
    description: str
    updated_ms: int
    written_by: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class NamespaceSettings:
    """What was set for one namespace; ``None`` is inherited."""

    slot_limit: int | None = None
    body_limit_bytes: int | None = None
    ttl_default_ms: int | None = None
    ttl_max_ms: int | None = None
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
class EffectiveSettings:
    """What holds for one namespace after inheritance and caps; ``ttl_max_ms`` is None where nothing bounds it, ``summary_below_rank``
    where a slot's rank does not matter. Without a vector model ``embedder`` is ``none``."""

    slot_limit: int = 64
    body_limit_bytes: int = 4096
    ttl_default_ms: int = 86_400_000
    ttl_max_ms: int | None = None
    ttl_refresh_on_read: bool = False
    versions_kept: int = 1
    overflow: Overflow = Overflow.REJECT
    erase_on_forget: bool = False
    index_mode: IndexMode = IndexMode.KEYS
    embedder: str = "none"
    vector_index: VectorIndexKind = VectorIndexKind.AUTO
    summary_mode: SummaryMode = SummaryMode.OFF
    summary_above_bytes: int = 2048
    summary_below_rank: float | None = None


CLOSED_SETTINGS: Mapping[str, type[enum.IntEnum]] = {
    "overflow": Overflow,
    "index_mode": IndexMode,
    "vector_index": VectorIndexKind,
    "summary_mode": SummaryMode,
}
"""The settings of a namespace whose values are a closed set."""


class TaskOutcome(enum.IntEnum):
    """How a task ended."""

    UNSPECIFIED = 0
    SUCCEEDED = 1
    FAILED = 2


@dataclass(frozen=True, slots=True)
class Sealed:
    """An attempt that is over, whose namespace is emptied at ``clear_ms``."""

    attempt: int
    clear_ms: int


@dataclass(frozen=True, slots=True)
class TaskState:
    """A task, kept with the namespace that holds its attempts'.

    ``attempt`` is the present one; only its namespace may be written while ``ended`` is UNSPECIFIED. The namespaces of ``sealed``
    attempts wait to be emptied. At ``forget_ms`` the task itself may be forgotten, if nothing of it is left.
    """

    attempt: int
    forget_ms: int
    ended: TaskOutcome = TaskOutcome.UNSPECIFIED
    sealed: tuple[Sealed, ...] = ()

    @property
    def due_ms(self) -> int:
        """When there is something to do about the task."""
        return min((one.clear_ms for one in self.sealed), default=self.forget_ms)


@dataclass(frozen=True, slots=True)
class NamespaceRecord:
    """A namespace as it is stored.

    ``slot_count``, ``stored_bytes`` (bodies, what was sent with them, and kept versions) and ``vector_count`` (slots whose writer sent
    a vector) include expired slots that were not swept yet. ``vector_dimensions`` is the size of those vectors: the first one decides
    it, and it is forgotten with the last one. ``configured`` namespaces stay when they are empty, and so do those of a ``task``, which
    count for none.
    """

    path: str
    settings: NamespaceSettings
    configured: bool
    slot_count: int
    stored_bytes: int
    created_ms: int
    vector_count: int = 0
    vector_dimensions: int | None = None
    task: TaskState | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over a root or the whole store, expired slots that were not swept yet included. A namespace counts when it is configured
    or holds a slot."""

    namespaces: int = 0
    slots: int = 0
    stored_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a call comes from; ``verified`` tells whether credentials were checked."""

    id: str = "anonymous"
    source: str = "none"
    verified: bool = False


SYSTEM = Caller(id="system", source="process", verified=True)


@dataclass(frozen=True, slots=True)
class CallInfo:
    """What an audit event tells about one call. ``event_id`` is made once and kept through a crash.

    ``agent``, ``conversation`` and ``turn`` are as said by the caller, apart from ``caller``. ``parent_event_id`` is that of the call
    which made this one, empty for a call from outside.
    """

    event_id: str
    operation: str
    caller: Caller
    started_ms: int
    request_id: str = ""
    agent: str = ""
    conversation: str = ""
    turn: str = ""
    trace_id: str = ""
    parent_event_id: str = ""


@dataclass(frozen=True, slots=True)
class SlotChange:
    """One slot's (or, with an empty name, the namespace's) part in a revision."""

    name: str
    change: Change
    previous_revision: int = 0
    body_bytes: int = 0


@dataclass(frozen=True, slots=True)
class FeedRecord:
    """One revision of the store: what changed, when, and on whose behalf. Never a body."""

    revision: int
    time_ms: int
    namespace: str
    call: CallInfo
    changes: tuple[SlotChange, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The first answer to a request id: ``digest`` is a keyed hash of the request, ``reply`` the serialised answer."""

    caller: str
    request_id: str
    method: str
    digest: bytes
    reply: bytes
    expire_ms: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a mutation did to one slot; times and revisions as in :class:`SlotRecord`."""

    name: str
    outcome: Outcome
    revision: int = 0
    version: int = 0
    previous_revision: int = 0
    expire_ms: int | None = None
    evicted: tuple[str, ...] = ()
    warnings: tuple[Warning, ...] = field(default=())
