"""Notes as bytes and back. What another version wrote is read as far as this one knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

import orjson

from memslot_sidecar.edge.notes import Amount, Note, Usage

_KINDS: Mapping[str, type[Any]] = {kind.__name__.removesuffix("Note").lower(): kind for kind in get_args(Note)}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_FIELDS = {name: tuple(field.name for field in fields(kind)) for name, kind in _KINDS.items()}


def packed(notes: Iterable[Note]) -> bytes:
    """The notes as JSON."""
    return orjson.dumps([[_NAMES[type(note)], note] for note in notes])


def unpacked(data: bytes) -> Sequence[Note]:
    """The notes again; those that cannot be read are left out."""
    try:
        listed = orjson.loads(data)
    except orjson.JSONDecodeError:
        return ()
    if not isinstance(listed, list):
        return ()
    return [note for one in listed if (note := _note(one)) is not None]


def _note(one: Any) -> Note | None:
    try:
        name, told = one
        kind = _KINDS[name]
        note: Note = kind(**{field: _value(field, told[field]) for field in _FIELDS[name] if field in told})
    except (KeyError, TypeError, ValueError):
        return None
    return note


def _value(field: str, value: Any) -> Any:
    if isinstance(value, dict):
        return (Usage if field == "usage" else Amount)(**value)
    return tuple(value) if isinstance(value, list) else value
