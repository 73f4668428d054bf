"""A text that was written escaped, with the place where each of its characters was written."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from memslot_sidecar.parsing.json_strict import ESCAPES

_JSON_PIECE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL
)
_HTML_PIECE = re.compile(r"&(?:quot|amp|lt|gt|apos|\#39|\#34|\#x27|\#x22);")


@dataclass
class Mapped:
    """``starts[i]`` is where character i was written; one more entry says where the text ended."""

    text: str
    starts: list[int]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that a span of the text was written in."""
        return self.starts[start], self.starts[end]


def from_json(source: str, start: int, end: int) -> Mapped:
    """What stands between the quotes of a JSON text."""
    return _mapped(source, start, end, _JSON_PIECE, _json_meaning)


def from_html(source: str, start: int, end: int) -> Mapped:
    """What HTML-escaped text means."""
    return _mapped(source, start, end, _HTML_PIECE, lambda piece: html.unescape(piece[0]))


def _json_meaning(piece: re.Match[str]) -> str:
    if piece[1]:
        return chr(0x10000 + ((int(piece[1], 16) - 0xD800) << 10) + (int(piece[2], 16) - 0xDC00))
    return chr(int(piece[3], 16)) if piece[3] else ESCAPES.get(piece[4], piece[4])


def _mapped(
    source: str, start: int, end: int, pattern: re.Pattern[str], meaning: Callable[[re.Match[str]], str]
) -> Mapped:
    parts: list[str] = []
    starts: list[int] = []
    at = start
    for piece in pattern.finditer(source, start, end):
        parts += (source[at : piece.start()], meaning(piece))
        starts.extend(range(at, piece.start() + 1))
        at = piece.end()
    parts.append(source[at:end])
    starts.extend(range(at, end + 1))
    return Mapped("".join(parts), starts)
