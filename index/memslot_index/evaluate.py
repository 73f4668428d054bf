"""What a filter means: :func:`matches` is the definition that every backend agrees with."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from memslot_index.filters import (
    AllOf,
    AnyOf,
    AttributeCompare,
    AttributeExists,
    AttributeIn,
    BodyBytesIn,
    Comparison,
    Filter,
    ImportanceIn,
    NamePrefix,
    NoneOf,
    OriginIn,
    Scalar,
    TagsAll,
    TagsAny,
    TagsNone,
    TaskTypeIn,
    TimeIn,
)


class SlotFacts(Protocol):
    """What a filter may ask of a slot. Times are UTC milliseconds; no attribute is NaN."""

    @property
    def name(self) -> str:
        """The slot's name."""

    @property
    def task_type(self) -> str:
        """The task type; empty when none was set."""

    @property
    def tags(self) -> Collection[str]:
        """The tags."""

    @property
    def attributes(self) -> Mapping[str, Scalar]:
        """The attributes by key."""

    @property
    def importance(self) -> float:
        """The importance, 0 to 1."""

    @property
    def body_bytes(self) -> int:
        """The size of the body."""

    @property
    def origin(self) -> int:
        """The origin's number in the contract."""

    @property
    def created_ms(self) -> int:
        """When the slot was created."""

    @property
    def updated_ms(self) -> int:
        """When body or metadata last changed."""

    @property
    def accessed_ms(self) -> int | None:
        """When the body was last returned; None when never."""

    @property
    def expire_ms(self) -> int | None:
        """When the slot ceases to be visible; None when never."""


def matches(condition: Filter, slot: SlotFacts) -> bool:
    """Whether ``condition`` holds for ``slot``. Whether the slot is expired is not asked here."""
    match condition:
        case AllOf(parts):
            return all(matches(part, slot) for part in parts)
        case AnyOf(parts):
            return any(matches(part, slot) for part in parts)
        case NoneOf(parts):
            return not any(matches(part, slot) for part in parts)
        case TagsAny() | TagsAll() | TagsNone():
            return _tags(condition, slot.tags)
        case AttributeCompare() | AttributeIn() | AttributeExists():
            return _attribute(condition, slot.attributes)
        case _:
            return _property(condition, slot)


def _tags(condition: TagsAny | TagsAll | TagsNone, tags: Collection[str]) -> bool:
    match condition:
        case TagsAny(values):
            return not values.isdisjoint(tags)
        case TagsAll(values):
            return values.issubset(tags)
        case TagsNone(values):
            return values.isdisjoint(tags)


def _property(
    condition: NamePrefix | TaskTypeIn | TimeIn | ImportanceIn | BodyBytesIn | OriginIn, slot: SlotFacts
) -> bool:
    match condition:
        case NamePrefix(prefix):
            return slot.name.startswith(prefix)
        case TaskTypeIn(values):
            return slot.task_type in values
        case OriginIn(numbers):
            return slot.origin in numbers
        case TimeIn(field, from_ms, until_ms):
            time_ms: int | None = getattr(slot, field.value)
            return (
                time_ms is not None
                and (from_ms is None or from_ms <= time_ms)
                and (until_ms is None or time_ms < until_ms)
            )
        case ImportanceIn(low, high):
            return (low is None or low <= slot.importance) and (high is None or slot.importance <= high)
        case BodyBytesIn(least, most):
            return (least is None or least <= slot.body_bytes) and (most is None or slot.body_bytes <= most)


def _attribute(condition: AttributeCompare | AttributeIn | AttributeExists, attributes: Mapping[str, Scalar]) -> bool:
    held = attributes.get(condition.key)
    match condition:
        case AttributeExists(_, exists):
            return (held is not None) == exists
        case AttributeIn(_, values):
            return held is not None and any(_comparable(held, value) and held == value for value in values)
        case AttributeCompare(_, comparison, value):
            if held is None or not _comparable(held, value):
                return comparison is Comparison.NE
            return _OPERATORS[comparison](held, value)


# Python compares int with float exactly, and str by code point, which is the order of UTF-8 bytes.
_OPERATORS: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.EQ: operator.eq,
    Comparison.NE: operator.ne,
    Comparison.GT: operator.gt,
    Comparison.GE: operator.ge,
    Comparison.LT: operator.lt,
    Comparison.LE: operator.le,
}


def _comparable(one: Scalar, other: Scalar) -> bool:
    return _family(one) is _family(other)


def _family(value: Scalar) -> type:
    if isinstance(value, bool):
        return bool
    return str if isinstance(value, str) else float
