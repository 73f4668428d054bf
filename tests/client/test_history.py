"""What a history keeps of a model's message: no value that was stored, whatever form the message has."""

from __future__ import annotations

import json
from typing import Any

import pytest

import memslot
from memslot.enums import ActionOutcome

SECRET = 'prefers "window" seats 😀\n'
PLAIN = {"slot": "n", "value": {"deep": SECRET}}
TEXT = f'Noted 😀 {json.dumps({"action": "mem_write", "slot": "n", "value": SECRET})} "so"'
LEFT = 'Noted 😀 {"action":"mem_write","slot":"n"} "so"'


class Said:
    """A message as an object of a provider's SDK, which leaves out what is not set only when it is told to."""

    def __init__(self, **fields: Any) -> None:
        self._fields = fields

    def model_dump(self, *, mode: str, exclude_none: bool = False) -> dict[str, Any]:
        """The fields."""
        assert mode == "json"
        return {name: value for name, value in self._fields.items() if not (exclude_none and value is None)}


def openai(arguments: str) -> dict[str, Any]:
    """A message of OpenAI's chat completions with one call."""
    call = {"id": "c1", "type": "function", "function": {"name": "mem_write", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def function_call(arguments: str) -> dict[str, Any]:
    """A call of OpenAI's Responses API."""
    return {"type": "function_call", "call_id": "c", "name": "mem_write", "arguments": arguments}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (openai(json.dumps(PLAIN)), openai('{"slot":"n"}')),
        (openai('{"slot": "n", "value": "prefers",}'), openai('{"slot":"n"}')),
        (openai("{'slot': 'n', 'value': 'prefers'}"), openai('{"slot":"n"}')),
        (openai(json.dumps(json.dumps(PLAIN))), openai('{"slot":"n"}')),
        (
            {"role": "assistant", "content": [{"type": "text", "text": TEXT}]},
            {"role": "assistant", "content": [{"type": "text", "text": LEFT}]},
        ),
        ({"role": "assistant", "content": TEXT}, {"role": "assistant", "content": 'Noted 😀  "so"'}),
        (
            {"role": "assistant", "function_call": {"name": "mem_write", "arguments": json.dumps(PLAIN)}},
            {"role": "assistant", "function_call": {"name": "mem_write", "arguments": '{"slot":"n"}'}},
        ),
        (
            {"role": "model", "parts": [{"functionCall": {"name": "mem_write", "args": PLAIN}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "mem_write", "args": {"slot": "n"}}}]},
        ),
        ({"output": [function_call(json.dumps(PLAIN))]}, {"output": [function_call('{"slot":"n"}')]}),
        (Said(**openai(json.dumps(PLAIN))), {**openai('{"slot":"n"}'), "content": ...}),
    ],
    ids=["call", "comma", "quotes", "encoded-twice", "block", "content", "function", "gemini", "responses", "object"],
)
def test_no_form_keeps_a_value(served: memslot.Memory, said: Any, left: dict[str, Any]) -> None:
    """Neither of calls nor of texts in a message, however the model wrote the arguments and whatever lenient reading mended."""
    acted = served.act(said, lenient=True)
    assert [one.outcome for one in acted.actions] == [ActionOutcome.DONE]
    kept, *_ = history = acted.history(said)
    assert kept == {name: value for name, value in left.items() if value is not ...}
    assert "prefers" not in json.dumps(history)


def test_a_list_of_messages_stays_one(served: memslot.Memory) -> None:
    """Each message is one of the history, without the value."""
    said = [{"role": "user", "content": "go on"}, openai(json.dumps(PLAIN))]
    kept = served.act(said).history(said)
    assert kept[:2] == [said[0], openai('{"slot":"n"}')]
    assert kept[2]["tool_call_id"] == "c1"


@pytest.mark.parametrize("other", [None, 7, b"{}", "other", openai(json.dumps(PLAIN | {"more": SECRET}))])
def test_another_output_is_refused(served: memslot.Memory, other: object) -> None:
    """Where its spans would cut something else; the error quotes nothing of it."""
    with pytest.raises(TypeError, match="output") as error:
        served.act(openai(json.dumps(PLAIN))).history(other)
    assert "prefers" not in str(error.value)


def test_what_a_change_raises_is_its_own(served: memslot.Memory) -> None:
    """An update whose function writes elsewhere, and finds somebody was faster there, is told so at once."""
    first = served.write("other", 1)
    served.write("other", 2)
    served.write("counted", 0)
    calls = 0

    def change(count: int) -> int:
        nonlocal calls
        calls += 1
        served.write("other", count, if_revision=first.revision)
        return count + 1

    with pytest.raises(memslot.RevisionMismatch):
        served.update("counted", change)
    assert calls == 1
