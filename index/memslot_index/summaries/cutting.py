"""Text that is shown: cleaned, and cut to a number of characters."""

from __future__ import annotations

import re

_ELLIPSIS = "…"
_UNSEEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"  # control characters, halves of characters
    r"\u202a-\u202e\u2066-\u2069\u200e\u200f"  # what shows text in another order than it has
    r"\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f"  # what hides in a text
)
_NOTHING = re.compile(rf"[\s{_UNSEEN}]*")
_HIDDEN = re.compile(rf"[{_UNSEEN}]+")
_BLANKS = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r" ?(?:\n ?)+")
_LAST_WORD = re.compile(r"\s+\S*$")
_JOINED = re.compile(r"[\u0300-\u036f\ufe00-\ufe0f\u200d\U0001f3fb-\U0001f3ff]")


def beginning(text: str, limit: int) -> str:
    """Return up to ``limit`` characters of ``text`` from the first that anybody sees."""
    first = _NOTHING.match(text)
    start = first.end() if first else 0
    return text[start : start + limit]


def clean(text: str) -> str:
    """Return ``text`` without control characters and others that nobody sees; blanks are single, and so are line breaks."""
    lines = re.sub(r"\r\n?|[\u2028\u2029]", "\n", text)
    return _BREAKS.sub("\n", _BLANKS.sub(" ", _HIDDEN.sub(" ", lines))).strip()


def cut(text: str, max_chars: int) -> str:
    """Return ``text`` if it has at most ``max_chars`` characters, else its start, if possible up to the end of a word, and an ellipsis."""
    if len(text) <= max_chars:
        return text
    start = text[: max_chars - 1]
    if not text[len(start)].isspace():
        start = _whole_words(start)
    while start and (_JOINED.match(text, len(start)) or start.endswith("\u200d")):
        start = start[:-1]
    return start.rstrip() + _ELLIPSIS


def _whole_words(start: str) -> str:
    """Return ``start`` without the part of a word at its end, unless that is most of it."""
    whole = _LAST_WORD.sub("", start)
    return whole if len(whole) * 2 >= len(start) else start
