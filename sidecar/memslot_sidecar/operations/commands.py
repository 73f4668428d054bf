"""What an operation is asked to do, as plain values that a service has parsed but not judged.

``None`` is "not said". Names and namespaces are as received; operations normalise and check them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memslot_index.filters import Filter
from memslot_sidecar.model import (
    AttributeValue,
    NamespaceSettings,
    Origin,
    Receipt,
    SlotRecord,
    Supplied,
    VersionRecord,
)
from memslot_sidecar.stores.base import Order


class WriteMode(enum.IntEnum):
    """How the new body combines with the one that is there (values as in the contract).

    EXTEND is how a model appends: text to a text, values to a JSON array. It is in no request.
    """

    REPLACE = 1
    APPEND = 2
    MERGE_PATCH = 3
    EXTEND = 101


@dataclass(frozen=True, slots=True)
class Ttl:
    """Expire so many milliseconds from now."""

    ms: int


@dataclass(frozen=True, slots=True)
class ExpireAt:
    """Expire at a point in time, UTC milliseconds."""

    time_ms: int


@dataclass(frozen=True, slots=True)
class Never:
    """Do not expire."""


Expiry = Ttl | ExpireAt | Never


@dataclass(frozen=True, slots=True)
class IfAbsent:
    """The slot must not exist."""


@dataclass(frozen=True, slots=True)
class IfRevision:
    """The slot must exist at this revision."""

    revision: int


Precondition = IfAbsent | IfRevision


@dataclass(frozen=True, slots=True)
class WriteCommand:
    """One write. Empty tags, attributes, vector and summary are "not said"; ``supplied`` is the latter two in their stored form."""

    namespace: str
    name: str
    body: bytes
    content_type: str = ""
    description: str | None = None
    task_type: str | None = None
    tags: Sequence[str] = ()
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    importance: float | None = None
    pinned: bool | None = None
    origin: Origin = Origin.UNSPECIFIED
    expiry: Expiry | None = None
    precondition: Precondition | None = None
    mode: WriteMode = WriteMode.REPLACE
    vector: Sequence[float] = ()
    summary: str = ""
    supplied: Supplied | None = None


@dataclass(frozen=True, slots=True)
class UpdateInfoCommand:
    """New metadata for a slot: ``fields`` (of content_type, description, task_type, tags, attributes, importance, pinned, origin) are
    taken from the values here."""

    namespace: str
    name: str
    fields: frozenset[str]
    content_type: str = ""
    description: str = ""
    task_type: str = ""
    tags: Sequence[str] = ()
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    importance: float = 0.0
    pinned: bool = False
    origin: Origin = Origin.UNSPECIFIED
    expiry: Expiry | None = None
    precondition: Precondition | None = None


@dataclass(frozen=True, slots=True)
class ForgetCommand:
    """Forget one slot."""

    namespace: str
    name: str
    precondition: Precondition | None = None
    erase: bool = False


@dataclass(frozen=True, slots=True)
class CheckCommand:
    """A condition on a slot that is not changed."""

    name: str
    precondition: Precondition


CommitStep = WriteCommand | ForgetCommand | CheckCommand


@dataclass(frozen=True, slots=True)
class ForgetMatchingCommand:
    """Forget many slots; ``filter`` None stands for all of them. ``max`` 0 is no bound."""

    namespace: str
    filter: Filter | None
    recursive: bool = False
    max: int = 0
    allow_partial: bool = False
    erase: bool = False


@dataclass(frozen=True, slots=True)
class LookupCommand:
    """One page of names. ``page_size`` and ``max_bytes`` 0 are the defaults."""

    namespace: str
    name_prefix: str = ""
    filter: Filter | None = None
    recursive: bool = False
    with_info: bool = False
    order: Order = Order.RANK
    reverse: bool = False
    page_size: int = 0
    page_token: str = ""
    total: bool = False


@dataclass(frozen=True, slots=True)
class Mutated:
    """The answer of a mutation of one or more slots.

    ``revision`` is one of the store's that contains it; ``changed`` tells whether it is the mutation's own.
    """

    receipts: Sequence[Receipt]
    revision: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The answer of ForgetMatching and DeleteNamespace."""

    count: int
    more_remain: bool
    revision: int


@dataclass(frozen=True, slots=True)
class UpdateNamespaceCommand:
    """New settings: ``fields`` are taken from ``settings``, None there means "inherit again"."""

    namespace: str
    settings: NamespaceSettings
    fields: frozenset[str]


@dataclass(frozen=True, slots=True)
class VersionWithBody:
    """A kept version with its body, and the slot's information as it is today."""

    version: VersionRecord
    body: bytes
    today: SlotRecord
