"""What calls return: frozen values with aware UTC datetimes. A repr shows a body's size, never the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memslot import values
from memslot.enums import Origin, Outcome, Overflow, ReceiptWarning

AttributeValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """Everything about a slot but its body.

    ``revision`` is the token for ``if_revision``; ``version`` counts the changes since the slot was created, from 1. ``rank_score`` is higher
    for what comes first and comparable only within one reply. ``access_time`` None: never read; ``expire_time`` None: never expires.
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
    """What bounds a namespace; None is inherited, or, for ``ttl_max`` among the effective settings, unbounded."""

    slot_limit: int | None = None
    body_limit_bytes: int | None = None
    ttl_default: timedelta | None = None
    ttl_max: timedelta | None = None
    ttl_refresh_on_read: bool | None = None
    versions_kept: int | None = None
    overflow: Overflow | None = None
    erase_on_forget: bool | None = None


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
    """Which server this is, and its limits; a limit of None does not exist."""

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


@dataclass(frozen=True, slots=True)
class CallCount:
    """How often one method was answered with one gRPC code."""

    method: str
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What is stored, and what was done since the process started. Sizes in bytes; ``projections`` maps names to watermarks."""

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
