"""Bodies: what a content type promises, and how a body is extended or patched."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from memslot_sidecar.errors import BodyTooLarge, InvalidBody, InvalidField

JSON_DEPTH_LIMIT = 100
CONTENT_TYPE_LIMIT_BYTES = 128
JSON_PATCH = "application/merge-patch+json"
TEXT, JSON, BINARY = "text/plain", "application/json", "application/octet-stream"

_MEDIA_TYPE = re.compile(
    r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[A-Za-z0-9!#$&^_.+-]+=([A-Za-z0-9!#$&^_.+-]+|\"[ !#-\[\]-~]*\"))*"
)
# A string that does not end matches to the end, so that no place is looked at twice.
_BRACKETS = re.compile(rb'"(?:[^"\\]+|\\.?)*"?|[\[\]{}]', re.DOTALL)


def check_content_type(content_type: str, field: str = "content_type") -> None:
    """Raises InvalidField unless it is empty or a media type."""
    if content_type in ("", TEXT, JSON, BINARY):
        return
    if len(content_type) > CONTENT_TYPE_LIMIT_BYTES or not _MEDIA_TYPE.fullmatch(content_type):
        raise InvalidField(
            f"{field} is not a media type of at most {CONTENT_TYPE_LIMIT_BYTES} bytes such as 'text/plain' or 'application/json'",
            field=field,
        )


def essence(content_type: str) -> str:
    """The media type without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def guess(body: bytes) -> str:
    """The content type of a body whose writer did not say: text/plain for valid UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return BINARY
    return TEXT


def check_size(size: int, limit: int, field: str = "body") -> None:
    """Raises BodyTooLarge above ``limit`` bytes."""
    if size > limit:
        raise BodyTooLarge(
            f"{field} has {size} bytes, the namespace allows {limit}: split it or raise body_limit_bytes",
            field=field,
            metadata={"size": str(size), "limit": str(limit)},
        )


def check_body(body: bytes, content_type: str, field: str = "body") -> None:
    """Raises InvalidBody unless text/* is UTF-8 and application/json is JSON of at most 100 levels without NaN or Infinity."""
    kind = essence(content_type)
    if kind.startswith("text/"):
        _decoded(body, content_type, field)
    elif kind == JSON:
        parse_json(body, field)


def merge_patch(body: bytes | None, patch: bytes, field: str = "body") -> bytes | None:
    """The JSON body after a merge patch (RFC 7396); None when the patch changes nothing. An absent body is created.

    Numbers keep the digits they were written with. Raises InvalidBody.
    """
    wanted = parse_json(patch, field)
    target = None if body is None else parse_json(body, field)
    merged = _merge(target, wanted)
    if body is not None and merged == target:
        return None
    return _dump(merged).encode()


def extend(body: bytes | None, value: bytes, field: str = "body") -> bytes | None:
    """A JSON array with a value behind its items, or with the items of ``value`` when that is an array; None when ``body`` is no array.

    Of what is there no byte is changed, and an absent body is a new array. Raises InvalidBody.
    """
    items = parse_json(value, field)
    more = ", ".join(map(_dump, items if isinstance(items, list) else [items]))
    whole = b"[]" if body is None else body.rstrip()
    held = parse_json(whole, field)
    if not isinstance(held, list):
        return None
    extended = whole[:-1] + (", " if held and more else "").encode() + more.encode() + b"]"
    if _too_deep(extended):
        raise InvalidBody(f"{field} is nested deeper than {JSON_DEPTH_LIMIT} levels: flatten it", field=field)
    return extended


def quoted(text: bytes) -> bytes:
    """A text in UTF-8 as JSON."""
    return _quote(text.decode()).encode()


def parse_json(body: bytes, field: str) -> Any:
    """The JSON value of ``body``, numbers as :class:`Number`. Raises InvalidBody with the position, never with the text."""
    text = _decoded(body, JSON, field)
    if _too_deep(body):
        raise InvalidBody(f"{field} is nested deeper than {JSON_DEPTH_LIMIT} levels: flatten it", field=field)
    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidBody(
            f"{field} is not JSON at character {error.pos}: send valid JSON or another content_type",
            field=field,
            metadata={"position": str(error.pos)},
        ) from None
    except _Constant:
        raise InvalidBody(
            f"{field} holds NaN or Infinity, which JSON does not have: use null or a string", field=field
        ) from None


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number as it was written, so that no digit is lost."""

    text: str


class _Constant(Exception):
    pass


def _refuse_constant(_text: str) -> Any:
    raise _Constant


def _decoded(body: bytes, content_type: str, field: str) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise InvalidBody(
            f"{field} is not UTF-8 at byte {error.start}, which '{content_type}' promises: encode it or send another content_type",
            field=field,
            metadata={"position": str(error.start)},
        ) from None


def _too_deep(body: bytes) -> bool:
    if body.count(b"[") + body.count(b"{") <= JSON_DEPTH_LIMIT:
        return False
    depth = 0
    for token in _BRACKETS.finditer(body):
        first = token.group()[:1]
        if first in b"[{":
            depth += 1
            if depth > JSON_DEPTH_LIMIT:
                return True
        elif first in b"]}":
            depth -= 1
    return False


def _merge(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge(merged.get(key), value)
    return merged


def _dump(value: Any) -> str:
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quote(key)}:{_dump(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    if isinstance(value, str):
        return _quote(value)
    return json.dumps(value)


def _quote(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)
