"""Conditions as messages of the contract."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from google.protobuf import text_format

from memslot import Origin
from memslot import where as w
from memslot.v1.filter_pb2 import Filter
from memslot.where import Condition

T0 = datetime(2026, 1, 1, tzinfo=timezone.utc)
S0 = 1767225600


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (w.name.startswith("50%_"), 'name_prefix: "50%_"'),
        (w.task_type == "chat", 'task_type_in { values: "chat" }'),
        (w.task_type != "chat", 'none_of { filters { task_type_in { values: "chat" } } }'),
        (w.task_type.is_in("a", ""), 'task_type_in { values: "a" values: "" }'),
        (w.tags.any("a", "b"), 'tags_any { values: "a" values: "b" }'),
        (w.tags.all("a"), 'tags_all { values: "a" }'),
        (w.tags.none("a"), 'tags_none { values: "a" }'),
        (w.created.since(T0), f"created {{ from {{ seconds: {S0} }} }}"),
        (w.updated.before(T0), f"updated {{ until {{ seconds: {S0} }} }}"),
        (
            w.accessed.between(T0, T0 + timedelta(seconds=1)),
            f"accessed {{ from {{ seconds: {S0} }} until {{ seconds: {S0 + 1} }} }}",
        ),
        (
            w.expires.before(datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))),
            f"expires {{ until {{ seconds: {S0} }} }}",
        ),
        (w.importance >= 0.5, "importance { min: 0.5 }"),
        (w.importance < 0.5, "importance { max: 0.49999999999999994 }"),
        (w.importance > 0.5, "importance { min: 0.5000000000000001 }"),
        (w.importance <= 0, "importance { max: 0 }"),
        (w.body_bytes > 10, "body_bytes { min: 11 }"),
        (w.body_bytes < 10, "body_bytes { max: 9 }"),
        (w.body_bytes.between(0, 5), "body_bytes { min: 0 max: 5 }"),
        (w.origin == Origin.TOOL, "origin_in { values: ORIGIN_TOOL }"),
        (
            w.origin.is_in(Origin.USER, Origin.UNSPECIFIED),
            "origin_in { values: ORIGIN_USER values: ORIGIN_UNSPECIFIED }",
        ),
        (w.attr("n") == 3, 'attribute { key: "n" eq { int64_value: 3 } }'),
        (w.attr("n") != 3.0, 'attribute { key: "n" ne { double_value: 3 } }'),
        (w.attr("n") > True, 'attribute { key: "n" gt { bool_value: true } }'),
        (w.attr("n") >= "a", 'attribute { key: "n" ge { string_value: "a" } }'),
        (w.attr("n") < 3, 'attribute { key: "n" lt { int64_value: 3 } }'),
        (w.attr("n") <= 3, 'attribute { key: "n" le { int64_value: 3 } }'),
        (
            w.attr("n").is_in(1, "a"),
            'attribute { key: "n" in { values { int64_value: 1 } values { string_value: "a" } } }',
        ),
        (w.attr("n").exists(), 'attribute { key: "n" exists: true }'),
        (w.attr("n").missing(), 'attribute { key: "n" exists: false }'),
        (w.all_of(w.tags.any("a")), 'all_of { filters { tags_any { values: "a" } } }'),
        (w.any_of(w.tags.any("a")), 'any_of { filters { tags_any { values: "a" } } }'),
        (w.none_of(w.tags.any("a")), 'none_of { filters { tags_any { values: "a" } } }'),
    ],
    ids=repr,
)
def test_every_leaf_can_be_said(condition: Condition, text: str) -> None:
    """The builder says exactly what the contract's filter says."""
    assert condition.to_proto() == text_format.Parse(text, Filter())


def test_every_node_of_the_contract_is_reachable() -> None:
    """No kind of filter is missing from the builder."""
    said = {
        condition.to_proto().WhichOneof("node") for condition, _ in test_every_leaf_can_be_said.pytestmark[0].args[1]
    }
    assert said == {field.name for field in Filter.DESCRIPTOR.oneofs_by_name["node"].fields}


def test_operators_combine_and_stay_flat() -> None:
    """Chains of the same operator are one node, others nest."""
    a, b, c = w.tags.any("a"), w.tags.any("b"), w.tags.any("c")
    assert len((a & b & c).to_proto().all_of.filters) == 3
    assert len((a | b | c).to_proto().any_of.filters) == 3
    mixed = (a & (b | ~c)).to_proto()
    assert mixed.all_of.filters[1].any_of.filters[1].none_of.filters[0] == c.to_proto()


def test_conditions_do_not_change() -> None:
    """A condition that was combined or handed out stays as it was."""
    a = w.tags.any("a")
    before = a.to_proto()
    a.to_proto().Clear()
    _ = a & a, ~a
    assert a.to_proto() == before


def test_python_s_own_and_or_not_are_refused() -> None:
    """`a and b` would silently be `b`."""
    with pytest.raises(TypeError, match="&"):
        _ = w.tags.any("a") and w.tags.any("b")
    with pytest.raises(TypeError, match="&"):
        _ = 1 < w.attr("n") < 5


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: w.created.since(datetime(2026, 1, 1)), ValueError),  # noqa: DTZ001 - the point
        (lambda: w.attr("n") == None, TypeError),  # noqa: E711 - the point
        (lambda: w.attr("n") == 2**63, ValueError),
    ],
)
def test_what_cannot_be_compared_is_refused(make: object, error: type[Exception]) -> None:
    """Times without zone, None and integers beyond 64 bits are errors at once."""
    with pytest.raises(error):
        make()  # type: ignore[operator]
