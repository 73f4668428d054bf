"""The texts of message lists, of any provider."""

from __future__ import annotations

import json

import pytest

from memslot_sidecar.edge.inspection.texts import texts_of
from memslot_sidecar.errors import InvalidField

MESSAGES = [
    {"role": "system", "content": "be kind"},
    {"role": "user", "content": [{"type": "text", "text": "hello"}, {"type": "image_url", "image_url": {"url": "data:"}}]},
    {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": '{"a":"b"}'}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "r"}]}]},
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"deep key": {"x": ["v"]}}}}]},
    "a bare text",
]  # fmt: skip


def test_every_text_has_its_place() -> None:
    """Contents, blocks, arguments, results and structures; a key that is no plain word is told by its place."""
    texts = texts_of("", json.dumps(MESSAGES))
    places = {(text.message_index, text.field): text.text for text in texts if not text.structure}
    assert places[0, "content"] == "be kind"
    assert places[1, "content[0].text"] == "hello"
    assert places[2, "tool_calls[0].function.arguments"] == '{"a":"b"}'
    assert places[3, "content[0].content[0].text"] == "r"
    assert places[4, "parts[0].functionCall.args{0}.x[0]"] == "v"
    assert places[5, ""] == "a bare text"


def test_messages_with_objects_are_texts_too() -> None:
    """As JSON without white space: an argument that is an object may be a body. Plain messages are not looked at twice."""
    structures = [text for text in texts_of("", json.dumps(MESSAGES)) if text.structure]
    assert [text.message_index for text in structures] == [1, 2, 3, 4]
    assert json.loads(structures[-1].text) == MESSAGES[4]
    assert " " not in structures[1].text


@pytest.mark.parametrize(
    "messages", ["{", '{"a": 1}', '"text"', "[" * 200 + "]" * 200, "[" * 200_000, "[1" + "0" * 5_000 + "]"]
)
def test_what_is_no_message_list_is_refused(messages: str) -> None:
    """The error names the field and quotes nothing."""
    with pytest.raises(InvalidField) as refused:
        texts_of("", messages)
    assert refused.value.field == "messages_json"
    assert len(refused.value.message) < 200


def test_two_prompts_are_refused() -> None:
    """Only one form at a time."""
    with pytest.raises(InvalidField):
        texts_of("a", "[]")
