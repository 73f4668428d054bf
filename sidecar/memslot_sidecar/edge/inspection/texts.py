"""The texts of a prompt, and where each of them stands: messages of any provider, since every text in them is taken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from memslot_sidecar.edge.inspection.findings import PromptText
from memslot_sidecar.errors import InvalidField

DEPTH_MOST = 100
_TEXT_BLOCK = {"type", "text"}
_TELLABLE = re.compile(r"[A-Za-z_]{1,24}")
"""A key that may stand in a path. Others might hold anything, and are told by their place."""


def texts_of(prompt: str, messages_json: str) -> Sequence[PromptText]:
    """The texts of a prompt that is one text, or else of messages as JSON. Raises InvalidField."""
    if messages_json:
        if prompt:
            raise InvalidField("prompt and messages_json are both set: send the prompt in one form", field="prompt")
        return list(_of_messages(_parsed(messages_json)))
    return [PromptText(0, "", prompt)]


def _parsed(messages_json: str) -> list[Any]:
    try:
        parsed = json.loads(messages_json)
    except json.JSONDecodeError as error:
        message = f"messages_json is no JSON ({error.msg} at character {error.pos}): send the messages as a JSON array"
        raise InvalidField(message, field="messages_json") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise InvalidField("messages_json holds a number with too many digits", field="messages_json") from None
    if not isinstance(parsed, list):
        raise InvalidField("messages_json is no JSON array: send a list of messages", field="messages_json")
    return parsed


def _of_messages(messages: Sequence[Any]) -> Iterator[PromptText]:
    for index, message in enumerate(messages):
        texts = list(_strings(message, "", DEPTH_MOST))
        yield from (PromptText(index, field, text) for field, text in texts)
        if _structured(message):
            whole = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            yield PromptText(index, "", whole, structure=True)


def _structured(message: Any) -> bool:
    """Whether a message holds objects other than blocks of text: arguments or results, which may be a body though no text in them is."""
    waiting = list(message.values() if isinstance(message, dict) else message if isinstance(message, list) else ())
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if not value.keys() <= _TEXT_BLOCK:
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False


def _strings(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with its path, in order."""
    if isinstance(value, str):
        yield path, value
    elif not depth and isinstance(value, (dict, list)):
        raise _too_deep()
    elif isinstance(value, dict):
        for place, (key, inner) in enumerate(value.items()):
            yield from _strings(inner, _below(path, key, place), depth - 1)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _strings(inner, f"{path}[{place}]", depth - 1)


def _below(path: str, key: str, place: int) -> str:
    if not _TELLABLE.fullmatch(key):
        return f"{path}{{{place}}}"
    return f"{path}.{key}" if path else key


def _too_deep() -> InvalidField:
    return InvalidField(f"messages_json is nested more than {DEPTH_MOST} deep: send it flatter", field="messages_json")
