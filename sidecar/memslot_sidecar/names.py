"""The rules for slot and namespace names, checked at one place for every path.

A slot name has 1 to 128 bytes of UTF-8 in NFC, without control or bidirectional-override characters and without leading or trailing
space. A namespace has 1 to 8 segments joined by ``/``; a segment follows the same rules, holds no ``/`` and is not ``.`` or ``..``.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from memslot_sidecar.errors import InvalidName

NAME_LIMIT_BYTES = 128
SEGMENT_LIMIT = 8
_SHRINKING = 3
"""NFC makes no text shorter by more than this factor. To normalise takes time with the square of a run of combining characters."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def slot_name(name: str, field: str = "name") -> str:
    """The stored form (NFC) of a slot name. Raises InvalidName."""
    if 0 < len(name) <= NAME_LIMIT_BYTES and name.isascii() and name.isprintable() and " " not in (name[0], name[-1]):
        return name
    return _checked(name, field, "slot name")


@lru_cache(maxsize=1024)
def namespace_path(path: str, field: str = "namespace") -> str:
    """The stored form (NFC) of a namespace's path. Raises InvalidName."""
    segments = path.split("/")
    if len(segments) > SEGMENT_LIMIT:
        raise InvalidName(
            f"{field} has {len(segments)} segments, at most {SEGMENT_LIMIT} are allowed: join fewer parts with '/'",
            field=field,
            metadata={"segments": str(len(segments)), "limit": str(SEGMENT_LIMIT)},
        )
    if path and "" in segments:
        raise InvalidName(f"{field} has an empty segment: write no '/' at its ends and no '//'", field=field)
    checked = [_checked(segment, field, "namespace segment") for segment in segments]
    if "." in checked or ".." in checked:
        raise InvalidName(f"{field} may not have '.' or '..' as a segment", field=field)
    return "/".join(checked)


def prefix(text: str, field: str) -> str:
    """The stored form (NFC) of a name prefix, which may end anywhere. Raises InvalidName when no name can start so."""
    normal = _normal(text, field, "name prefix")
    _check_characters(normal, field, "name prefix")
    _check_size(normal, field, "name prefix")
    return normal


def root(path: str) -> str:
    """The first segment of a namespace: the tenant."""
    return path.partition("/")[0]


def ancestors(path: str) -> list[str]:
    """The namespace itself and those above it, nearest first."""
    found = [path]
    while "/" in path:
        path = path.rpartition("/")[0]
        found.append(path)
    return found


def _checked(name: str, field: str, what: str) -> str:
    if not name:
        raise InvalidName(f"{field} is empty: a {what} has 1 to {NAME_LIMIT_BYTES} bytes", field=field)
    if not (name.isascii() and name.isprintable()):
        name = _normal(name, field, what)
        _check_characters(name, field, what)
    _check_size(name, field, what)
    if name[0].isspace() or name[-1].isspace():
        raise InvalidName(f"{field} starts or ends with a space: remove it", field=field)
    return name


def _normal(text: str, field: str, what: str) -> str:
    _check_size(text, field, what, _SHRINKING)
    return unicodedata.normalize("NFC", text)


def _check_size(text: str, field: str, what: str, factor: int = 1) -> None:
    size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
    if size > factor * NAME_LIMIT_BYTES:
        raise InvalidName(
            f"{field} has {size} bytes: a {what} has at most {NAME_LIMIT_BYTES} bytes of UTF-8, shorten it",
            field=field,
            metadata={"size": str(size), "limit": str(NAME_LIMIT_BYTES)},
        )


def _check_characters(name: str, field: str, what: str) -> None:
    for position, character in enumerate(name):
        if character in _BIDI_CONTROLS or unicodedata.category(character) in _FORBIDDEN_CATEGORIES:
            raise InvalidName(
                f"{field} holds U+{ord(character):04X} at character {position}: "
                f"control and bidirectional-override characters are not allowed in a {what}",
                field=field,
                metadata={"position": str(position)},
            )
