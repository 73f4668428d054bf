"""Filters as SQL conditions for SQLite, true exactly where :func:`memslot_index.evaluate.matches` is.

The condition is about one row ``s`` of the table ``slots``, which has the columns ``id``, ``namespace_id``, ``name``, ``task_type``
(empty for none), ``importance``, ``body_bytes``, ``origin``, ``rank``, ``created_ms``, ``updated_ms``, ``accessed_ms`` and ``expire_ms``
(NULL for never). Tags are rows of ``slot_tags(namespace_id, tag, rank, name, slot_id)``, whose rank and name are those of the slot;
attributes are rows of ``slot_attributes(slot_id, key, type, value)`` with the type ``s``, ``i``, ``d`` or ``b`` (0 and 1) and a value column
without affinity. Text is compared with the collation BINARY. SQLite needs JSON and its mathematical functions.

No condition is ever NULL, so negation is right; a list is one JSON parameter, so that no filter meets SQLite's limit of variables.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

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

SqlValue = str | int | float


# With all of its key the tag's row is found in the table's own order; no further index on slot_id is needed.
_TAG_ROW = (
    "SELECT 1 FROM slot_tags t WHERE t.namespace_id = s.namespace_id AND t.rank = s.rank AND t.name = s.name"
    " AND t.slot_id = s.id AND "
)
_ATTRIBUTE_ROW = "SELECT 1 FROM slot_attributes a WHERE a.slot_id = s.id AND a.key = ?"
_TYPE = {"text": "a.type = 's'", "bool": "a.type = 'b'", "number": "a.type IN ('i', 'd')"}
_OPERATORS = {Comparison.EQ: "=", Comparison.GT: ">", Comparison.GE: ">=", Comparison.LT: "<", Comparison.LE: "<="}
_JSON_VALUES = "SELECT value FROM json_each(?)"
# Not every SQLite reads the nearest double from decimal digits; a product with a power of two is exact.
_JSON_DOUBLES = "SELECT (value ->> 0) * pow(2.0, value ->> 1) FROM json_each(?)"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A condition in SQL with ``?`` placeholders, and the values for them in order."""

    sql: str
    params: tuple[SqlValue, ...] = ()


def compile_filter(condition: Filter) -> Compiled:
    """The SQL of ``condition``, in parentheses where it needs them. Integers must fit 64 bits."""
    match condition:
        case AllOf() | AnyOf() | NoneOf():
            return _combination(condition)
        case NamePrefix(prefix):
            return name_prefix(prefix)
        case TagsAny() | TagsAll() | TagsNone():
            return _tags(condition)
        case AttributeCompare() | AttributeIn() | AttributeExists():
            return _attribute(condition)
        case _:
            return _property(condition)


def name_prefix(prefix: str, column: str = "s.name") -> Compiled:
    """Names that start with ``prefix``, as a range that an index on ``column`` can answer."""
    end = prefix_end(prefix)
    return _range(column, ">=", prefix, "<", end)


def prefix_end(prefix: str) -> str | None:
    """The first string, in the order of UTF-8 bytes, behind all that start with ``prefix``; None when there is none."""
    head = prefix.rstrip(chr(0x10FFFF))
    if not head:
        return None
    last = ord(head[-1])
    # Surrogates are no characters: U+E000 follows U+D7FF.
    return head[:-1] + chr(0xE000 if last == 0xD7FF else last + 1)


def _combination(condition: AllOf | AnyOf | NoneOf) -> Compiled:
    parts = map(compile_filter, condition.parts)
    match condition:
        case AllOf():
            return _joined(" AND ", parts)
        case AnyOf():
            return _joined(" OR ", parts)
        case NoneOf():
            return _not(_joined(" OR ", parts))


def _property(condition: TaskTypeIn | TimeIn | ImportanceIn | BodyBytesIn | OriginIn) -> Compiled:
    match condition:
        case TaskTypeIn(values):
            return _text_in("s.task_type", values)
        case OriginIn(numbers):
            return Compiled(f"s.origin IN ({_JSON_VALUES})", (json.dumps(sorted(map(int, numbers))),))
        case TimeIn(field, from_ms, until_ms):
            span = _range(f"s.{field.value}", ">=", from_ms, "<", until_ms)
            return _joined(" AND ", [Compiled(f"s.{field.value} IS NOT NULL"), span])
        case ImportanceIn(low, high):
            return _range("s.importance", ">=", low, "<=", high)
        case BodyBytesIn(least, most):
            return _range("s.body_bytes", ">=", least, "<=", most)


def _tags(condition: TagsAny | TagsAll | TagsNone) -> Compiled:
    match condition:
        case TagsAny(values):
            return _any_tag(values)
        case TagsNone(values):
            return _not(_any_tag(values))
        case TagsAll(values):
            if len(values) == 1:
                return _any_tag(values)
            missing = f"SELECT 1 FROM json_each(?) AS wanted WHERE NOT EXISTS ({_TAG_ROW}t.tag = wanted.value)"  # noqa: S608
            return Compiled(f"NOT EXISTS ({missing})", (_json_texts(values),))


def _any_tag(values: Collection[str]) -> Compiled:
    tag = _text_in("t.tag", values)
    return Compiled(f"EXISTS ({_TAG_ROW}{tag.sql})", tag.params)


def _attribute(condition: AttributeCompare | AttributeIn | AttributeExists) -> Compiled:
    match condition:
        case AttributeExists(key, exists):
            found = Compiled(f"EXISTS ({_ATTRIBUTE_ROW})", (key,))
            return found if exists else _not(found)
        case AttributeIn(key, values):
            equal = _equal_to_one(values)
            return Compiled(f"EXISTS ({_ATTRIBUTE_ROW} AND {equal.sql})", (key, *equal.params))
        case AttributeCompare(key, Comparison.NE, value):
            return _not(_attribute(AttributeCompare(key, Comparison.EQ, value)))
        case AttributeCompare(key, comparison, value):
            comparable = f"{_TYPE[_family(value)]} AND a.value {_OPERATORS[comparison]} ?"
            return Compiled(f"EXISTS ({_ATTRIBUTE_ROW} AND {comparable})", (key, value))


def _family(value: Scalar) -> str:
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "number"


def _equal_to_one(values: Iterable[Scalar]) -> Compiled:
    families: dict[str, list[Scalar]] = {}
    for value in values:
        families.setdefault(_family(value), []).append(value)
    alternatives = [
        _joined(" AND ", [Compiled(_TYPE[family]), _value_in(members)]) for family, members in families.items()
    ]
    return _joined(" OR ", alternatives)


def _value_in(values: list[Scalar]) -> Compiled:
    texts = [value for value in values if isinstance(value, str)]
    integers = [int(value) for value in values if isinstance(value, int)]
    doubles = [_mantissa_and_exponent(value) for value in values if isinstance(value, float)]
    alternatives = []
    if texts:
        alternatives.append(_text_in("a.value", texts))
    if integers:
        alternatives.append(Compiled(f"a.value IN ({_JSON_VALUES})", (json.dumps(integers),)))
    if doubles:
        alternatives.append(Compiled(f"a.value IN ({_JSON_DOUBLES})", (json.dumps(doubles),)))
    return _joined(" OR ", alternatives)


def _mantissa_and_exponent(value: float) -> tuple[int, int]:
    if math.isinf(value):
        return (1 if value > 0 else -1), 1024
    numerator, denominator = value.as_integer_ratio()
    zeros = (numerator & -numerator).bit_length() - 1 if numerator else 0
    return numerator >> zeros, zeros - (denominator.bit_length() - 1)


def _text_in(column: str, values: Collection[str]) -> Compiled:
    if len(values) == 1:
        return Compiled(f"{column} = ?", tuple(values))
    return Compiled(f"{column} IN ({_JSON_VALUES})", (_json_texts(values),))


def _json_texts(values: Collection[str]) -> str:
    return json.dumps(sorted(values), ensure_ascii=False)


def _range(column: str, low_operator: str, low: SqlValue | None, high_operator: str, high: SqlValue | None) -> Compiled:
    ends = [(low_operator, low), (high_operator, high)]
    given = [Compiled(f"{column} {comparison} ?", (end,)) for comparison, end in ends if end is not None]
    return _joined(" AND ", given)


def _joined(word: str, parts: Iterable[Compiled]) -> Compiled:
    conditions = list(parts)
    if len(conditions) == 1:
        return conditions[0]
    sql = word.join(condition.sql for condition in conditions)
    return Compiled(f"({sql})", tuple(value for condition in conditions for value in condition.params))


def _not(condition: Compiled) -> Compiled:
    return Compiled(f"NOT ({condition.sql})", condition.params)
