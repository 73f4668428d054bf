"""How a text may be read: as it stands, without Markdown's quoting, and with JSON's escapes undone, once and twice.

A reading is an array of code points with the place of each in the text, so that whatever is found in it can be told in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Places = NDArray[np.int32]
Flags = NDArray[np.bool_]

_ESCAPES_UNDONE = 2
_ESCAPE = re.compile(r'\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|["\\/bfnrt])')
_SIMPLE = {"b": 8, "t": 9, "n": 10, "f": 12, "r": 13, '"': 34, "/": 47, "\\": 92}
_INVISIBLE = (0x200B, 0x2060, 0xFEFF)
_BLANKS = np.zeros(0x10001, bool)
_BLANKS[[code for code in range(0x10000) if chr(code).isspace() or code in _INVISIBLE]] = True
_NEWLINE, _CARRIAGE, _QUOTE = 10, 13, 62


@dataclass(frozen=True, slots=True)
class Reading:
    """Code points; those at ``i`` stand in the text from ``start[i]`` to ``end[i]``."""

    codes: Codes
    start: Places
    end: Places

    def __getitem__(self, kept: Flags) -> Reading:
        return Reading(self.codes[kept], self.start[kept], self.end[kept])


def as_it_is(text: str) -> Reading:
    """The text as it stands."""
    places = np.arange(len(text) + 1, dtype=np.int32)
    return Reading(codes_of(text), places[:-1], places[1:])


def readings(text: str) -> Iterator[Reading]:
    """All readings of a text that differ."""
    reading: Reading | None = as_it_is(text)
    for _ in range(_ESCAPES_UNDONE + 1):
        if reading is None:
            return
        yield reading
        bare = unquoted(reading)
        if bare is not None:
            yield bare
        reading = unescaped(reading)


def unescaped(reading: Reading) -> Reading | None:
    """With JSON's escapes undone once; None when there is none. What is no escape stays as it is."""
    if not (reading.codes == _SIMPLE["\\"]).any():
        return None
    found = [(match.start(), match.end(), _code(match.group())) for match in _ESCAPE.finditer(text_of(reading.codes))]
    if not found:
        return None
    first, behind, codes = np.array(found, dtype=np.int64).T
    dropped = np.zeros(len(reading.codes) + 1, np.int32)
    dropped[first + 1] += 1
    dropped[behind] -= 1
    changed, end = reading.codes.copy(), reading.end.copy()
    changed[first] = codes
    end[first] = reading.end[behind - 1]
    return Reading(changed, reading.start, end)[np.cumsum(dropped[:-1]) == 0]


def unquoted(reading: Reading) -> Reading | None:
    """Without the ``>`` that Markdown puts before the lines of a quotation; None when no line begins with one."""
    codes = reading.codes
    if not (codes == _QUOTE).any():
        return None
    breaks = (codes == _NEWLINE) | (codes == _CARRIAGE)
    other = ~(blank(codes) | (codes == _QUOTE))
    places = np.arange(len(codes))
    last_break = np.maximum.accumulate(np.where(breaks, places, -1))
    last_other = np.maximum.accumulate(np.where(other, places, -2))
    marks = (codes == _QUOTE) & (last_break > last_other)
    return reading[~marks] if marks.any() else None


def blank(codes: Codes) -> Flags:
    """Which code points are white space, or take no room at all."""
    return _BLANKS[np.minimum(codes, 0x10000)]


def codes_of(text: str) -> Codes:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def text_of(codes: Codes) -> str:
    """The text of code points."""
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _code(escape: str) -> int:
    if escape[1] != "u":
        return _SIMPLE[escape[1]]
    high = int(escape[2:6], 16)
    return high if len(escape) == 6 else 0x10000 + ((high - 0xD800) << 10) + int(escape[8:], 16) - 0xDC00
