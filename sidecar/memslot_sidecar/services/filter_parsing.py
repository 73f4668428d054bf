"""Filter messages to the filter tree, checked on the way: what leaves here every backend can evaluate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from memslot.v1 import filter_pb2, slot_pb2
from memslot_index import filters
from memslot_sidecar import names
from memslot_sidecar.errors import InvalidFilter
from memslot_sidecar.services.enums import ORIGINS, known
from memslot_sidecar.services.moments import moment_ns
from memslot_sidecar.services.scalars import to_scalar
from memslot_sidecar.services.unknown_fields import refuse_unknown

DEPTH_LIMIT = 16
NODE_LIMIT = 256
LIST_LIMIT = 64
SET_LIMIT = 256
KEY_LIMIT_BYTES = 128
STRING_LIMIT_BYTES = 1024
_REMEMBERED_BYTES = 256


def parse_filter(message: filter_pb2.Filter, path: str = "filter") -> filters.Filter:
    """The tree of one filter. Raises InvalidFilter, UnknownField or InvalidName (of a name prefix), each with the path."""
    encoded = message.SerializeToString()
    if len(encoded) <= _REMEMBERED_BYTES:
        return _remembered(encoded, path)
    return _parsed(message, path)


@lru_cache(maxsize=512)
def _remembered(encoded: bytes, path: str) -> filters.Filter:
    """An agent sends the same few filters again and again."""
    return _parsed(filter_pb2.Filter.FromString(encoded), path)


def _parsed(message: filter_pb2.Filter, path: str) -> filters.Filter:
    refuse_unknown(message, path)
    return _Parsing(path).node(message, path, 1)


class _Parsing:
    """One filter's parse; counts its nodes."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._nodes = 0

    def node(self, message: filter_pb2.Filter, path: str, depth: int) -> filters.Filter:
        self._nodes += 1
        if depth > DEPTH_LIMIT:
            raise _refused(path, f"is nested deeper than {DEPTH_LIMIT} levels: flatten it")
        if self._nodes > NODE_LIMIT:
            raise _refused(self._root, f"has more than {NODE_LIMIT} nodes: split the query")
        kind = message.WhichOneof("node")
        if kind is None:
            raise _refused(path, "is not set: leave the whole filter out for none")
        path = f"{path}.{kind}"
        if kind in _COMBINED:
            return _COMBINED[kind](self._parts(getattr(message, kind), path, depth))
        return _LEAVES[kind](getattr(message, kind), path)

    def _parts(self, message: filter_pb2.FilterList, path: str, depth: int) -> tuple[filters.Filter, ...]:
        path = f"{path}.filters"
        _check_size(len(message.filters), LIST_LIMIT, path)
        return tuple(self.node(part, f"{path}[{i}]", depth + 1) for i, part in enumerate(message.filters))


def _refused(path: str, why: str) -> InvalidFilter:
    return InvalidFilter(f"{path} {why}", field=path)


def _check_size(size: int, limit: int, path: str) -> None:
    if not 1 <= size <= limit:
        raise _refused(path, f"has {size} entries, it takes 1 to {limit}")


def _name_prefix(text: str, path: str) -> filters.Filter:
    if not text:
        raise _refused(path, "is empty: every name starts so, leave it out")
    return filters.NamePrefix(names.prefix(text, path))


def _strings(build: Callable[[frozenset[str]], filters.Filter]) -> Callable[[Any, str], filters.Filter]:
    def leaf(message: filter_pb2.StringSet, path: str) -> filters.Filter:
        _check_size(len(message.values), SET_LIMIT, f"{path}.values")
        return build(frozenset(message.values))

    return leaf


def _time(field: filters.TimeField) -> Callable[[Any, str], filters.Filter]:
    def leaf(message: filter_pb2.TimeRange, path: str) -> filters.Filter:
        # `from` is a keyword of Python, so the field has no attribute of its own.
        low = moment_ns(getattr(message, "from"), f"{path}.from", InvalidFilter) if message.HasField("from") else None
        high = moment_ns(message.until, f"{path}.until", InvalidFilter) if message.HasField("until") else None
        _check_ends(low, high, path, "from", "until")
        return filters.TimeIn(field, _ceil_ms(low), _ceil_ms(high))

    return leaf


def _ceil_ms(time_ns: int | None) -> int | None:
    """The first millisecond that is not before ``time_ns``: it bounds the whole milliseconds of slots exactly as the other does."""
    return None if time_ns is None else -(-time_ns // 1_000_000)


def _check_ends(low: float | None, high: float | None, path: str, low_name: str, high_name: str) -> None:
    if low is None and high is None:
        raise _refused(path, f"has no end: set {low_name}, {high_name}, or both")
    if low is not None and high is not None and low > high:
        raise _refused(path, f"is reversed: {low_name} must not lie above {high_name}")


def _importance(message: filter_pb2.DoubleRange, path: str) -> filters.Filter:
    low = message.min if message.HasField("min") else None
    high = message.max if message.HasField("max") else None
    for end, value in (("min", low), ("max", high)):
        if value is not None and math.isnan(value):
            raise _refused(f"{path}.{end}", "is NaN, which compares with nothing")
    _check_ends(low, high, path, "min", "max")
    return filters.ImportanceIn(low, high)


def _body_bytes(message: filter_pb2.Int64Range, path: str) -> filters.Filter:
    low = message.min if message.HasField("min") else None
    high = message.max if message.HasField("max") else None
    for end, value in (("min", low), ("max", high)):
        if value is not None and value < 0:
            raise _refused(f"{path}.{end}", "is negative: no body has such a size")
    _check_ends(low, high, path, "min", "max")
    return filters.BodyBytesIn(low, high)


def _origins(message: filter_pb2.OriginSet, path: str) -> filters.Filter:
    if not message.values:
        raise _refused(f"{path}.values", "is empty: give at least one origin")
    origins = (known(ORIGINS, value, f"{path}.values[{i}]", InvalidFilter) for i, value in enumerate(message.values))
    return filters.OriginIn(frozenset(map(int, origins)))


def _attribute(message: filter_pb2.AttributeCondition, path: str) -> filters.Filter:
    if not 1 <= len(message.key.encode()) <= KEY_LIMIT_BYTES:
        raise _refused(f"{path}.key", f"must have 1 to {KEY_LIMIT_BYTES} bytes")
    op = message.WhichOneof("op")
    if op is None:
        raise _refused(path, "has no comparison: set one of eq, ne, gt, ge, lt, le, in, exists")
    if op == "exists":
        return filters.AttributeExists(message.key, message.exists)
    at = f"{path}.{op}"
    if op == "in":
        values = getattr(message, "in").values
        _check_size(len(values), SET_LIMIT, f"{at}.values")
        return filters.AttributeIn(message.key, tuple(_scalar(v, f"{at}.values[{i}]") for i, v in enumerate(values)))
    return filters.AttributeCompare(message.key, filters.Comparison(op), _scalar(getattr(message, op), at))


def _scalar(message: slot_pb2.AttributeValue, path: str) -> filters.Scalar:
    value = to_scalar(message, path, InvalidFilter)
    if isinstance(value, float) and math.isnan(value):
        raise _refused(path, "is NaN, which compares with nothing")
    if isinstance(value, str) and len(value.encode()) > STRING_LIMIT_BYTES:
        raise _refused(path, f"has more than {STRING_LIMIT_BYTES} bytes, no attribute can")
    return value


_COMBINED: Mapping[str, Callable[[tuple[filters.Filter, ...]], filters.Filter]] = {
    "all_of": filters.AllOf,
    "any_of": filters.AnyOf,
    "none_of": filters.NoneOf,
}
_LEAVES: Mapping[str, Callable[[Any, str], filters.Filter]] = {
    "name_prefix": _name_prefix,
    "task_type_in": _strings(filters.TaskTypeIn),
    "tags_any": _strings(filters.TagsAny),
    "tags_all": _strings(filters.TagsAll),
    "tags_none": _strings(filters.TagsNone),
    "created": _time(filters.TimeField.CREATED),
    "updated": _time(filters.TimeField.UPDATED),
    "accessed": _time(filters.TimeField.ACCESSED),
    "expires": _time(filters.TimeField.EXPIRES),
    "importance": _importance,
    "body_bytes": _body_bytes,
    "origin_in": _origins,
    "attribute": _attribute,
}
