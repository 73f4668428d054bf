"""JSON values that stay what was written."""

from __future__ import annotations

import json
import math
import re
from typing import Any

DIGITS_LIMIT = 4300
"""Python turns no longer integer into text or back (`sys.get_int_max_str_digits`)."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class WrittenFloat(float):
    """A decimal that a double cannot hold as it was written. It compares as the double and is written as the text."""

    text: str

    def __new__(cls, text: str) -> WrittenFloat:
        """Keep the text beside the value."""
        made = super().__new__(cls, text)
        made.text = text
        return made


def decimal(text: str) -> float:
    """The number that a JSON number with a fraction or an exponent means. Raises OverflowError beyond a double's range."""
    value = float(text)
    if not math.isfinite(value):
        raise OverflowError(text)
    return value if repr(value) == text else WrittenFloat(text)


def to_json(value: Any) -> str:
    """JSON text of a value that a decoder made."""
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts)


def _write(value: Any, parts: list[str]) -> None:
    if isinstance(value, dict):
        opening = "{"
        for key, member in value.items():
            parts += (opening, json.dumps(key, ensure_ascii=False), ": ")
            _write(member, parts)
            opening = ", "
        parts.append("}" if value else "{}")
    elif isinstance(value, list):
        opening = "["
        for member in value:
            parts.append(opening)
            _write(member, parts)
            opening = ", "
        parts.append("]" if value else "[]")
    elif isinstance(value, WrittenFloat):
        parts.append(value.text)
    else:
        parts.append(json.dumps(value, ensure_ascii=False))


def has_lone_surrogate(value: Any) -> bool:
    """Whether some text in the value cannot be UTF-8."""
    if isinstance(value, str):
        return not value.isascii() and _SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(has_lone_surrogate(key) or has_lone_surrogate(member) for key, member in value.items())
    return isinstance(value, list) and any(map(has_lone_surrogate, value))


def without_lone_surrogates(value: Any) -> Any:
    """The value with U+FFFD in place of each lone surrogate. Raises ValueError when two keys would become one."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_lone_surrogates(member) for member in value]
    if isinstance(value, dict):
        made = {_SURROGATE.sub("\ufffd", key): without_lone_surrogates(member) for key, member in value.items()}
        if len(made) < len(value):
            raise ValueError("two keys become one")
        return made
    return value
