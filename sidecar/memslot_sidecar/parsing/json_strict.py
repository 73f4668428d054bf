"""The strict JSON decoder (RFC 8259), which remembers where everything stood.

It differs from the standard library's in what it refuses: duplicate keys, NaN and Infinity, numbers beyond a double, nesting
beyond 128 levels. It reads a value inside a longer text, up to a limit, and says where a broken one breaks.
"""

from __future__ import annotations

import re
from typing import Any

from memslot_sidecar.parsing.model import Broken
from memslot_sidecar.parsing.values import DIGITS_LIMIT, decimal, to_json

DEPTH_LIMIT = 128
TRUNCATED = "TRUNCATED"
MALFORMED = "MALFORMED_JSON"

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+])")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z0-9_]*")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})


class Decoder:
    """Reads one value. Afterwards ``flaws`` and ``repairs`` tell what was wrong with it, and where."""

    words: dict[str, Any] = {"true": True, "false": False, "null": None}  # noqa: RUF012 (never changed)

    def __init__(self, text: str, limit: int | None = None) -> None:
        self.text = text
        self.limit = len(text) if limit is None else limit
        self.flaws: list[tuple[str, int]] = []
        self.repairs: list[tuple[str, int]] = []
        self.spans: dict[int, tuple[int, int]] = {}
        self.places: dict[tuple[int, str], tuple[int, int]] = {}
        self._alive: list[Any] = []

    def read(self, start: int) -> tuple[Any, int]:
        """The value that starts there, and the position after it. Raises Broken."""
        return self.value(start, 0)

    def at(self, i: int) -> str:
        """The character there, or nothing at the limit."""
        return self.text[i] if i < self.limit else ""

    def space(self, i: int) -> int:
        """The position after white space."""
        found = _SPACE.match(self.text, i, self.limit)
        return found.end() if found else i

    def broken(self, i: int) -> Broken:
        """What to raise for something unexpected there."""
        return Broken(min(i, self.limit), TRUNCATED if i >= self.limit else MALFORMED)

    def value(self, i: int, depth: int) -> tuple[Any, int]:
        """Any value."""
        character = self.at(i)
        if character == "{":
            return self.object(i, depth)
        if character == "[":
            return self.array(i, depth)
        if character == '"':
            return self.string(i)
        return self.scalar(i)

    def object(self, i: int, depth: int) -> tuple[dict[str, Any], int]:
        """An object."""
        found: dict[str, Any] = {}
        start = self._enter(found, i, depth)
        i = self.space(i + 1)
        more = self.at(i) != "}"
        end = i + 1
        while more:
            key_at = i
            key, i = self.key(i)
            value_at = self.space(self.colon(self.space(i)))
            value, i = self.value(value_at, depth + 1)
            self.keep(found, key, value, key_at)
            self.places[id(found), key] = (value_at, i)
            end, more = self.separator(self.space(i), "}")
            i = end
        self.spans[id(found)] = (start, end)
        return found, end

    def array(self, i: int, depth: int, close: str = "]") -> tuple[list[Any], int]:
        """An array."""
        found: list[Any] = []
        start = self._enter(found, i, depth)
        i = self.space(i + 1)
        more = self.at(i) != close
        end = i + 1
        while more:
            value, i = self.value(i, depth + 1)
            found.append(value)
            end, more = self.separator(self.space(i), close)
            i = end
        self.spans[id(found)] = (start, end)
        return found, end

    def _enter(self, container: Any, i: int, depth: int) -> int:
        if depth >= DEPTH_LIMIT:
            raise Broken(i, "TOO_DEEP")
        self._alive.append(container)
        return i

    def keep(self, found: dict[str, Any], key: str, value: Any, at: int) -> None:
        """Add a member; a key that is there already leaves two readings, unless the value is the same."""
        if key not in found:
            found[key] = value
        elif self.flaws:
            return
        elif to_json(found[key]) == to_json(value):
            self.repairs.append(("duplicate_key", at))
        else:
            self.flaws.append(("DUPLICATE_KEY", at))

    def key(self, i: int) -> tuple[str, int]:
        """A member's key."""
        if self.at(i) != '"':
            raise self.broken(i)
        return self.string(i)

    def colon(self, i: int) -> int:
        """The position after the colon."""
        if self.at(i) != ":":
            raise self.broken(i)
        return i + 1

    def separator(self, i: int, close: str) -> tuple[int, bool]:
        """The position of what comes next, and whether that is another member."""
        character = self.at(i)
        if character == close:
            return i + 1, False
        if character == ",":
            return self.space(i + 1), True
        raise self.broken(i)

    def string(self, i: int) -> tuple[str, int]:
        """A text between double quotes."""
        parts: list[str] = []
        i += 1
        while True:
            plain = _PLAIN.match(self.text, i, self.limit)
            end = plain.end() if plain else i
            parts.append(self.text[i:end])
            character = self.at(end)
            if character == '"':
                return "".join(parts), end + 1
            if character != "\\":
                raise self.broken(end)
            piece, i = self.escape(end)
            parts.append(piece)

    def escape(self, i: int) -> tuple[str, int]:
        """What an escape means. Surrogates that belong together are joined, others stay as they are."""
        if piece := ESCAPES.get(self.at(i + 1)):
            return piece, i + 2
        unit = self._unit(i)
        if 0xD800 <= unit < 0xDC00 and self.text.startswith("\\u", i + 6):
            try:
                low = self._unit(i + 6)
            except Broken:
                return chr(unit), i + 6
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), i + 12
        return chr(unit), i + 6

    def _unit(self, i: int) -> int:
        digits = _HEX.match(self.text, i + 2, self.limit) if self.at(i + 1) == "u" else None
        if digits is None:
            raise self.broken(self.limit if self.limit - i < 6 else i)
        return int(digits[0], 16)

    def scalar(self, i: int) -> tuple[Any, int]:
        """A number or a word."""
        if number := _NUMBER.match(self.text, i, self.limit):
            return self.number(number), number.end()
        word = _WORD.match(self.text, i, self.limit)
        if word and word[0] in self.words:
            return self.words[word[0]], word.end()
        if word and word[0] in _NOT_FINITE:
            self.flaws.append(("NOT_A_NUMBER", i))
            return None, word.end()
        if word and word.end() >= self.limit:
            raise self.broken(self.limit)
        raise self.broken(i)

    def number(self, found: re.Match[str]) -> int | float:
        """A number; an integer keeps all its digits."""
        try:
            if found[1] or found[2]:
                return decimal(found[0])
            if len(found[0]) <= DIGITS_LIMIT:
                return int(found[0])
        except OverflowError:
            pass
        self.flaws.append(("NUMBER_OUT_OF_RANGE", found.start()))
        return 0
