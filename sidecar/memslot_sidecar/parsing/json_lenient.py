"""The lenient JSON decoder: reads what has exactly one reading, and marks all that it mended.

It mends the writing, never the structure: what does not close stays torn, and where a text could end at two places, or a backslash
could be an escape or itself, it breaks with AMBIGUOUS.
"""

from __future__ import annotations

import re
from typing import Any

from memslot_sidecar.parsing.json_strict import ESCAPES, Decoder
from memslot_sidecar.parsing.model import Broken
from memslot_sidecar.parsing.python_text import unescape_python

AMBIGUOUS = "AMBIGUOUS"

_SPACE = re.compile(r"[ \t\n\r]*")
_ODD_SPACE = re.compile(r"[\s\u200b\u2060\ufeff]+")
_COMMENT = re.compile(r"//[^\n]*|\#[^\n]*|/\*(?s:.*?)\*/")
_CLOSERS = {'"': '"', "'": "'", "“": "”", "‘": "’", "＂": "＂", "`": "`"}
_QUOTING = {
    "'": "single_quotes",
    "“": "smart_quotes",
    "‘": "smart_quotes",
    "＂": "fullwidth_quotes",
    "`": "backtick_quotes",
}
_BARE_KEY = re.compile(r"[^\W\d][\w$-]{0,100}")
_QUOTED_KEY = r"(?:\"[^\"\n]{0,100}\"|'[^'\n]{0,100}'|“[^”\n]{0,100}”|‘[^’\n]{0,100}’|＂[^＂\n]{0,100}＂)"
_KEY_AHEAD = re.compile(_QUOTED_KEY + r"\s{0,100}[:：=]")
_ANY_KEY_AHEAD = re.compile(r"(?:" + _QUOTED_KEY + r"|[^\W\d][\w$-]{0,100})\s{0,100}[:：=]")
_VALUE_AHEAD = re.compile(r"[\"'“‘＂`{\[\d-]|true|false|null|True|False|None")
_ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<unit>[0-9a-fA-F]{4})|(?P<one>.))",
    re.DOTALL,
)
_RIGHT_ESCAPES = frozenset({*ESCAPES, "low", "unit"})
_HEX_ESCAPE = re.compile(r"\\x[0-9a-fA-F]{2}")
_NO_WORD = re.compile(r"\s*[\"'“”＂+:{}\[\]]")
_CONTROL = re.compile(r"[\x00-\x1f]")
_JSON5_NUMBER = re.compile(r"\+?(?P<number>-?(?:[1-9][0-9]*|0)?\.?[0-9]*)(?![\w.])")
_FULLWIDTH = {"：": ":", "，": ",", "｝": "}", "］": "]"}


class LenientDecoder(Decoder):
    """Reads one value as its writer meant it, where that is certain."""

    python_words = {"True": True, "False": False, "None": None}  # noqa: RUF012 (never changed)

    def __init__(self, text: str, limit: int | None = None) -> None:
        super().__init__(text, limit)
        self._around: list[str] = []

    def mend(self, repair: str, at: int) -> None:
        """Mark a repair."""
        self.repairs.append((repair, at))

    def space(self, i: int) -> int:
        """The position after white space of any kind and comments."""
        end, marks = self._skip(i)
        self.repairs.extend((mark, i) for mark in marks)
        return end

    def _skip(self, i: int) -> tuple[int, list[str]]:
        marks: list[str] = []
        while True:
            plain = _SPACE.match(self.text, i, self.limit)
            i = plain.end() if plain else i
            if comment := _COMMENT.match(self.text, i, self.limit):
                marks.append("comment")
                i = comment.end()
            elif odd := _ODD_SPACE.match(self.text, i, self.limit):
                marks.append("odd_space")
                i = odd.end()
            else:
                return i, marks

    def value(self, i: int, depth: int) -> tuple[Any, int]:
        """Any value."""
        character = self.at(i)
        if character == "｛":
            self.mend("fullwidth_punctuation", i)
            return self.object(i, depth)
        if character in _CLOSERS and character:
            return self.quoted(i, self._around[-1] if self._around else "")
        return super().value(i, depth)

    def object(self, i: int, depth: int) -> tuple[dict[str, Any], int]:
        """An object."""
        self._around.append("}")
        made = super().object(i, depth)
        self._around.pop()
        return made

    def array(self, i: int, depth: int, close: str = "]") -> tuple[list[Any], int]:
        """An array."""
        self._around.append(close)
        made = super().array(i, depth, close)
        self._around.pop()
        return made

    def key(self, i: int) -> tuple[str, int]:
        """A key, in any quotes or in none."""
        if self.at(i) in _CLOSERS and self.at(i):
            return self.quoted(i, ":")
        bare = _BARE_KEY.match(self.text, i, self.limit)
        if bare is None:
            raise self.broken(i)
        self.mend("unquoted_key", i)
        return bare[0], bare.end()

    def colon(self, i: int) -> int:
        """The position after the colon, or what stands for it."""
        if self.at(i) in {"：", "="} and self.at(i):
            self.mend("fullwidth_punctuation" if self.at(i) == "：" else "equals_sign", i)
            return i + 1
        return super().colon(i)

    def separator(self, i: int, close: str) -> tuple[int, bool]:
        """The position of what comes next: a comma may stand before the end, or be missing before a key."""
        character = self.at(i)
        if character in _FULLWIDTH:
            self.mend("fullwidth_punctuation", i)
            character = _FULLWIDTH[character]
        if character == close:
            return i + 1, False
        if character == ",":
            after = self.space(i + 1)
            if _FULLWIDTH.get(self.at(after), self.at(after)) != close:
                return after, True
            self.mend("trailing_comma", i)
            return after + 1, False
        if close == "}" and _KEY_AHEAD.match(self.text, i, self.limit):
            self.mend("missing_comma", i)
            return i, True
        raise self.broken(i)

    def scalar(self, i: int) -> tuple[Any, int]:
        """A number or a word, also Python's words and numbers that start or end with a point."""
        for word, meaning in self.python_words.items():
            if self.text.startswith(word, i) and not self.at(i + len(word)).isalnum():
                self.mend("python_literals", i)
                return meaning, i + len(word)
        loose = _JSON5_NUMBER.match(self.text, i, self.limit)
        if (
            loose
            and any(map(str.isdigit, loose[0]))
            and (loose[0][0] in "+." or "." in (loose["number"][:1], loose[0][-1]))
        ):
            self.mend("number_form", i)
            number = loose["number"]
            return (float(number) if "." in number else int(number)), loose.end()
        return super().scalar(i)

    def quoted(self, i: int, around: str) -> tuple[str, int]:
        """A text in any quotes. ``around`` says what may follow it."""
        opener = self.at(i)
        if self.text[i : i + 3] in {'"""', "'''"} and i + 3 <= self.limit:
            return self._raw(i, self.text[i : i + 3], "triple_quotes")
        if opener == "`":
            return self._raw(i, opener, "backtick_quotes")
        if opener in _QUOTING:
            self.mend(_QUOTING[opener], i)
        end = self._end(i, _CLOSERS[opener], around)
        return self._meaning(i + 1, end, opener), end + 1

    def _raw(self, i: int, fence: str, repair: str) -> tuple[str, int]:
        start = i + len(fence)
        end = self.text.find(fence, start, self.limit)
        if end < 0:
            raise self.broken(self.limit)
        if "\\" in self.text[start:end]:
            raise Broken(i, AMBIGUOUS)
        self.mend(repair, i)
        return self.text[start:end], end + len(fence)

    def _end(self, i: int, closer: str, around: str) -> int:
        """Where the text ends: at the first closer when that can be the end, else at the one closer that can be."""
        plain = r"[^\\" + closer + "]*"
        stops = re.compile(plain + r"(?:\\." + plain + ")*", re.DOTALL)
        first = self._closer(stops, i + 1, closer)
        if self._can_end(first + 1, around):
            return first
        ends: list[int] = []
        inner = [first]
        line_end = self.text.find("\n", first, self.limit)
        line_end = self.limit if line_end < 0 else line_end
        at = first
        while len(ends) < 2:
            found = stops.match(self.text, at + 1, line_end)
            at = found.end() if found else line_end
            if at >= line_end:
                break
            (ends if self._can_end(at + 1, around) else inner).append(at)
        if len(ends) != 1 or self._doubtful(inner, first, ends[0]):
            raise Broken(first, AMBIGUOUS) if ends else self.broken(self.limit if line_end == self.limit else first)
        self.mend("unescaped_quotes", first)
        return ends[0]

    def _doubtful(self, inner: list[int], first: int, end: int) -> bool:
        """Whether a quote inside could as well be one that ends or starts a text, or one too many."""
        return any(_NO_WORD.match(self.text, at + 1) for at in inner) or bool(_KEY_AHEAD.search(self.text, first, end))

    def _closer(self, stops: re.Pattern[str], i: int, closer: str) -> int:
        found = stops.match(self.text, i, self.limit)
        end = found.end() if found else i
        if self.at(end) != closer:
            raise self.broken(self.limit)
        return end

    def _can_end(self, i: int, around: str) -> bool:
        """Whether what stands there can follow a text."""
        i, _ = self._skip(i)
        following = _FULLWIDTH.get(self.at(i), self.at(i))
        if around == ":":
            return following in {":", "="}
        if following != ",":
            return following == around != "" or (around == "}" and bool(_KEY_AHEAD.match(self.text, i, self.limit)))
        i, _ = self._skip(i + 1)
        ahead = _ANY_KEY_AHEAD if around == "}" else _VALUE_AHEAD
        return _FULLWIDTH.get(self.at(i), self.at(i)) == around or bool(ahead.match(self.text, i, self.limit))

    def _meaning(self, start: int, end: int, opener: str) -> str:
        written = self.text[start:end]
        if _CONTROL.search(written):
            self.mend("raw_control", start)
        if "\\" not in written:
            return written
        if opener == "'":
            return unescape_python(written, start)
        return self._unescaped(written, start)

    def _unescaped(self, written: str, start: int) -> str:
        kinds = {found.lastgroup if found["one"] is None else found["one"] for found in _ESCAPE.finditer(written)}
        wrong = kinds - _RIGHT_ESCAPES - {"'"}
        if not wrong:
            if "'" in kinds:
                self.mend("escaped_apostrophe", start)
            return _ESCAPE.sub(_escaped, written)
        if kinds - wrong - {'"'} or _HEX_ESCAPE.search(written):
            raise Broken(start, AMBIGUOUS)
        self.mend("literal_backslashes", start)
        return written.replace('\\"', '"')


def _escaped(found: re.Match[str]) -> str:
    if found["high"]:
        return chr(0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + (int(found["low"], 16) - 0xDC00))
    return chr(int(found["unit"], 16)) if found["unit"] else ESCAPES.get(found["one"], found["one"])
