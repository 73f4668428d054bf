"""Settings as people write them, turned into numbers: ``90s``, ``24h``, ``64KiB``.

Each function takes text (from a flag or the environment) or what TOML has (a number, a truth value), and raises ValueError with the
rest of a sentence that begins with the value, such as "is not a time: write ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Raw = str | int | float | bool
Parser = Callable[[Raw], T]

_SECONDS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
_BYTES = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")


def seconds(low: float = 0.0, high: float | None = None) -> Parser[float]:
    """A span of time in seconds, within bounds."""

    def parse(raw: Raw) -> float:
        value = _quantity(raw, _SECONDS, "is not a time: write seconds, or 500ms, 10s, 5m, 24h, 7d")
        return _bounded(value, low, high, " s")

    return parse


def size(low: int = 0, high: int | None = None) -> Parser[int]:
    """A number of bytes, within bounds."""

    def parse(raw: Raw) -> int:
        value = _quantity(raw, _BYTES, "is not a size: write bytes, or 64KiB, 10MB, 1GiB")
        if value != int(value):
            raise ValueError("is not a whole number of bytes")
        return _bounded(int(value), low, high, " bytes")

    return parse


def integer(low: int = 0, high: int | None = None) -> Parser[int]:
    """A whole number, within bounds."""

    def parse(raw: Raw) -> int:
        text = "" if isinstance(raw, bool | float) else str(raw).strip().replace("_", "")
        if not text.isdecimal():
            raise ValueError("is not a whole number")
        return _bounded(int(text), low, high, "")

    return parse


def real(low: float, high: float) -> Parser[float]:
    """A number, within bounds."""

    def parse(raw: Raw) -> float:
        try:
            value = float("" if isinstance(raw, bool) else raw)
        except ValueError:
            raise ValueError("is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"is out of range: it must be between {low:g} and {high:g}")
        return value

    return parse


def truth(raw: Raw) -> bool:
    """Yes or no."""
    if isinstance(raw, bool):
        return raw
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    value = words.get(str(raw).strip().lower())
    if value is None:
        raise ValueError("is neither true nor false")
    return value


def choice(*allowed: str) -> Parser[str]:
    """One of a few words, in any case."""

    def parse(raw: Raw) -> str:
        word = str(raw).strip().lower().replace("_", "-")
        if word not in allowed:
            raise ValueError(f"is not one of {', '.join(allowed)}")
        return word

    return parse


def text(raw: Raw) -> str:
    """Any text that is not empty."""
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError("is not a text, or empty")
    return raw.strip()


def octal(raw: Raw) -> int:
    """File permissions such as 0600; from TOML also the number ``0o600``."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return _permissions(raw)
    if not isinstance(raw, str) or not re.fullmatch(r"(0o)?[0-7]{1,4}", raw.strip()):
        raise ValueError("is not a file mode: write three or four octal digits such as 0600 or 0660")
    return _permissions(int(raw.strip().removeprefix("0o"), 8))


def unless_none(parse: Parser[T]) -> Parser[T | None]:
    """What ``parse`` takes, or the word ``none`` for no bound."""
    return lambda raw: None if isinstance(raw, str) and raw.strip().lower() == "none" else parse(raw)


def each(raw: Raw | Sequence[Raw]) -> tuple[str, ...]:
    """Several texts: a TOML array, or one text with commas."""
    parts = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(parts, Sequence):
        raise ValueError("is neither a text nor a list of texts")
    return tuple(text(part) for part in parts)


def spoken_time(value_s: float) -> str:
    """A span as people write it: ``24h``, ``1.5s``, ``500ms``."""
    if 0 < value_s < 1:
        return f"{value_s * 1000:g}ms"
    for unit, length in (("d", 86_400.0), ("h", 3600.0), ("m", 60.0)):
        if value_s > length and value_s % length == 0:
            return f"{value_s / length:g}{unit}"
    return f"{value_s:g}s"


def _quantity(raw: Raw, units: dict[str, float] | dict[str, int], otherwise: str) -> float:
    if isinstance(raw, bool):
        raise ValueError(otherwise)
    match = _QUANTITY.fullmatch(str(raw).strip())
    factor = units.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(otherwise)
    return float(match[1]) * factor


N = TypeVar("N", int, float)


def _bounded(value: N, low: N, high: N | None, unit: str) -> N:
    if value < low or (high is not None and value > high):
        bounds = f"at least {low:,}{unit}" if high is None else f"between {low:,} and {high:,}{unit}"
        raise ValueError(f"is out of range: it must be {bounds}")
    return value


def _permissions(mode: int) -> int:
    if not 0 <= mode <= 0o777:
        raise ValueError("is not a file mode: it must be between 0 and 0777")
    return mode
