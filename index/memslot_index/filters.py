"""The filter tree: one typed condition on slots, evaluated alike by every backend.

:func:`memslot_index.evaluate.matches` is the meaning; :mod:`memslot_index.compile_sql` must agree with it, which a property test
proves. Nodes are built by whoever parses a request, which has validated them: lists are not empty, a range has at least one end,
integers fit 64 bits, no value is NaN.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class NoneOf:
    """No part holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class NamePrefix:
    """The name starts with ``prefix``, character by character."""

    prefix: str


@dataclass(frozen=True, slots=True)
class TaskTypeIn:
    """The task type is one of ``values``; the empty string stands for none."""

    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class TagsAny:
    """The slot has at least one of ``values``."""

    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class TagsAll:
    """The slot has all of ``values``."""

    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class TagsNone:
    """The slot has none of ``values``."""

    values: frozenset[str]


class TimeField(enum.Enum):
    """Which time a range is about. A slot without that time does not match."""

    CREATED = "created_ms"
    UPDATED = "updated_ms"
    ACCESSED = "accessed_ms"
    EXPIRES = "expire_ms"


@dataclass(frozen=True, slots=True)
class TimeIn:
    """``from_ms`` <= time < ``until_ms``, UTC milliseconds; None = no bound."""

    field: TimeField
    from_ms: int | None
    until_ms: int | None


@dataclass(frozen=True, slots=True)
class ImportanceIn:
    """``min`` <= importance <= ``max``; None = no bound."""

    min: float | None
    max: float | None


@dataclass(frozen=True, slots=True)
class BodyBytesIn:
    """``min`` <= size of the body in bytes <= ``max``; None = no bound."""

    min: int | None
    max: int | None


@dataclass(frozen=True, slots=True)
class OriginIn:
    """The origin's number is one of ``values``."""

    values: frozenset[int]


class Comparison(enum.Enum):
    """How an attribute is compared with a value."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GE = "ge"
    LT = "lt"
    LE = "le"


@dataclass(frozen=True, slots=True)
class AttributeCompare:
    """The attribute ``key`` compared with ``value``: int and float as exact numbers, other types across only by NE.

    A missing attribute satisfies only NE.
    """

    key: str
    comparison: Comparison
    value: Scalar


@dataclass(frozen=True, slots=True)
class AttributeIn:
    """The attribute ``key`` equals one of ``values``."""

    key: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AttributeExists:
    """Whether the slot has the attribute ``key``."""

    key: str
    exists: bool


Filter = (
    AllOf
    | AnyOf
    | NoneOf
    | NamePrefix
    | TaskTypeIn
    | TagsAny
    | TagsAll
    | TagsNone
    | TimeIn
    | ImportanceIn
    | BodyBytesIn
    | OriginIn
    | AttributeCompare
    | AttributeIn
    | AttributeExists
)
