"""Values and bodies: text is stored as text/plain, bytes as application/octet-stream, any other JSON value as application/json.

No error of this module repeats a value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

TEXT, JSON, BINARY = "text/plain", "application/json", "application/octet-stream"
DEPTH_LIMIT = 100
_CONVERTIBLE_DIGITS = 600  # Python converts at least 640, whatever its limit is set to
_CONVERTIBLE = 10**_CONVERTIBLE_DIGITS

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
Value = JsonValue | bytes | bytearray | memoryview


def encode(value: Value, content_type: str | None = None) -> tuple[bytes, str]:
    """Return the body and content type under which ``value`` is stored.

    With ``content_type`` text and bytes are stored as they are under that type, other values as JSON under that type. Raises
    TypeError for what JSON has no form for, ValueError for NaN, infinities, nesting deeper than 100, and text that UTF-8 cannot hold.
    """
    if isinstance(value, str):
        return _utf8(value), content_type or TEXT
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value), content_type or BINARY
    return encode_json(value), content_type or JSON


def encode_json(value: JsonValue) -> bytes:
    """Return ``value`` as JSON text in UTF-8, integers of any length in full. Raises as :func:`encode`."""
    if _check(value, DEPTH_LIMIT):
        text = spelled(value)
    else:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain)
    # What UTF-8 cannot hold, half a surrogate pair, becomes \udXXX, which is how JSON spells it.
    return text.encode("utf-8", "backslashreplace")


def decode(body: bytes, content_type: str) -> Any:
    """Return text for text/*, the JSON value for application/json and ``+json`` types, and the bytes themselves otherwise.

    Raises ValueError when the body is not what its content type says.
    """
    kind = media_type(content_type)
    if kind.startswith("text/"):
        return text_of(body)
    return decode_json(body) if is_json(kind) else body


def decode_json(body: bytes) -> Any:
    """Return the JSON value in ``body``; integers of any length are exact. Raises ValueError when it is none."""
    try:
        return json.loads(text_of(body), parse_int=_integer)
    except json.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON at character {error.pos}") from None
    except RecursionError:
        raise ValueError("the body is nested too deeply") from None


def text_of(body: bytes) -> str:
    """Return ``body`` as text. Raises ValueError when it is not UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"the body is not UTF-8 text at byte {error.start}") from None


def media_type(content_type: str) -> str:
    """Return the media type in lower case without parameters such as charset."""
    return content_type.partition(";")[0].strip().lower()


def is_json(content_type: str) -> bool:
    """Whether a content type promises JSON."""
    kind = media_type(content_type)
    return kind == JSON or kind.endswith("+json")


def spelled(value: Any) -> str:
    """Return a value that was checked, or decoded, as JSON text; integers of any length in full."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return (
            "{"
            + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{spelled(item)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ",".join(map(spelled, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return format(Decimal(value), "f")
    return json.dumps(value, ensure_ascii=False)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the text holds half a surrogate pair at character {error.start}, which UTF-8 cannot hold"
        ) from None


def _check(value: object, depth: int) -> bool:
    """Raise unless ``value`` is JSON; tell whether it holds an integer too long for Python's own conversion."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return False
    if isinstance(value, int):
        return not -_CONVERTIBLE < value < _CONVERTIBLE
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("JSON has no NaN and no infinity: use None or a string")
        return False
    return _check_items(value, depth)


def _check_items(value: object, depth: int) -> bool:
    if not isinstance(value, (Mapping, Sequence)) or isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(
            f"a {type(value).__name__} is no JSON value: store str, bytes, or None, bool, int, float, list and dict"
        )
    if depth == 0:
        raise ValueError(f"the value is nested deeper than {DEPTH_LIMIT} levels, or contains itself")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the keys of a JSON object are strings, not {type(key).__name__}")
        value = list(value.values())
    return any([_check(item, depth - 1) for item in value])  # noqa: C419 - every item must be checked


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, Sequence) else value


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= _CONVERTIBLE_DIGITS else int(Decimal(digits))
