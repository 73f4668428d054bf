"""Message histories: what is one, and what one keeps of a model's message: all but the values that were stored, which would come back
with every prompt."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memslot.enums import ActionOutcome

if TYPE_CHECKING:
    from memslot.acting import Acted, Action

_STORING = ("mem_write", "mem_append", "mem_patch")


def messages_of(given: object) -> list[Any]:
    """The messages of a list. Raises TypeError for bytes and dicts, which can be gone through too, and would be taken for what they are not."""
    if isinstance(given, bytes | bytearray | memoryview | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"a prompt or history is a text or a list of messages, not {type(given).__name__}")
    return list(given)


def plain(value: Any) -> Any:
    """A message as JSON takes it. Raises TypeError for what is neither a dict nor an object of a provider's SDK."""
    if isinstance(value, Mapping):
        return dict(value)
    dump = getattr(value, "model_dump", None)
    if not callable(dump):
        raise TypeError(f"a message is a dict or an object of a provider's SDK, not {type(value).__name__}")
    return dump(mode="json", exclude_none=True)


def kept(acted: Acted, said: object) -> list[Any]:
    """The message without stored values, and the answers to it."""
    return [_without_values(acted, said), *_answers(acted)]


def _answers(acted: Acted) -> Iterator[dict[str, Any]]:
    if acted.tool_messages:
        yield from acted.tool_messages
    elif acted.model_text:
        yield {"role": "user", "content": acted.model_text}


def _without_values(acted: Acted, said: object) -> Any:
    stored = [one for one in acted.actions if one.action in _STORING and one.outcome is ActionOutcome.DONE]
    if isinstance(said, str):
        return {"role": "assistant", "content": _shortened(said, stored)}
    if not stored:
        return said
    message = dict(said) if isinstance(said, Mapping) else _dumped(said)
    ids = {one.call_id for one in stored} - {""}
    if message.get("tool_calls"):
        message["tool_calls"] = [_openai(call, ids) for call in message["tool_calls"]]
    content = message.get("content")
    if isinstance(content, list):
        message["content"] = [_anthropic(block, ids) for block in content]
    elif isinstance(content, str) and any(not one.call_id for one in stored):
        message["content"] = acted.user_text
    return message


def _shortened(text: str, stored: list[Action]) -> str:
    for one in sorted(stored, key=lambda one: one.span, reverse=True):
        start, end = one.span
        text = (
            text[:start] + json.dumps({"action": one.action, **_rest(one.arguments)}, ensure_ascii=False) + text[end:]
        )
    return text


def _openai(call: dict[str, Any], ids: Collection[str]) -> dict[str, Any]:
    if call.get("id") not in ids:
        return call
    function = call["function"]
    arguments = json.dumps(_rest(json.loads(function["arguments"])), ensure_ascii=False)
    return {**call, "function": {**function, "arguments": arguments}}


def _anthropic(block: Any, ids: Collection[str]) -> Any:
    if not isinstance(block, dict) or block.get("id") not in ids:
        return block
    return {**block, "input": _rest(block["input"])}


def _rest(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "value"}


def _dumped(said: Any) -> dict[str, Any]:
    dump = getattr(said, "model_dump", None)
    if not callable(dump):
        raise TypeError(
            f"said is the output that was acted on, a text or a provider's message, not {type(said).__name__}"
        )
    dumped: dict[str, Any] = dump(mode="json", exclude_none=True)
    return dumped
