"""How results look: tables for people, JSON for programs. Nothing here ever sees a body but ``read``'s."""

from __future__ import annotations

import dataclasses
import enum
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any
from unicodedata import combining, east_asian_width

from memslot import values
from memslot_sidecar.quantities import spoken_time

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


def print_json(value: Any) -> None:
    """One JSON object on one line; times are RFC 3339, spans are seconds, enums are their names, integers have all their digits."""
    text = values.spelled(plain(value)).encode("utf-8", "backslashreplace").decode()
    sys.stdout.write(text + "\n")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns under their names; the last one is as wide as it wants to be."""
    lines = [[visible(cell) for cell in row] for row in (head, *rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def print_pairs(pairs: Mapping[str, str]) -> None:
    """One ``name  value`` a line; empty values are left out."""
    width = max(map(len, pairs))
    for name, value in pairs.items():
        if value:
            sys.stdout.write(f"{name:{width}}  {visible(value)}\n")


def say(text: str) -> None:
    """A line for a person."""
    sys.stdout.write(visible(text) + "\n")


def visible(text: str) -> str:
    """The text without control characters, which could forge lines or steer a terminal."""
    return text.translate(_CONTROL)


def one_line(text: str) -> str:
    """The text with each run of white space as one space, for a cell of a table."""
    return " ".join(text.split())


def moment(time: datetime | None, otherwise: str = "") -> str:
    """A time in the reader's zone, to the second."""
    return otherwise if time is None else time.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def remaining(time: datetime | None) -> str:
    """When a slot expires, as a person says it: ``in 24h``, ``in 6d 23h``, rounded to the smaller unit."""
    if time is None:
        return "never"
    left = max(0.0, (time - datetime.now(timezone.utc)).total_seconds())
    for unit, length, below, part in (("d", 86_400, "h", 3600), ("h", 3600, "m", 60), ("m", 60, "s", 1)):
        parts = round(left / part)
        if parts * part > length:
            whole, rest = divmod(parts * part, length)
            return f"in {whole}{unit} {rest // part}{below}" if rest else f"in {whole}{unit}"
    return f"in {round(left)}s"


def counted(count: int, what: str) -> str:
    """A number of things: ``1 slot``, ``2,000 slots``."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def size(count: int) -> str:
    """A number of bytes for a person."""
    return (
        f"{count:,} B"
        if count < 10_000
        else f"{count / 1024:,.1f} KiB"
        if count < 10_000_000
        else f"{count / 2**20:,.1f} MiB"
    )


def plain(value: Any) -> Any:
    """A result as JSON has it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return value.total_seconds() if isinstance(value, timedelta) else value


def span(value: timedelta | None, otherwise: str = "") -> str:
    """A span as people write it."""
    return otherwise if value is None else spoken_time(value.total_seconds())


def _width(text: str) -> int:
    """Columns that the text takes in a terminal: wide characters take two."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
