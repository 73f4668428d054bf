"""Where the library that reads protobuf JSON would guess: it skips what is no base64, which would store half of a broken body, and takes
an empty list or text for an empty message. Both are refused here, before it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from memslot_sidecar.errors import InvalidField

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
DEPTH_LIMIT = 100
_OURS = "memslot."


def check_message(value: Any, descriptor: Any, path: str = "", depth: int = 0) -> None:
    """Raises InvalidField, which names the field, for a message that is no object and for bytes that are no base64."""
    if depth > DEPTH_LIMIT:
        raise InvalidField(f"the request is nested deeper than {DEPTH_LIMIT} levels: flatten it")
    if not isinstance(value, dict):
        raise InvalidField(f"{path or 'the request'} is no JSON object", field=path)
    for key, field in _looked_at(descriptor).items():
        if value.get(key) is not None:
            _check_field(value[key], field, f"{path}.{field.name}" if path else field.name, depth + 1)


@cache
def _looked_at(descriptor: Any) -> Mapping[str, FieldDescriptor]:
    """The fields, by either of their names, that hold bytes or messages of ours."""
    return {
        name: field
        for field in descriptor.fields
        if field.type == FieldDescriptor.TYPE_BYTES or (field.message_type is not None and _inner(field) is not None)
        for name in (field.json_name, field.name)
    }


def _inner(field: FieldDescriptor) -> Any:
    """The message of ours in a field; that of its values where it is a map."""
    inner: Any = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        inner = inner.fields_by_name["value"].message_type
    return inner if inner is not None and inner.full_name.startswith(_OURS) else None


def _check_field(value: Any, field: FieldDescriptor, path: str, depth: int) -> None:
    inner = _inner(field)
    for place, part in _parts(value, field, path):
        if inner is not None:
            check_message(part, inner, place, depth)
        elif isinstance(part, str) and not _is_base64(part):
            raise InvalidField(f"{place} is not base64", field=place)


def _parts(value: Any, field: FieldDescriptor, path: str) -> Iterator[tuple[str, Any]]:
    """What is in a field. A list or map that is none is left to the library, which refuses it."""
    if not field.is_repeated:
        yield path, value
    elif isinstance(value, list):
        yield from ((f"{path}[{index}]", part) for index, part in enumerate(value))
    elif isinstance(value, dict):
        yield from ((path, part) for part in value.values())


def _is_base64(text: str) -> bool:
    return _BASE64.fullmatch(text) is not None and len(text.rstrip("=")) % 4 != 1
