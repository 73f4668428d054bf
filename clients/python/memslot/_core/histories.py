"""Message histories: what is one, and what one keeps of a model's message: all but the values that were stored, which would come back
with every prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memslot.enums import ActionOutcome

if TYPE_CHECKING:
    from memslot.acting import Acted, Action

_STORING = ("mem_write", "mem_append", "mem_patch")
_ARGUMENTS = ("arguments", "input", "args")
"""Where providers keep the arguments of a call."""
_OTHER = "said is not the output that was acted on"


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


def spoken(output: object) -> str:
    """A model's output as it is sent: a text as it is, a provider's message as JSON. Raises TypeError for what is neither."""
    return output if isinstance(output, str) else json.dumps(_whole(output), ensure_ascii=False, default=_whole)


def kept(acted: Acted, said: object) -> list[Any]:
    """The message without stored values, and the answers to it. Raises TypeError for another output."""
    try:
        text = spoken(said)
    except TypeError as error:
        raise TypeError(f"said is the output that was acted on, a text or a provider's message: {error}") from None
    if len(text) != acted.characters:
        raise TypeError(_OTHER)
    stored = [one for one in acted.actions if one.action in _STORING and one.outcome is ActionOutcome.DONE]
    if isinstance(said, str):
        left: Any = {"role": "assistant", "content": _shortened(text, stored, _short)}
    elif stored:
        left = _without_values(acted, stored, text)
        left = left if isinstance(said, Mapping | list | tuple) else _without_nulls(left)
    else:
        left = said
    return [*(left if isinstance(left, list | tuple) else [left]), *_answers(acted)]


def _whole(value: Any) -> Any:
    """JSON of a message, a list of them, or an object of an SDK."""
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    dump = getattr(value, "model_dump", None)
    if not callable(dump):
        raise TypeError(f"an output is a text or a provider's message, not {type(value).__name__}")
    return dump(mode="json")


def _without_nulls(value: Any) -> Any:
    """What an SDK's object dumps, without the fields that were not set, which its provider does not take back."""
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: one if name in _ARGUMENTS else _without_nulls(one) for name, one in value.items() if one is not None}


def _answers(acted: Acted) -> Iterator[dict[str, Any]]:
    if acted.tool_messages:
        yield from acted.tool_messages
    elif acted.model_text:
        yield {"role": "user", "content": acted.model_text}


def _without_values(acted: Acted, stored: Sequence[Action], text: str) -> Any:
    try:
        message = json.loads(_shortened(text, stored, _short_in_json))
    except ValueError:
        raise TypeError(_OTHER) from None
    in_text = any(not one.call_id for one in stored)
    if in_text and isinstance(message, dict) and isinstance(message.get("content"), str):
        message["content"] = acted.user_text
    return message


def _shortened(text: str, stored: Sequence[Action], put: Callable[[Action, str], str]) -> str:
    for one in sorted(stored, key=lambda one: one.span, reverse=True):
        start, end = one.span
        text = text[:start] + put(one, text[start:end]) + text[end:]
    return text


def _short(one: Action, _: str) -> str:
    return _compact({"action": one.action, **_rest(one)})


def _short_in_json(one: Action, whole: str) -> str:
    """In the JSON of a message an action is a call of its own, or stands in one of the message's texts."""
    try:
        call = json.loads(whole)
    except ValueError:
        call = None
    if isinstance(call, dict):
        return _compact(_with_arguments(call, _rest(one)))
    return _compact(_short(one, whole))[1:-1]


def _with_arguments(call: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """A call whose arguments are those that were understood: as the model wrote them they may be no JSON."""
    found = dict(call)
    for name, value in call.items():
        if name == "function" and isinstance(value, dict):
            found[name] = _with_arguments(value, rest)
        elif name in _ARGUMENTS:
            found[name] = _compact(rest) if isinstance(value, str) else rest
    return found


def _rest(one: Action) -> dict[str, Any]:
    return {name: value for name, value in one.arguments.items() if name != "value"}


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
