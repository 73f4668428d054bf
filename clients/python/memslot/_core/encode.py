"""From values to messages."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import IntEnum
from numbers import Real
from typing import TYPE_CHECKING, Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from memslot.enums import IndexMode, Origin, Overflow, SummaryMode, VectorIndexKind
from memslot.expiry import INHERIT, NEVER, Seconds, Ttl, aware, span
from memslot.results import AttributeValue
from memslot.v1 import slot_pb2

if TYPE_CHECKING:
    from memslot.v1.filter_pb2 import Filter
    from memslot.where import Condition


def expiry(ttl: Ttl, expire_time: datetime | None) -> dict[str, Any]:
    """Return the fields of the expiry oneof. Raises ValueError when both are given, or one names no time."""
    if ttl is not None and expire_time is not None:
        raise ValueError("give ttl or expire_time, not both")
    if ttl is NEVER:
        return {"never": True}
    if ttl is not None:
        return {"ttl": duration(ttl, "ttl")}
    return {} if expire_time is None else {"expire_time": timestamp(expire_time, "expire_time")}


def precondition(*, if_absent: bool = False, if_revision: int | None = None) -> dict[str, Any]:
    """Return the precondition field, if there is a condition. Raises ValueError when both are given."""
    if if_absent and if_revision is not None:
        raise ValueError("give if_absent or if_revision, not both")
    if if_absent:
        return {"precondition": slot_pb2.Precondition(if_absent=True)}
    return {} if if_revision is None else {"precondition": slot_pb2.Precondition(if_revision=if_revision)}


def duration(value: Seconds, what: str) -> Duration:
    """Return a span as a message. Raises ValueError when it is not finite."""
    message = Duration()
    message.FromTimedelta(span(value, what))
    return message


def timestamp(value: datetime, what: str) -> Timestamp:
    """Return a point in time as a message. Raises ValueError when it has no time zone."""
    message = Timestamp()
    message.FromDatetime(aware(value, what))
    return message


def attribute(value: AttributeValue) -> slot_pb2.AttributeValue:
    """Return an attribute's value as a message. Raises TypeError for other types, ValueError for integers beyond 64 bits."""
    if isinstance(value, bool):
        return slot_pb2.AttributeValue(bool_value=value)
    if isinstance(value, int):
        return slot_pb2.AttributeValue(int64_value=value)
    if isinstance(value, float):
        return slot_pb2.AttributeValue(double_value=value)
    if isinstance(value, str):
        return slot_pb2.AttributeValue(string_value=value)
    raise TypeError(f"an attribute is a str, int, float or bool, not {type(value).__name__}")


def attributes(values: Mapping[str, AttributeValue]) -> dict[str, slot_pb2.AttributeValue]:
    """Return attributes as messages. Raises as :func:`attribute`."""
    return {key: attribute(value) for key, value in values.items()}


def condition(where: Condition | None) -> Filter | None:
    """Return a condition as a message. Raises TypeError for anything else, such as text."""
    if where is None:
        return None
    if not hasattr(where, "to_proto"):
        raise TypeError(f"where is a condition such as where.name.startswith('x'), not {type(where).__name__}")
    return where.to_proto()


def strings(values: Iterable[str], what: str) -> list[str]:
    """Return several strings. Raises TypeError for what is no string, and for a single one, whose characters would be taken for them."""
    if isinstance(values, str):
        raise TypeError(f"{what} are several strings: give a list")
    return [text(value, f"each of {what}") for value in values]


def member(kind: type[IntEnum], value: object, what: str) -> int:
    """Return the number of a member of ``kind`` that is given as such, or by its name in lower case. Raises ValueError for any other."""
    names: dict[object, IntEnum] = {known.name.lower(): known for known in kind if known}
    found = value if isinstance(value, kind) else names.get(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"{what} is one of {', '.join(map(str, names))}, not {value!r}")
    return int(found)


def text(value: str, what: str) -> str:
    """Return ``value``. Raises TypeError, which protobuf would raise without naming the argument, when it is no string."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    return value


def number(value: object, what: str) -> Real:
    """Return ``value``. Raises TypeError when it is no real number."""
    if not isinstance(value, Real):
        raise TypeError(f"{what} is a number, not {type(value).__name__}")
    return value


def vector(values: Iterable[float], what: str) -> array[float]:
    """Return a vector: of a list of numbers, or an array of one dimension of any library.

    Raises TypeError for anything else, ValueError when it is empty.
    """
    try:
        if isinstance(values, str | bytes | bytearray | Mapping) or getattr(values, "ndim", 1) != 1:
            raise TypeError
        made = array("f", values)
    except TypeError:
        raise TypeError(f"{what} is several numbers: a list, or an array of one dimension") from None
    if not made:
        raise ValueError(f"{what} is empty")
    return made


def given(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None, members of closed sets as their numbers.

    Raises TypeError for a text or number that is none, ValueError for what is no member.
    """
    for name, value in fields.items():
        if value is not None and name in _KINDS:
            _KINDS[name](value, name)
    return {name: _numbered(name, value) for name, value in fields.items() if value is not None}


def _numbered(name: str, value: Any) -> Any:
    return member(_MEMBERS[name], value, name) if name in _MEMBERS and value is not INHERIT else value


_KINDS: dict[str, Callable[[Any, str], Any]] = {
    "content_type": text,
    "description": text,
    "task_type": text,
    "importance": number,
    "summary": text,
    "neighbor_weight": number,
}
_MEMBERS: dict[str, type[IntEnum]] = {
    "index_mode": IndexMode,
    "origin": Origin,
    "overflow": Overflow,
    "summary_mode": SummaryMode,
    "vector_index": VectorIndexKind,
}
