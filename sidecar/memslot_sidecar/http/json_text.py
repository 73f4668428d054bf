"""JSON as it comes in by HTTP: UTF-8, no key twice, no NaN. What is wrong is told by its place, never by its text."""

from __future__ import annotations

import json
from typing import Any

from memslot_sidecar.errors import InvalidField


class _Twice(Exception):
    pass


class _NotFinite(Exception):
    pass


def parsed(text: bytes) -> Any:
    """The value of a JSON text. Raises InvalidField."""
    return _guarded(text, _STRICT.decode)


def members(text: bytes) -> dict[str, str]:
    """The members of a JSON object, each value as the text that stood there. Raises InvalidField."""
    found: dict[str, str] = _guarded(text, _members)
    return found


def _guarded(text: bytes, read: Any) -> Any:
    try:
        return read(text.decode())
    except UnicodeDecodeError as error:
        raise InvalidField(f"the request is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise InvalidField(f"the request is not JSON at character {error.pos}") from None
    except _Twice:
        raise InvalidField("an object in the request has the same key twice: leave one out") from None
    except _NotFinite:
        raise InvalidField("the request holds NaN or Infinity, which JSON does not have") from None
    except RecursionError:
        raise InvalidField("the request is nested too deeply: flatten it") from None
    except ValueError:
        raise InvalidField("the request holds a number of too many digits") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice
    return found


def _refuse(_: str) -> Any:
    raise _NotFinite


_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
_SPACE = " \t\n\r"
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len, parse_constant=_refuse)


def _members(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    i = _expected(text, 0, "{")
    if text[i : i + 1] == "}":
        return _ended(text, i + 1, found)
    while True:
        key, i = _DECODER.raw_decode(text, i)
        if not isinstance(key, str):
            raise json.JSONDecodeError("no key", text, i)
        if key in found:
            raise _Twice
        start = _expected(text, i, ":")
        _, i = _DECODER.raw_decode(text, start)
        found[key] = text[start:i]
        i = _skipped(text, i)
        if text[i : i + 1] == "}":
            return _ended(text, i + 1, found)
        i = _expected(text, i, ",")


def _ended(text: str, i: int, found: dict[str, str]) -> dict[str, str]:
    if _skipped(text, i) != len(text):
        raise json.JSONDecodeError("more behind it", text, i)
    return found


def _expected(text: str, i: int, mark: str) -> int:
    """The place behind a mark and the white space around it."""
    i = _skipped(text, i)
    if text[i : i + 1] != mark:
        raise json.JSONDecodeError("something else", text, i)
    return _skipped(text, i + 1)


def _skipped(text: str, i: int) -> int:
    while text[i : i + 1] and text[i] in _SPACE:
        i += 1
    return i
