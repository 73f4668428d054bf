"""Limits of a slot's metadata, checked at one place."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import AttributeValue

DESCRIPTION_LIMIT_CHARACTERS = 160
SUMMARY_LIMIT_CHARACTERS = 2000
LABEL_LIMIT_BYTES = 128
TAG_LIMIT = 32
ATTRIBUTE_LIMIT = 32
ATTRIBUTE_VALUE_LIMIT_BYTES = 1024


def description(text: str, field: str = "description") -> str:
    """One line of at most 160 characters."""
    if len(text) > DESCRIPTION_LIMIT_CHARACTERS:
        raise InvalidField(
            f"{field} has {len(text)} characters, at most {DESCRIPTION_LIMIT_CHARACTERS} are allowed: shorten it",
            field=field,
        )
    _check_printable(text, field)
    return text


def summary(text: str, field: str = "summary") -> str:
    """At most 2000 characters, of any number of lines."""
    if len(text) > SUMMARY_LIMIT_CHARACTERS:
        raise InvalidField(
            f"{field} has {len(text)} characters, at most {SUMMARY_LIMIT_CHARACTERS} are allowed: shorten it",
            field=field,
        )
    _check_printable(text.replace("\n", " "), field)
    return text


def task_type(text: str, field: str = "task_type") -> str:
    """A label of at most 128 bytes, or empty."""
    if text:
        _check_label(text, field)
    return text


def tags(values: Sequence[str], field: str = "tags") -> tuple[str, ...]:
    """At most 32 distinct labels, in byte order."""
    distinct = tuple(sorted(set(values)))
    if len(distinct) > TAG_LIMIT:
        raise InvalidField(f"{field} has {len(distinct)} tags, at most {TAG_LIMIT} are allowed: drop some", field=field)
    for position, tag in enumerate(values):
        if not tag:
            raise InvalidField(
                f"{field}[{position}] is empty: a tag has 1 to {LABEL_LIMIT_BYTES} bytes", field=f"{field}[{position}]"
            )
        _check_label(tag, f"{field}[{position}]")
    return distinct


def attributes(values: Mapping[str, AttributeValue], field: str = "attributes") -> Mapping[str, AttributeValue]:
    """At most 32 typed scalars."""
    if len(values) > ATTRIBUTE_LIMIT:
        raise InvalidField(
            f"{field} has {len(values)} entries, at most {ATTRIBUTE_LIMIT} are allowed: drop some", field=field
        )
    for key, value in values.items():
        at = f"{field}[{key!r}]" if len(key) <= LABEL_LIMIT_BYTES else field
        if not key:
            raise InvalidField(f"{field} has an empty key: a key has 1 to {LABEL_LIMIT_BYTES} bytes", field=field)
        _check_label(key, f"{field} key" if at == field else at)
        if isinstance(value, float) and math.isnan(value):
            raise InvalidField(f"{at} is NaN, which compares with nothing: leave it out", field=at)
        if isinstance(value, str) and len(value.encode()) > ATTRIBUTE_VALUE_LIMIT_BYTES:
            raise InvalidField(
                f"{at} has {len(value.encode())} bytes, at most {ATTRIBUTE_VALUE_LIMIT_BYTES} are allowed: store it as a body",
                field=at,
            )
    return dict(values)


def importance(value: float, field: str = "importance") -> float:
    """0 to 1."""
    if not 0.0 <= value <= 1.0:
        raise InvalidField(f"{field} is {value}: it must be between 0 and 1", field=field)
    return value


def _check_label(text: str, field: str) -> None:
    size = len(text.encode())
    if size > LABEL_LIMIT_BYTES:
        raise InvalidField(
            f"{field} has {size} bytes, at most {LABEL_LIMIT_BYTES} are allowed: shorten it", field=field
        )
    _check_printable(text, field)


def _check_printable(text: str, field: str) -> None:
    if text.isascii() and text.isprintable():
        return
    for position, character in enumerate(text):
        if unicodedata.category(character) in ("Cc", "Zl", "Zp"):
            raise InvalidField(
                f"{field} holds the control character U+{ord(character):04X} at {position}: remove it", field=field
            )
