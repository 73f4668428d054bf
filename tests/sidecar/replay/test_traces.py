"""Recorded runs are read in every shape that the format has, and a file that is none is refused with the place to mend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memslot_sidecar.replay.messages import Run
from memslot_sidecar.replay.traces import TraceError, read_runs

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/trace.jsonl"
TOOL_CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q":"é"}'}}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "用户"}, {"type": "image_url", "image_url": {"url": "data:,x"}}, "?"],
    },
    {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "12345"},
    {"role": "assistant"},
    {"role": "critic", "content": "unknown roles count like any other"},
]


def _read(tmp_path: Path, text: str | bytes, name: str = "trace.jsonl") -> list[Run]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_runs(path)


def _line(messages: Any = MESSAGES, **others: Any) -> str:
    return json.dumps({**others, "messages": messages}) + "\n"


def test_a_message_is_as_large_as_its_text_and_its_calls(tmp_path: Path) -> None:
    """A size is the characters of all text, and of name and arguments of each tool call; null and pictures count nothing."""
    (run,) = _read(tmp_path, _line(trace_id="a"))
    assert [message.size for message in run.messages] == [9, 3, 4 + 9, 5, 0, 34]
    assert [message.is_model_call for message in run.messages] == [False, False, True, False, True, False]
    assert [message.is_tool_result for message in run.messages] == [False, False, False, True, False, False]


def test_lines_are_runs(tmp_path: Path) -> None:
    """Each line is a run; blank lines, a byte order mark and other keys do not matter, and a repeated trace_id is numbered."""
    text = "\ufeff" + _line(trace_id="a", reward=1.0) + "\n\r\n" + _line(trace_id="a") + _line(trace_id=7) + _line()
    runs = _read(tmp_path, text)
    assert [run.trace_id for run in runs] == ["a", "a-2", "7", "run-6"]
    assert [run.where for run in runs] == ["line 1", "line 4", "line 5", "line 6"]


def test_an_array_is_one_run(tmp_path: Path) -> None:
    """An array of messages, on however many lines, is one run that is called after its file."""
    (run,) = _read(tmp_path, "\n " + json.dumps(MESSAGES, indent=2), "my agent.json")
    assert (run.trace_id, len(run.messages)) == ("my agent", 6)


def test_older_and_foreign_calls_are_calls(tmp_path: Path) -> None:
    """Calls in the older form, of custom tools and with arguments as an object count as well."""
    older = {"role": "assistant", "content": "", "function_call": {"name": "find", "arguments": "{}"}}
    custom = {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "run", "input": "ls"}}],
    }
    parsed = {"role": "assistant", "tool_calls": [{"function": {"name": "find", "arguments": {"q": 1}}}]}
    bare = {"role": "assistant", "tool_calls": [{"function": {"name": "now"}}]}
    result = {"role": "function", "name": "find", "content": "x"}
    (run,) = _read(tmp_path, _line([older, custom, parsed, bare, result]))
    assert [message.size for message in run.messages] == [6, 5, 4 + len('{"q": 1}'), 3, 1]
    assert run.messages[-1].is_tool_result


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ('{"trace_id": "a", "messages": []}\n{"trace_id": ', "line 2: no JSON: Expecting value at column 14"),
        ("nonsense", "line 1: no JSON: Expecting value at column 1"),
        (b'{"trace_id": "\xff"}', "line 1: byte 14 is not UTF-8"),
        ("[" * 200_000, "JSON that cannot be read"),
        ('[\n{"role": "user"},\n{"role": }]', "line 3: no JSON"),
        ('"text"', "line 1: a text instead of an object"),
        ("[1]", "message 1: a number instead of a message"),
        ('[{"messages": []}]', "message 1: an object without a role instead of a message"),
        ('{"trace_id": "a"}', "line 1: an object without messages instead of an object {"),
        ('{"messages": {}}', "line 1: messages is an object: give an array of messages"),
        ('{"trace_id": true, "messages": []}', "line 1: trace_id is a truth value"),
        ('{"trace_id": "", "messages": []}', "line 1: trace_id is a text"),
        ('{"messages": [{"role": "user", "content": 5}]}', "line 1, message 1: content is a number"),
        ('{"messages": [{"role": "user", "content": [null]}]}', "line 1, message 1: content has null as a part"),
        ('{"messages": [{"content": "x"}]}', "line 1, message 1: an object without a role instead of a message"),
        ('{"messages": [{"role": "a", "tool_calls": "x"}]}', "line 1, message 1: tool_calls is a text"),
        (
            '{"messages": [{"role": "a", "tool_calls": [1]}]}',
            "line 1, message 1, tool call 1: a number instead of an object",
        ),
        (
            '{"messages": [{"role": "a", "tool_calls": [{"function": {}}]}]}',
            "line 1, message 1, tool call 1: an object instead of",
        ),
        ('{"messages": [{"role": "a", "function_call": []}]}', "line 1, message 1, function_call: an array instead of"),
        ('{"messages": [{"role": "tool", "tool_call_id": 1}]}', "line 1, message 1: tool_call_id is a number"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path: Path, text: str | bytes, says: str) -> None:
    """The error says the line and message, what stands there, and what should."""
    with pytest.raises(TraceError) as caught:
        _read(tmp_path, text)
    assert says in str(caught.value)


def test_the_example_is_a_recorded_run() -> None:
    """The trace in the repository holds runs with tool results from 0.2 to 6 KB."""
    runs = read_runs(EXAMPLE)
    sizes = [len(message.text.encode()) for run in runs for message in run.messages if message.is_tool_result]
    assert len(runs) == 3
    assert 200 <= min(sizes) < 4096 < max(sizes) <= 6144
