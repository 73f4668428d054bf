"""Python calls with literal arguments. Here Python's words and quotes are at home, and so are JSON's words."""

from __future__ import annotations

import re
from typing import Any

from memslot_sidecar.parsing.json_strict import DEPTH_LIMIT, Decoder
from memslot_sidecar.parsing.model import Broken
from memslot_sidecar.parsing.python_text import unescape_python

MALFORMED_CALL = "MALFORMED_CALL"

_SPACE = re.compile(r"[ \t\n\r\f]*(?:\#[^\n]*\n[ \t\n\r\f]*)*")
_KEYWORD = re.compile(r"([^\W\d]\w{0,100})\s*=(?!=)")
_STRING = re.compile(r"(?P<raw>[rRuU]?)(?P<quote>\"\"\"|'''|\"|')")
_BODY = {
    quote: re.compile(
        rf"(?:[^\\{quote[0]}]|\\.{'' if len(quote) == 1 else f'|{quote[0]}(?!{quote[0]}{quote[0]})'})*", re.DOTALL
    )
    for quote in ('"', "'", '"""', "'''")
}
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|[0-9](?:_?[0-9])*(?![0-9.eE_]))(?![\w.])")


class PythonDecoder(Decoder):
    """Reads Python literals, and a call's arguments."""

    words = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}  # noqa: RUF012

    def space(self, i: int) -> int:
        """The position after white space and comments."""
        found = _SPACE.match(self.text, i, self.limit)
        return found.end() if found else i

    def broken(self, i: int) -> Broken:
        """What to raise for something unexpected there."""
        made = super().broken(i)
        return made if made.position >= self.limit else Broken(i, MALFORMED_CALL)

    def arguments(self, i: int, depth: int = 0) -> tuple[list[Any], dict[str, Any], int]:
        """What stands between the parentheses that open there: values without and with names, and the position after them."""
        positional: list[Any] = []
        named: dict[str, Any] = {}
        i = self.space(i + 1)
        more = self.at(i) != ")"
        end = i + 1
        while more:
            keyword = _KEYWORD.match(self.text, i, self.limit)
            if keyword is None and named:
                raise self.broken(i)
            value, end = self.value(self.space(keyword.end() if keyword else i), depth + 1)
            if keyword:
                self.keep(named, keyword[1], value, i)
            else:
                positional.append(value)
            i, more = self.separator(self.space(end), ")")
            end = i
            if more and self.at(i) == ")":
                end, more = i + 1, False
        return positional, named, end

    def separator(self, i: int, close: str) -> tuple[int, bool]:
        """The position of what comes next; Python allows a comma before the end."""
        end, more = super().separator(i, close)
        if more and self.at(end) == close and close != ")":
            return end + 1, False
        return end, more

    def value(self, i: int, depth: int) -> tuple[Any, int]:
        """Any literal."""
        if self.at(i) == "(":
            return self._tuple(i, depth)
        if (opened := _STRING.match(self.text, i, self.limit)) and self.at(i):
            return self._string(opened)
        return super().value(i, depth)

    def _tuple(self, i: int, depth: int) -> tuple[Any, int]:
        if depth >= DEPTH_LIMIT:
            raise Broken(i, "TOO_DEEP")
        found, named, end = self.arguments(i, depth)
        if named:
            raise self.broken(i)
        if (
            len(found) == 1
            and "," not in self.text[end - 2 : end]
            and not self.text[i:end].rstrip(") \n\t").endswith(",")
        ):
            return found[0], end
        self.repairs.append(("tuple", i))
        return found, end

    def key(self, i: int) -> tuple[str, int]:
        """A key of a dict: only a text is a key in JSON."""
        opened = _STRING.match(self.text, i, self.limit)
        if opened is None:
            raise self.broken(i)
        return self._string(opened)

    def string(self, i: int) -> tuple[str, int]:
        """A text."""
        return self.key(i)

    def _string(self, opened: re.Match[str]) -> tuple[str, int]:
        quote = opened["quote"]
        body = _BODY[quote].match(self.text, opened.end(), self.limit)
        end = body.end() if body else opened.end()
        if not self.text.startswith(quote, end) or end + len(quote) > self.limit:
            raise self.broken(self.limit)
        written = self.text[opened.end() : end]
        if len(quote) == 1 and "\n" in written.replace("\\\n", ""):
            self.repairs.append(("raw_control", opened.start()))
        meaning = written if opened["raw"] in {"r", "R"} else unescape_python(written, opened.start())
        following = self.space(end + len(quote))
        if self.at(following) in {'"', "'"} and self.at(following):
            raise self.broken(following)
        return meaning, end + len(quote)

    def scalar(self, i: int) -> tuple[Any, int]:
        """A number or a word, also with underscores or in base 16."""
        number = _NUMBER.match(self.text, i, self.limit)
        if number and not re.fullmatch(r"-?(?:0|[1-9][0-9]*)", number[0]):
            try:
                return int(number[0], 0), number.end()
            except ValueError as error:
                raise self.broken(i) from error
        return super().scalar(i)
