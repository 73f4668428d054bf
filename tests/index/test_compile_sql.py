"""A filter means the same in SQLite and in Python."""

from __future__ import annotations

import math
import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.rows import Rows
from tests.index.strategies import Facts, doubles, integers, slots, texts, trees

from memslot_index.compile_sql import compile_filter, prefix_end
from memslot_index.evaluate import matches
from memslot_index.filters import (
    AllOf,
    AnyOf,
    AttributeCompare,
    AttributeIn,
    Comparison,
    Filter,
    NamePrefix,
    NoneOf,
    TagsAll,
    TagsAny,
    TaskTypeIn,
    TimeField,
    TimeIn,
)

ROWS = Rows()


@settings(max_examples=1000)
@given(st.lists(slots, min_size=1, max_size=6), st.lists(trees(4), min_size=1, max_size=4))
def test_sqlite_selects_what_the_filter_means(held: list[Facts], conditions: list[Filter]) -> None:
    """For any slots and any tree of conditions, SQLite selects exactly the slots that match in Python, and never answers NULL."""
    ROWS.fill(held)
    for condition in conditions:
        assert ROWS.truth(condition) == [int(matches(condition, slot)) for slot in held]
        assert ROWS.matching(condition) == [position for position, slot in enumerate(held) if matches(condition, slot)]


@settings(max_examples=500)
@given(st.lists(integers | doubles, min_size=1, max_size=8), integers | doubles, st.sampled_from(Comparison))
def test_numbers_compare_exactly(held: list[int | float], value: int | float, comparison: Comparison) -> None:
    """Integers and doubles compare as the numbers they are, beyond 2^53, at infinity and at both zeros."""
    ROWS.fill([Facts(attributes={"n": number}) for number in held])
    one = AttributeCompare("n", comparison, value)
    several = AttributeIn("n", (value, value, 7))
    for condition in (one, several):
        assert ROWS.truth(condition) == [int(matches(condition, Facts(attributes={"n": number}))) for number in held]


def test_every_double_in_a_list_is_itself() -> None:
    """A double in a list equals the stored double of the same bits and neither of its neighbours."""
    chosen = random.Random(1)
    drawn = [struct.unpack("<d", chosen.randbytes(8))[0] for _ in range(3000)] + [chosen.random() for _ in range(3000)]
    finite = [value for value in drawn if not math.isnan(value)]
    ROWS.fill([Facts(attributes={"n": value}) for value in finite])
    for start in range(0, len(finite), 250):
        among = set(finite[start : start + 250])
        assert ROWS.matching(AttributeIn("n", tuple(among))) == [i for i, value in enumerate(finite) if value in among]


@settings(max_examples=500)
@given(st.lists(texts, min_size=1, max_size=8), texts)
def test_a_prefix_is_a_range(names: list[str], prefix: str) -> None:
    """A name is in the range of a prefix exactly when it starts with it, beside the surrogates and at the last character too."""
    names = [*names, *(prefix + name for name in names)]
    ROWS.fill([Facts(name=name) for name in names])
    assert ROWS.matching(NamePrefix(prefix)) == [i for i, name in enumerate(names) if name.startswith(prefix)]


@pytest.mark.parametrize(
    ("prefix", "end"),
    [
        ("a", "b"),
        ("50%_", "50%`"),
        ("\x7f", "\x80"),
        ("a\ud7ff", "a\ue000"),
        ("\uffff", "\U00010000"),
        ("a\U0010ffff\U0010ffff", "b"),
        ("\U0010ffff", None),
    ],
)
def test_a_prefix_ends_before_the_next_character(prefix: str, end: str | None) -> None:
    """The end of a prefix is the next string that does not start with it, where there is one."""
    assert prefix_end(prefix) == end


def test_a_prefix_is_searched_in_the_index() -> None:
    """SQLite answers a prefix from an index on names, not by looking at every name."""
    compiled = compile_filter(NamePrefix("50%_"))
    sql = f"EXPLAIN QUERY PLAN SELECT s.name FROM slots s WHERE s.namespace_id = 1 AND {compiled.sql}"
    plan = " ".join(row[3] for row in ROWS.connection.execute(sql, compiled.params))
    assert "(namespace_id=? AND name>? AND name<?)" in plan


def test_a_tag_is_found_by_its_key() -> None:
    """SQLite tests a slot's tag by one step in the tags' own order."""
    compiled = compile_filter(TagsAny(frozenset({"a", "b"})))
    plan = " ".join(
        row[3]
        for row in ROWS.connection.execute(
            f"EXPLAIN QUERY PLAN SELECT s.id FROM slots s WHERE {compiled.sql}", compiled.params
        )
    )
    assert "(namespace_id=? AND tag=? AND rank=? AND name=?)" in plan


def test_wildcards_are_characters() -> None:
    """`%`, `_` and `*` in a prefix match only themselves."""
    names = ["50%_x", "50ab", "5000", "*", "anything"]
    ROWS.fill([Facts(name=name) for name in names])
    assert [ROWS.matching(NamePrefix(prefix)) for prefix in ("50%_", "5_", "%", "*")] == [[0], [], [], [3]]


def _large_filter() -> Filter:
    number = iter(range(10**6))
    lists: list[Filter] = []
    for _ in range(80):
        words = frozenset(f"w{next(number)}" for _ in range(256))
        numbers = tuple(next(number) + 0.5 for _ in range(255))
        lists += [TagsAll(words), TaskTypeIn(words), AttributeIn("n", (*numbers, "text"))]
    groups = [AnyOf(tuple(lists[start : start + 60])) for start in range(0, len(lists), 60)]
    return NoneOf((*groups, AllOf((lists[0], lists[1]))))


def test_the_largest_filter_is_answered() -> None:
    """A filter of 250 nodes with 256 values each stays within SQLite's limits."""
    held = [Facts(name="a"), Facts(name="b", task_type="w257"), Facts(name="c", attributes={"n": 512.5})]
    ROWS.fill(held)
    condition = _large_filter()
    assert ROWS.matching(condition) == [i for i, slot in enumerate(held) if matches(condition, slot)]


def test_the_deepest_filter_is_answered() -> None:
    """A filter of 16 levels with long lists at each stays within SQLite's limits."""
    condition: Filter = TagsAny(frozenset({"a"}))
    for _ in range(15):
        condition = NoneOf((condition, *(TimeIn(TimeField.EXPIRES, 5, None) for _ in range(15))))
    held = [Facts(tags=("a",)), Facts(tags=("b",)), Facts(tags=("a",), expire_ms=9)]
    ROWS.fill(held)
    assert ROWS.matching(condition) == [i for i, slot in enumerate(held) if matches(condition, slot)]
