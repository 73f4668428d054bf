"""Conditions on slots, for ``lookup`` and ``forget_matching``.

    from memslot import where

    where.tags.any("draft", "todo") & (where.attr("step") > 3) & ~(where.task_type == "chat")

Combine conditions with ``&``, ``|`` and ``~``, never with ``and``, ``or``, ``not``. Every backend evaluates them alike. A missing attribute
satisfies only ``!=`` and ``missing()``.
"""

from __future__ import annotations

import math
from datetime import datetime

from google.protobuf.message import Message

from memslot._core import encode
from memslot.enums import Origin
from memslot.results import AttributeValue
from memslot.v1 import filter_pb2 as pb
from memslot.v1 import slot_pb2


class Condition:
    """What must hold for a slot. Immutable."""

    __slots__ = ("_filter",)

    def __init__(self, message: pb.Filter) -> None:
        self._filter = message

    def to_proto(self) -> pb.Filter:
        """Return a copy of the condition as a message of the contract."""
        copy = pb.Filter()
        copy.CopyFrom(self._filter)
        return copy

    def __and__(self, other: Condition) -> Condition:
        return Condition(pb.Filter(all_of=pb.FilterList(filters=[*_parts(self, "all_of"), *_parts(other, "all_of")])))

    def __or__(self, other: Condition) -> Condition:
        return Condition(pb.Filter(any_of=pb.FilterList(filters=[*_parts(self, "any_of"), *_parts(other, "any_of")])))

    def __invert__(self) -> Condition:
        return Condition(pb.Filter(none_of=pb.FilterList(filters=[self._filter])))

    def __bool__(self) -> bool:
        raise TypeError(
            "a condition is neither true nor false: combine with &, | and ~, and put comparisons in parentheses"
        )

    def __repr__(self) -> str:
        return f"<Condition {str(self._filter).strip()}>"


def all_of(*conditions: Condition) -> Condition:
    """Every one of 1 to 64 conditions holds."""
    return Condition(pb.Filter(all_of=pb.FilterList(filters=[condition.to_proto() for condition in conditions])))


def any_of(*conditions: Condition) -> Condition:
    """At least one of 1 to 64 conditions holds."""
    return Condition(pb.Filter(any_of=pb.FilterList(filters=[condition.to_proto() for condition in conditions])))


def none_of(*conditions: Condition) -> Condition:
    """None of 1 to 64 conditions holds."""
    return Condition(pb.Filter(none_of=pb.FilterList(filters=[condition.to_proto() for condition in conditions])))


class Name:
    """The slot's name."""

    def startswith(self, prefix: str) -> Condition:
        """The name starts with ``prefix``, in which no character is a wildcard."""
        return Condition(pb.Filter(name_prefix=prefix))


class TaskType:
    """The slot's task type; the empty string stands for none."""

    def is_in(self, *values: str) -> Condition:
        """The task type is one of 1 to 256 values."""
        return Condition(pb.Filter(task_type_in=pb.StringSet(values=values)))

    def __eq__(self, value: str) -> Condition:  # type: ignore[override]
        return self.is_in(value)

    def __ne__(self, value: str) -> Condition:  # type: ignore[override]
        return ~self.is_in(value)

    __hash__ = None  # type: ignore[assignment]


class Tags:
    """The slot's tags."""

    def any(self, *values: str) -> Condition:
        """The slot has at least one of 1 to 256 tags."""
        return Condition(pb.Filter(tags_any=pb.StringSet(values=values)))

    def all(self, *values: str) -> Condition:
        """The slot has all of 1 to 256 tags."""
        return Condition(pb.Filter(tags_all=pb.StringSet(values=values)))

    def none(self, *values: str) -> Condition:
        """The slot has none of 1 to 256 tags."""
        return Condition(pb.Filter(tags_none=pb.StringSet(values=values)))


class OriginOf:
    """Who the body comes from, as its writer said."""

    def is_in(self, *values: Origin) -> Condition:
        """The origin is one of these."""
        return Condition(
            pb.Filter(origin_in=pb.OriginSet(values=[slot_pb2.Origin.ValueType(int(value)) for value in values]))
        )

    def __eq__(self, value: Origin) -> Condition:  # type: ignore[override]
        return self.is_in(value)

    def __ne__(self, value: Origin) -> Condition:  # type: ignore[override]
        return ~self.is_in(value)

    __hash__ = None  # type: ignore[assignment]


class Moment:
    """One of a slot's times. All bounds need a time zone."""

    def __init__(self, field: str) -> None:
        self._field = field

    def between(self, since: datetime | None, before: datetime | None) -> Condition:
        """The time lies at or after ``since`` and before ``before``; None is no bound."""
        span = pb.TimeRange(until=None if before is None else encode.timestamp(before, "before"))
        if since is not None:
            getattr(span, "from").CopyFrom(encode.timestamp(since, "since"))
        message = pb.Filter()
        getattr(message, self._field).CopyFrom(span)
        return Condition(message)

    def since(self, time: datetime) -> Condition:
        """The time lies at or after this one."""
        return self.between(time, None)

    def before(self, time: datetime) -> Condition:
        """The time lies before this one."""
        return self.between(None, time)


class Importance:
    """What the writer said that the slot is worth, 0 to 1."""

    def between(self, low: float | None, high: float | None) -> Condition:
        """The importance lies in a range that includes its ends; None is no bound."""
        return Condition(pb.Filter(importance=pb.DoubleRange(min=low, max=high)))

    def __ge__(self, value: float) -> Condition:
        return self.between(value, None)

    def __gt__(self, value: float) -> Condition:
        return self.between(math.nextafter(value, math.inf), None)

    def __le__(self, value: float) -> Condition:
        return self.between(None, value)

    def __lt__(self, value: float) -> Condition:
        return self.between(None, math.nextafter(value, -math.inf))


class BodyBytes:
    """Size of the body in bytes."""

    def between(self, low: int | None, high: int | None) -> Condition:
        """The size lies in a range that includes its ends; None is no bound."""
        return Condition(pb.Filter(body_bytes=pb.Int64Range(min=low, max=high)))

    def __ge__(self, value: int) -> Condition:
        return self.between(value, None)

    def __gt__(self, value: int) -> Condition:
        return self.between(value + 1, None)

    def __le__(self, value: int) -> Condition:
        return self.between(None, value)

    def __lt__(self, value: int) -> Condition:
        return self.between(None, value - 1)


class Attribute:
    """One attribute. Integers and floats compare exactly, as numbers; other types never equal each other."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __eq__(self, value: AttributeValue) -> Condition:  # type: ignore[override]
        return self._compared("eq", value)

    def __ne__(self, value: AttributeValue) -> Condition:  # type: ignore[override]
        return self._compared("ne", value)

    def __gt__(self, value: AttributeValue) -> Condition:
        return self._compared("gt", value)

    def __ge__(self, value: AttributeValue) -> Condition:
        return self._compared("ge", value)

    def __lt__(self, value: AttributeValue) -> Condition:
        return self._compared("lt", value)

    def __le__(self, value: AttributeValue) -> Condition:
        return self._compared("le", value)

    __hash__ = None  # type: ignore[assignment]

    def is_in(self, *values: AttributeValue) -> Condition:
        """The attribute equals one of 1 to 256 values."""
        return self._condition("in", pb.AttributeValueList(values=[encode.attribute(value) for value in values]))

    def exists(self) -> Condition:
        """The slot has the attribute, whatever its value."""
        return Condition(pb.Filter(attribute=pb.AttributeCondition(key=self._key, exists=True)))

    def missing(self) -> Condition:
        """The slot does not have the attribute."""
        return Condition(pb.Filter(attribute=pb.AttributeCondition(key=self._key, exists=False)))

    def _compared(self, operation: str, value: AttributeValue) -> Condition:
        return self._condition(operation, encode.attribute(value))

    def _condition(self, operation: str, operand: Message) -> Condition:
        condition = pb.AttributeCondition(key=self._key)
        getattr(condition, operation).CopyFrom(operand)
        return Condition(pb.Filter(attribute=condition))


def attr(key: str) -> Attribute:
    """Return the attribute ``key``, to compare: ``attr("step") > 3``, ``attr("lang").is_in("en", "zh")``, ``attr("x").exists()``."""
    return Attribute(key)


name = Name()
task_type = TaskType()
tags = Tags()
origin = OriginOf()
created = Moment("created")
updated = Moment("updated")
accessed = Moment("accessed")
expires = Moment("expires")
importance = Importance()
body_bytes = BodyBytes()


def _parts(condition: Condition, node: str) -> list[pb.Filter]:
    """What ``condition`` consists of if it is such a node, so that chains stay flat."""
    message = condition.to_proto()
    return list(getattr(message, node).filters) if message.WhichOneof("node") == node else [message]
