"""Bytes in JSON are base64. The library that reads protobuf JSON skips what is none, and would store half of a broken body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from memslot_sidecar.errors import InvalidField

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")

Places = Mapping[str, tuple[FieldDescriptor, Any]]
"""The fields, by either of their names, that hold bytes, or messages that do: those then have places of their own."""


def bytes_in(descriptor: Descriptor, above: frozenset[str] = frozenset()) -> Places:
    """Where a message may hold bytes. A message inside its own kind is not followed: none of ours that is so holds bytes."""
    found: dict[str, tuple[FieldDescriptor, Any]] = {}
    for field in descriptor.fields:
        inner = field.message_type
        below = None
        if inner is not None:
            above_inner = above | {descriptor.full_name}
            below = {} if inner.full_name in above_inner else bytes_in(inner, above_inner)
        if below or field.type == FieldDescriptor.TYPE_BYTES:
            found[field.json_name] = found[field.name] = (field, below)
    return found


def check_bytes(value: Any, places: Places, path: str = "") -> None:
    """Raises InvalidField where a text that should be base64 is none. What has another shape is left to the library."""
    if not isinstance(value, dict):
        return
    for key, (field, below) in places.items():
        if key in value:
            where = f"{path}.{field.name}" if path else field.name
            for place, part in _parts(value[key], where):
                if below:
                    check_bytes(part, below, place)
                elif isinstance(part, str) and not _is_base64(part):
                    raise InvalidField(f"{place} is not base64", field=place)


def _parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        yield from ((f"{path}[{index}]", part) for index, part in enumerate(value))
    else:
        yield path, value


def _is_base64(text: str) -> bool:
    return _BASE64.fullmatch(text) is not None and len(text.rstrip("=")) % 4 != 1
