"""A comparison that never fails would make every scenario hold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conformance.bodies import bodies_in
from tests.conformance.errors import broken_promises
from tests.conformance.matching import mismatches
from tests.conformance.normalising import differences, normalised

INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SLOT_NOT_FOUND", "domain": "memslot"}


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"a": "1"}, {"a": "1", "b": 2}),
        ({"a": {"$absent": True}}, {}),
        ({"a": {"$absent": True}}, {"a": "0"}),
        ([1, {"$any": True}], [1, "x"]),
        ({"$unordered": [1, 2]}, [2, 1]),
        ({"$including": [{"a": 1}]}, [{"b": 1}, {"a": 1, "c": 2}]),
        ({"$greater": "9"}, "10"),
        ({"$decoded": {"$json": {"k": [1]}}}, "eyJrIjpbMV19"),
        ({"$all": [{"$matches": "b"}, {"$not": {"$matches": "z"}}]}, "abc"),
    ],
)
def test_what_is_as_expected(expected: Any, actual: Any) -> None:
    """What fits has no mismatch."""
    assert list(mismatches(expected, actual)) == []


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"a": "1"}, {"a": 1}),
        ({"a": "1"}, {}),
        ({"a": False}, {"a": 0}),
        ([], [1]),
        ({"$any": True}, "0"),
        ({"$absent": True}, [1]),
        ({"$unordered": [1, 1]}, [1, 2]),
        ({"$including": [1]}, []),
        ({"$greater": "10"}, "9"),
        ({"$greater": 1}, None),
        ({"$json": {}}, "{"),
        ({"$not": {"$matches": "a"}}, "abc"),
        ({"a": {"$matches": "x"}}, {}),
        ({"a": 1}, None),
    ],
)
def test_what_is_not(expected: Any, actual: Any) -> None:
    """What does not fit has one mismatch at least, whatever its type."""
    assert list(mismatches(expected, actual)) != []


def test_revisions_are_compared_by_their_order() -> None:
    """Two runs at other revisions are alike; the same revisions in another order are not."""
    one = [{"receipt": {"revision": "7"}}, {"receipt": {"revision": "9", "previousRevision": "7"}, "revision": "9"}]
    two = [{"receipt": {"revision": "70"}}, {"receipt": {"revision": "71", "previousRevision": "70"}, "revision": "99"}]
    three = [
        {"receipt": {"revision": "70"}},
        {"receipt": {"revision": "71", "previousRevision": "71"}, "revision": "71"},
    ]
    assert normalised(one, "r") == normalised(two, "r")
    assert list(differences(normalised(one, "r"), normalised(three, "r"))) == [
        "[1].receipt.previousRevision: <revision 1> and <revision 2>"
    ]


def test_an_error_that_repeats_a_body_is_found() -> None:
    """A body is looked for as text and as base64, in whatever an error prints."""
    error = {"code": "NOT_FOUND", "reason": "", "text": "at ...\n caused by: secret words here"}
    sent = {"name": "n", "body": "c2VjcmV0IHdvcmRzIGhlcmU="}
    assert bodies_in(sent) == {"secret words here", "c2VjcmV0IHdvcmRzIGhlcmU="}
    assert len(list(broken_promises(error, bodies_in(sent)))) == 1


def test_an_error_that_contradicts_its_details_is_found() -> None:
    """What a client tells of an error is what the details say."""
    error = {
        "code": "NOT_FOUND",
        "reason": "SLOT_NOT_FOUND",
        "metadata": {},
        "field": "",
        "details": [INFO],
        "text": "",
    }
    assert list(broken_promises(error, ())) == []
    for wrong in ({"reason": "OTHER"}, {"metadata": {"a": "b"}}, {"field": "name"}, {"details": []}):
        assert list(broken_promises({**error, **wrong}, ())) != []
