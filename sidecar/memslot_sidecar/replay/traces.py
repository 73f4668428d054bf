"""Reading recorded runs in OpenAI's chat format: JSON Lines of ``{"trace_id", "messages"}``, or one JSON array of messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memslot_sidecar.replay.messages import Message, Run, ToolCall


class TraceError(Exception):
    """A file that is no recorded run; the message says where in the file, and what to mend."""


def read_runs(path: Path) -> list[Run]:
    """All runs of a file, in its order. Raises TraceError, and OSError when the file cannot be read.

    Runs of the same trace_id are told apart by a number: ``a``, ``a-2``, ``a-3``. The one run of an array is called after the file.
    """
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if data.lstrip().startswith(b"["):
        runs = [Run(path.stem, _messages(_parsed(data, ""), ""), "")]
    else:
        runs = list(_distinct(_lines(data)))
    if not runs:
        raise TraceError('the file is empty: give a line {"trace_id": ..., "messages": [...]} for each run')
    return runs


def _lines(data: bytes) -> Iterator[Run]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            where = f"line {number}"
            yield _run(_parsed(line, where), where, number)


def _distinct(runs: Iterator[Run]) -> Iterator[Run]:
    taken: set[str] = set()
    for run in runs:
        trace_id, number = run.trace_id, 1
        while trace_id in taken:
            number += 1
            trace_id = f"{run.trace_id}-{number}"
        taken.add(trace_id)
        yield Run(trace_id, run.messages, run.where)


def _parsed(data: bytes, where: str) -> Any:
    try:
        return json.loads(data.decode())
    except UnicodeDecodeError as error:
        raise _wrong(where, f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}"
        raise _wrong(place, f"no JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise _wrong(where, f"JSON that cannot be read: {error}") from None


def _run(found: Any, where: str, number: int) -> Run:
    if not isinstance(found, dict) or "messages" not in found:
        given = "an object without messages" if isinstance(found, dict) else _kind(found)
        raise _wrong(where, f'{given} instead of an object {{"trace_id": ..., "messages": [...]}}')
    trace_id = found.get("trace_id", f"run-{number}")
    if not isinstance(trace_id, str | int) or isinstance(trace_id, bool) or trace_id == "":
        raise _wrong(where, f"trace_id is {_kind(trace_id)}: give a text or a number")
    return Run(str(trace_id), _messages(found["messages"], where), where)


def _messages(found: Any, where: str) -> list[Message]:
    if not isinstance(found, list):
        raise _wrong(where, f"messages is {_kind(found)}: give an array of messages")
    return [
        _message(item, f"{where}, message {n}" if where else f"message {n}") for n, item in enumerate(found, start=1)
    ]


def _message(found: Any, where: str) -> Message:
    if not isinstance(found, dict) or not isinstance(found.get("role"), str):
        given = "an object without a role" if isinstance(found, dict) else _kind(found)
        raise _wrong(where, f'{given} instead of a message {{"role": ..., "content": ...}}')
    return Message(
        role=found["role"],
        text=_text(found.get("content"), where),
        tool_calls=tuple(_tool_calls(found, where)),
        name=_optional(found, "name", where),
        tool_call_id=_optional(found, "tool_call_id", where),
    )


def _text(content: Any, where: str) -> str:
    """All text of a content; parts that are no text (images, sound) count nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise _wrong(where, f"content is {_kind(content)}: give text, an array of parts, or null")
    return "".join(_part(part, where) for part in content)


def _part(part: Any, where: str) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise _wrong(where, f"content has {_kind(part)} as a part: give objects with a type")
    text = part.get("text", part.get("refusal"))
    return text if isinstance(text, str) else ""


def _tool_calls(message: dict[str, Any], where: str) -> Iterator[ToolCall]:
    found = message.get("tool_calls") or []
    if not isinstance(found, list):
        raise _wrong(where, f"tool_calls is {_kind(found)}: give an array")
    for number, call in enumerate(found, start=1):
        at = f"{where}, tool call {number}"
        if not isinstance(call, dict):
            raise _wrong(at, f"{_kind(call)} instead of an object")
        # A tool that is no function ("custom") has its name and input under its type.
        function = call.get("function", call.get(str(call.get("type"))))
        yield _call(function, _optional(call, "id", at), at)
    if message.get("function_call") is not None:
        yield _call(message["function_call"], "", f"{where}, function_call")


def _call(function: Any, call_id: str, where: str) -> ToolCall:
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise _wrong(where, f'{_kind(function)} instead of a function {{"name": ..., "arguments": ...}}')
    arguments = function.get("arguments", function.get("input"))
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(call_id, function["name"], arguments)


def _optional(found: dict[str, Any], key: str, where: str) -> str:
    value = found.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(where, f"{key} is {_kind(value)}: give a text")
    return value


_KINDS = {dict: "an object", list: "an array", str: "a text", bool: "a truth value", int: "a number", float: "a number"}


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null")


def _wrong(where: str, what: str) -> TraceError:
    return TraceError(f"{where}: {what}" if where else what)
