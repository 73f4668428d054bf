"""The text of a body, for those who find it by its words or its meaning."""

from __future__ import annotations

import json
import re

# A string without its quotes, or a number. Reading JSON this way keeps repeated keys and every digit, at any depth. The text's end
# ends a string too: what starts to match then never fails, so that the time is linear.
_VALUE = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)|(-?[0-9][0-9.eE+-]*)', re.DOTALL)
_SPEAKERS = "speaker", "author", "sender", "role"
_SAID = "text", "content", "message", "utterance"
_MAY_BE_TURN = re.compile(r'\s*\{.*"(?:speaker|author|sender|role)"\s*:', re.IGNORECASE | re.DOTALL)
_TURN_LIMIT = 16_000
"""Characters of a JSON text that may be a turn of a conversation."""


def body_text(content_type: str, body: bytes) -> str:
    """What can be read in ``body``: text as it is, of JSON its keys, strings and numbers, one a line; nothing of other types.

    A JSON object that is a turn of a conversation begins as one: ``{"speaker": "Ana", "text": "Yes."}`` reads ``Ana: Yes.``

    Never raises: bytes that are no UTF-8 and JSON that is none are read as far as possible.
    """
    essence = content_type.partition(";")[0].strip().lower()
    if essence.startswith("text/"):
        return body.decode(errors="replace")
    if essence == "application/json" or essence.endswith("+json"):
        return _json_text(body.decode(errors="replace"))
    return ""


def _json_text(text: str) -> str:
    values = [string or number for string, number in _VALUE.findall(text)]
    values = _unescaped(values) if "\\" in text else values
    return "\n".join(_as_turn(text, values) if len(text) <= _TURN_LIMIT and _MAY_BE_TURN.match(text) else values)


def _as_turn(text: str, values: list[str]) -> list[str]:
    """The values with speaker and speech first and together, without the names of these two."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return values
    keys = {key.casefold(): key for key in found if isinstance(found[key], str) and found[key].strip()}
    by = next((keys[name] for name in _SPEAKERS if name in keys), None)
    said = next((keys[name] for name in _SAID if name in keys), None)
    if by is None or said is None:
        return values
    rest = list(values)
    for taken in (by, said, found[by], found[said]):
        if taken in rest:
            rest.remove(taken)
    return [f"{found[by]}: {found[said]}", *rest]


def _unescaped(values: list[str]) -> list[str]:
    quoted = ",".join(f'"{value}"' for value in values)
    try:
        found: list[str] = json.loads(f"[{quoted}]", strict=False)
    except ValueError:
        return values
    # An escape may name half a character, which no UTF-8 can hold.
    return [value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for value in found]
