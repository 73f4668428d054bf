"""Values on their way to bodies and back."""

from __future__ import annotations

import json
import sys
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot import values
from memslot.values import decode, encode, encode_json

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON_VALUES | st.binary() | st.text(st.characters(exclude_categories=["Cs"])))
def test_every_value_comes_back(value: Any) -> None:
    """Text, bytes and JSON values are the same after a round trip, by type too."""
    back = decode(*encode(value)) if not isinstance(value, str) or _encodable(value) else value
    assert back == value
    assert type(back) is type(value)


def _encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@given(JSON_VALUES)
def test_the_body_is_json_for_everybody(value: Any) -> None:
    """Any JSON parser reads what was encoded."""
    assert json.loads(encode_json(value)) == value


@given(JSON_VALUES, st.integers(min_value=640, max_value=1000))
def test_a_long_integer_changes_nothing_around_it(value: Any, digits: int) -> None:
    """A value is encoded alike beside an integer of any length."""
    body = encode_json([value, 10**digits])
    assert body == b"[" + encode_json(value) + b",1" + b"0" * digits + b"]"


@pytest.mark.parametrize(("sign", "digits"), [(1, 5), (1, 700), (-1, 9000)])
def test_integers_of_any_length_survive(sign: int, digits: int) -> None:
    """Integers beyond Python's limit on conversion are stored in full and read exactly, whatever the limit is."""
    number = sign * 10**digits
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert decode(*encode({"n": [number]})) == {"n": [number]}
    finally:
        sys.set_int_max_str_digits(before)


def test_half_a_surrogate_pair_survives_in_json_and_is_refused_as_text() -> None:
    """JSON can spell it, UTF-8 cannot hold it."""
    assert decode(*encode(["a\ud83d"])) == ["a\ud83d"]
    with pytest.raises(ValueError, match="surrogate"):
        encode("a\ud83d")


@pytest.mark.parametrize(
    ("value", "content_type", "expected"),
    [
        ("a", None, (b"a", "text/plain")),
        ("# a", "text/markdown", (b"# a", "text/markdown")),
        ('{"a":1}', "application/json", (b'{"a":1}', "application/json")),
        (b"a", None, (b"a", "application/octet-stream")),
        (bytearray(b"a"), "image/png", (b"a", "image/png")),
        (memoryview(b"abc")[1:], None, (b"bc", "application/octet-stream")),
        (None, None, (b"null", "application/json")),
        (True, None, (b"true", "application/json")),
        ({"a": (1, "é")}, None, ('{"a":[1,"é"]}'.encode(), "application/json")),
        (MappingProxyType({"a": 1}), "application/vnd.x+json", (b'{"a":1}', "application/vnd.x+json")),
    ],
)
def test_the_content_type_follows_from_the_value(
    value: Any, content_type: str | None, expected: tuple[bytes, str]
) -> None:
    """Text is text/plain, bytes are application/octet-stream, the rest is JSON, unless the caller says otherwise."""
    assert encode(value, content_type) == expected


@pytest.mark.parametrize(
    ("body", "content_type", "value"),
    [
        (b"1", "text/plain; charset=utf-8", "1"),
        (b"1", "Application/JSON; charset=utf-8", 1),
        (b"[1]", "application/ld+json", [1]),
        (b"1", "application/octet-stream", b"1"),
        (b"1", "image/svg+xml", b"1"),
    ],
)
def test_the_value_follows_from_the_content_type(body: bytes, content_type: str, value: Any) -> None:
    """Parameters and letter case do not matter."""
    assert decode(body, content_type) == value


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def _looped() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (float("nan"), ValueError),
        ([float("inf")], ValueError),
        ({"a": {1, 2}}, TypeError),
        ({"secret": object()}, TypeError),
        ({1: "a"}, TypeError),
        ([b"secret"], TypeError),
        (_nested(101), ValueError),
        (_looped(), ValueError),
    ],
)
def test_what_json_cannot_hold_is_refused_without_being_shown(value: Any, error: type[Exception]) -> None:
    """NaN, infinities, sets, objects, other keys than strings, bytes within, too deep nesting; no value in the message."""
    with pytest.raises(error) as raised:
        encode(value)
    assert "secret" not in str(raised.value)


def test_a_hundred_levels_are_fine() -> None:
    """The depth limit of the contract can be used up."""
    assert decode(*encode(_nested(100))) == _nested(100)


@pytest.mark.parametrize(
    ("body", "content_type"), [(b"\xff", "text/plain"), (b"{secret", "application/json"), (b"\xff", values.JSON)]
)
def test_a_body_that_is_not_what_it_says_is_an_error_without_it(body: bytes, content_type: str) -> None:
    """Decoding names the place, never the body."""
    with pytest.raises(ValueError, match=r"at (byte|character)") as raised:
        decode(body, content_type)
    assert "secret" not in repr(raised.value)
    assert raised.value.__suppress_context__
