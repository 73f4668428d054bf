"""Tables of text whose columns are aligned, whatever the script of the names in the first."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width


def aligned(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """Lines of a table: titles, a rule, the rows, a rule, and the last row, which is their sum."""
    widths = [max(_columns(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [_aligned(row, widths) for row in rows]
    rule = "-" * len(lines[0])
    return [lines[0], rule, *lines[1:-1], rule, lines[-1]]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = row
    padded = name + " " * (widths[0] - _columns(name))
    return "  ".join([padded, *(number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))])


def _columns(text: str) -> int:
    """How many columns a terminal takes for a text."""
    return sum(0 if combining(character) else 1 + (east_asian_width(character) in "WF") for character in text)
