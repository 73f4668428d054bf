"""Random slots and random filters that meet often: both draw from the same few nasty values, and sometimes from all there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import strategies as st

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

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Facts:
    """A slot as a filter sees it."""

    name: str = "slot"
    task_type: str = ""
    tags: tuple[str, ...] = ()
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    importance: float = 0.0
    body_bytes: int = 0
    origin: int = 0
    created_ms: int = 0
    updated_ms: int = 0
    accessed_ms: int | None = None
    expire_ms: int | None = None


_NASTY = [
    "a", "ab", "A", "á", "%", "_", "'", '"', "\\", "-", ".", "#", "😀", "用户", "用户偏好", "a%", "a_b", "50%_x", "a'b\"c", "a-b.c#d",
    "1", "1.0", "true", "null", "[", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff", "a\U0010ffff", "\U0010ffff\U0010ffff",
]  # fmt: skip
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.sampled_from(_NASTY) | st.lists(st.sampled_from(_NASTY), min_size=1, max_size=3).map("".join)
texts = texts | st.text(_characters, min_size=1, max_size=4)

_INTEGERS = [0, 1, -1, 2, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1]
_DOUBLES = [-0.0, 0.0, 1.0, -1.0, 0.1, 0.5, 2.0**53, 2.0**53 + 2, -(2.0**53), 2.0**63, -(2.0**63), 1.5e300]
_DOUBLES += [float("inf"), float("-inf"), 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0]
integers = st.sampled_from(_INTEGERS) | st.integers(INT64_MIN, INT64_MAX)
doubles = st.sampled_from(_DOUBLES) | st.floats(allow_nan=False)
scalars: st.SearchStrategy[Scalar] = (
    texts | integers | doubles | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a"])
)

_keys = st.sampled_from(["k", "K", "用户", "a.b'c\"", "%"])
_times = st.integers(-3, 3) | st.integers(0, 4_102_444_800_000)
_importance = st.sampled_from([-0.0, 0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
_sizes = st.integers(0, 5) | st.integers(0, INT64_MAX)

slots = st.builds(
    Facts,
    name=texts,
    task_type=texts | st.just(""),
    tags=st.sets(texts, max_size=4).map(lambda tags: tuple(sorted(tags))),
    attributes=st.dictionaries(_keys, scalars, max_size=3),
    importance=_importance,
    body_bytes=_sizes,
    origin=st.integers(0, 4),
    created_ms=_times,
    updated_ms=_times,
    accessed_ms=st.none() | _times,
    expire_ms=st.none() | _times,
)

_text_sets = st.frozensets(texts, min_size=1, max_size=5)


def _ends(values: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[float | None, float | None]]:
    return st.tuples(st.none() | values, st.none() | values).filter(lambda ends: ends != (None, None))


leaves: st.SearchStrategy[Filter] = st.one_of(
    st.builds(NamePrefix, texts),
    st.builds(TaskTypeIn, st.frozensets(texts | st.just(""), min_size=1, max_size=5)),
    st.builds(TagsAny, _text_sets),
    st.builds(TagsAll, _text_sets),
    st.builds(TagsNone, _text_sets),
    st.builds(lambda field, ends: TimeIn(field, *ends), st.sampled_from(TimeField), _ends(_times)),
    st.builds(lambda ends: ImportanceIn(*ends), _ends(_importance | st.floats(allow_nan=False))),
    st.builds(lambda ends: BodyBytesIn(*ends), _ends(_sizes)),
    st.builds(OriginIn, st.frozensets(st.integers(0, 4), min_size=1)),
    st.builds(AttributeCompare, _keys, st.sampled_from(Comparison), scalars),
    st.builds(AttributeIn, _keys, st.lists(scalars, min_size=1, max_size=6).map(tuple)),
    st.builds(AttributeExists, _keys, st.booleans()),
)


def _combined(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, min_size=1, max_size=4).map(tuple)
    return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several), st.builds(NoneOf, several))


def trees(depth: int) -> st.SearchStrategy[Filter]:
    """Filters of at most ``depth`` levels."""
    return leaves if depth == 1 else leaves | _combined(trees(depth - 1))
