"""What can be read in a body."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.fulltext.analysis import words
from memslot_index.fulltext.bodies import body_text

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.text() | numbers | st.booleans() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


def _read(value: object) -> list[str]:
    match value:
        case dict():
            return [text for key, inner in value.items() for text in [key, *_read(inner)]]
        case list():
            return [text for inner in value for text in _read(inner)]
        case bool() | None:
            return []
        case str():
            return [value]
        case _:
            return [json.dumps(value)]


@pytest.mark.parametrize("content_type", ["text/plain", "text/markdown; charset=utf-8", "TEXT/HTML"])
def test_text_is_text(content_type: str) -> None:
    """A body of text is read as it is."""
    assert body_text(content_type, 'Grüße, 中文 {"a": 1}'.encode()) == 'Grüße, 中文 {"a": 1}'


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_json_is_its_keys_strings_and_numbers(value: object, escaped: bool, indent: int | None) -> None:
    """Of JSON, keys, strings and numbers are read in order, however it was written."""
    body = json.dumps(value, ensure_ascii=escaped, indent=indent).encode()
    assert body_text("application/json", body) == "\n".join(_read(value))


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=utf-8", "application/ld+json"])
def test_escapes_are_read(content_type: str) -> None:
    """A character written as an escape is that character."""
    assert body_text(content_type, rb'{"a\n": ["\u4e2d\ud83d\ude00"]}') == "a\n\n中😀"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"a": 1, "a": 2}', "a\n1\na\n2"),
        (b"1" * 10_000, "1" * 10_000),
        (b"[-1.50e+10, 1E400]", "-1.50e+10\n1E400"),
        (b"[" * 100_000 + b'"deep"' + b"]" * 100_000, "deep"),
        (rb'["\ud800 half"]', "\ufffd half"),
        (b'{"empty": ""}', "empty\n"),
        (b"null", ""),
    ],
    ids=["repeated key", "many digits", "exponents", "depth", "half a character", "empty string", "null"],
)
def test_odd_json(body: bytes, text: str) -> None:
    """Whatever JSON allows is read, every digit of it."""
    assert body_text("application/json", body) == text


@pytest.mark.parametrize("content_type", ["application/octet-stream", "image/png", "", "json", "application/jsonl"])
def test_other_types_have_no_text(content_type: str) -> None:
    """What is no text is not guessed to be one."""
    assert body_text(content_type, b"some words") == ""


@given(st.sampled_from(["text/plain", "application/json"]), st.binary() | st.text('"\\u123 {}[]:,').map(str.encode))
def test_no_body_is_an_error(content_type: str, body: bytes) -> None:
    """Bytes that are not what they are said to be are read as far as they can be, and can be indexed."""
    assert words(body_text(content_type, body)).encode() is not None


@pytest.mark.parametrize(
    "body",
    [b'"\\' * 1_000_000, b'"' * 1_000_000, b"1" * 1_000_000 + b'"', b'"' + b"\\a" * 500_000],
    ids=["escaped", "quotes", "digits", "open"],
)
def test_broken_json_takes_no_long_time(body: bytes) -> None:
    """A megabyte of JSON without an end is read in one pass."""
    assert len(body_text("application/json", body)) <= len(body)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"speaker": "Ana", "text": "Yes."}, "Ana: Yes."),
        ({"role": "user", "content": "Where?\nWhen?", "id": 7}, "user: Where?\nWhen?\nid\n7"),
        ({"id": "D1:3", "Text": "小明走了", "Speaker": "林悦"}, "林悦: 小明走了\nid\nD1:3"),
        ({"speaker": "Ana", "text": ""}, "speaker\nAna\ntext\n"),
        ({"speaker": ["Ana"], "text": "Yes."}, "speaker\nAna\ntext\nYes."),
        ({"turn": {"speaker": "Ana", "text": "Yes."}}, "turn\nspeaker\nAna\ntext\nYes."),
        ([{"speaker": "Ana", "text": "Yes."}], "speaker\nAna\ntext\nYes."),
    ],
)
def test_a_turn_in_json_reads_as_one(value: object, text: str) -> None:
    """Who speaks and what is said stand together, as in a text, and what else is there follows; nothing else is read otherwise."""
    assert body_text("application/json", json.dumps(value).encode()) == text
