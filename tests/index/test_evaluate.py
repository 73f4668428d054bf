"""What each condition of a filter means, by example."""

from __future__ import annotations

import pytest
from tests.index.strategies import Facts

from memslot_index.evaluate import matches
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
    TimeField,
    TimeIn,
)

SLOT = Facts(
    name="用户偏好",
    task_type="support",
    tags=("a", "b"),
    attributes={"age": 41, "score": 2.0, "vip": True, "city": "Zürich"},
    importance=0.5,
    body_bytes=100,
    origin=2,
    created_ms=10,
    updated_ms=20,
    expire_ms=30,
)
YES, NO = AnyOf((NamePrefix("用"),)), AllOf((NamePrefix("x"),))


def _set(*values: str) -> frozenset[str]:
    return frozenset(values)


@pytest.mark.parametrize(
    "condition",
    [
        AllOf((YES, YES)),
        AnyOf((NO, YES)),
        NoneOf((NO, NO)),
        NamePrefix("用户"),
        TaskTypeIn(_set("support", "x")),
        TagsAny(_set("b", "c")),
        TagsAll(_set("a", "b")),
        TagsNone(_set("c", "A")),
        TimeIn(TimeField.CREATED, 10, 11),
        TimeIn(TimeField.UPDATED, None, 21),
        TimeIn(TimeField.EXPIRES, 30, None),
        ImportanceIn(0.5, 0.5),
        BodyBytesIn(100, 100),
        OriginIn(frozenset({1, 2})),
        AttributeExists("age", exists=True),
        AttributeExists("none", exists=False),
        AttributeIn("age", ("41", 41.0)),
        AttributeCompare("vip", Comparison.GT, value=False),
    ],
    ids=lambda condition: type(condition).__name__,
)
def test_a_condition_that_holds(condition: Filter) -> None:
    """Bounds are inclusive but for the end of a span of time, and a list asks for one of its values."""
    assert matches(condition, SLOT)
    assert not matches(NoneOf((condition,)), SLOT)


@pytest.mark.parametrize(
    "condition",
    [
        AllOf((YES, NO)),
        AnyOf((NO, NO)),
        NoneOf((YES, NO)),
        NamePrefix("户"),
        TaskTypeIn(_set("", "Support")),
        TagsAny(_set("A", "c")),
        TagsAll(_set("a", "c")),
        TagsNone(_set("c", "a")),
        TimeIn(TimeField.CREATED, None, 10),
        TimeIn(TimeField.UPDATED, 21, None),
        TimeIn(TimeField.ACCESSED, 0, None),
        ImportanceIn(0.51, None),
        BodyBytesIn(None, 99),
        OriginIn(frozenset({0})),
        AttributeExists("age", exists=False),
        AttributeIn("vip", (1, 1.0, "true")),
        AttributeIn("none", (0, "", False)),
    ],
    ids=lambda condition: type(condition).__name__,
)
def test_a_condition_that_does_not_hold(condition: Filter) -> None:
    """A time that a slot does not have lies in no range, and tags, types and names match only as a whole."""
    assert not matches(condition, SLOT)
    assert matches(NoneOf((condition,)), SLOT)


@pytest.mark.parametrize(
    ("held", "value", "holding"),
    [
        (2, 2.0, "eq ge le"),
        (2**53 + 1, 2.0**53, "ne gt ge"),
        (2**63 - 1, 2.0**63, "ne lt le"),
        (-(2**63), -(2.0**63), "eq ge le"),
        (0, -0.0, "eq ge le"),
        (2**63 - 1, float("inf"), "ne lt le"),
        ("9", "10", "ne gt ge"),
        ("Z", "a", "ne lt le"),
        ("\uffff", "\U00010000", "ne lt le"),
        (False, True, "ne lt le"),
        (True, 1, "ne"),
        (1, True, "ne"),
        ("1", 1, "ne"),
        (None, 1, "ne"),
    ],
)
def test_a_comparison(held: Scalar | None, value: Scalar, holding: str) -> None:
    """Numbers compare as numbers whatever their type, text by its bytes, and anything else, or nothing, is only unequal."""
    slot = Facts(attributes={} if held is None else {"k": held})
    assert {
        comparison.value for comparison in Comparison if matches(AttributeCompare("k", comparison, value), slot)
    } == set(holding.split())
