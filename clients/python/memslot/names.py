"""Namespace paths from any strings, and back."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

SEGMENT_LIMIT = 8
SEGMENT_LIMIT_BYTES = 128
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def namespace(*parts: str) -> str:
    """Join 1 to 8 strings of any content into a namespace path, one segment each, so that :func:`split_namespace` gives them back.

    What a segment may not hold is written as ``%XX`` of its UTF-8 bytes: ``/`` and ``%``, control and bidirectional-override
    characters, a leading or trailing space, the whole segments ``.`` and ``..``, and text that is not in Unicode's NFC.
    Everything else stays as it is, so ``namespace("acme", "a@b.com")`` is ``acme/a@b.com``.

    Raises ValueError for no part, more than 8 parts, an empty part, or a segment of more than 128 bytes.
    """
    if not 1 <= len(parts) <= SEGMENT_LIMIT:
        raise ValueError(f"a namespace has 1 to {SEGMENT_LIMIT} parts, not {len(parts)}")
    return "/".join(_segment(part, position) for position, part in enumerate(parts))


def split_namespace(path: str) -> tuple[str, ...]:
    """Return the parts that :func:`namespace` joined into ``path``.

    In paths that were written by hand a ``%`` that begins no escape stands for itself.
    """
    return tuple(_ESCAPES.sub(_unescaped, segment) for segment in path.split("/"))


def _segment(part: str, position: int) -> str:
    if not part:
        raise ValueError(f"part {position} of the namespace is empty")
    segment = _escaped(part)
    if not unicodedata.is_normalized("NFC", segment):
        segment = "".join(character if character.isascii() else _percent(character) for character in segment)
    size = len(segment.encode())
    if size > SEGMENT_LIMIT_BYTES:
        raise ValueError(
            f"part {position} of the namespace takes {size} bytes as a segment, at most {SEGMENT_LIMIT_BYTES} fit"
        )
    return segment


def _escaped(part: str) -> str:
    if part in (".", ".."):
        return "%2E" * len(part)
    characters = [_percent(character) if _forbidden(character) else character for character in part]
    for end in (0, -1):
        if part[end].isspace():
            characters[end] = _percent(part[end])
    return "".join(characters)


def _forbidden(character: str) -> bool:
    return character in "/%" or character in _BIDI_CONTROLS or unicodedata.category(character) in _FORBIDDEN_CATEGORIES


def _percent(character: str) -> str:
    if character == ".":
        return "%2E"
    return quote(character, safe="", errors="surrogatepass")


def _unescaped(match: re.Match[str]) -> str:
    escapes = match.group()
    try:
        return bytes.fromhex(escapes.replace("%", "")).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return escapes
