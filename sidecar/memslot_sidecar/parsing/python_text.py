"""What escapes in a Python text mean."""

from __future__ import annotations

import re
import unicodedata

from memslot_sidecar.parsing.model import Broken

_ESCAPE = re.compile(
    r"\\(?:(?P<line>\r?\n)|(?P<one>[\\'\"abfnrtv])|(?P<octal>[0-7]{1,3})|x(?P<x>[0-9a-fA-F]{2})"
    r"|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|N\{(?P<N>[^{}\n]{1,100})\})"
)
_ONE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")


def unescape_python(written: str, at: int) -> str:
    """The text between a Python literal's quotes as Python reads it; an unknown escape stays. Raises Broken.

    Two escapes that form a surrogate pair mean one character, as in JSON: that is where models have them from.
    """

    def meaning(found: re.Match[str]) -> str:
        kind, digits = found.lastgroup, found[found.lastgroup or 0]
        if kind == "line":
            return ""
        if kind == "one":
            return _ONE.get(digits, digits)
        try:
            return unicodedata.lookup(digits) if kind == "N" else chr(int(digits, 8 if kind == "octal" else 16))
        except (KeyError, ValueError, OverflowError) as error:
            raise Broken(at, "MALFORMED_CALL") from error

    return _PAIR.sub(_joined, _ESCAPE.sub(meaning, written))


def _joined(pair: re.Match[str]) -> str:
    return chr(0x10000 + ((ord(pair[1]) - 0xD800) << 10) + (ord(pair[2]) - 0xDC00))
