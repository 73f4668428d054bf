"""Rows of ``namespaces`` as domain values, and back."""

from __future__ import annotations

from typing import Any

import orjson

from memslot_sidecar.model import CLOSED_SETTINGS, NamespaceRecord, NamespaceSettings

NAMESPACE = (
    "n.path, n.settings, n.configured, n.slot_count, n.stored_bytes, n.created_ms, n.vector_count, n.vector_dimensions"
)
"""A namespace's columns of alias ``n``."""


def namespace_record(row: tuple[Any, ...]) -> NamespaceRecord:
    """The namespace in a row of :data:`NAMESPACE`."""
    return NamespaceRecord(row[0], decode_settings(row[1]), row[2] == 1, *row[3:8])


def encode_settings(settings: NamespaceSettings) -> str:
    """The settings as JSON: those that are set, by name."""
    names = NamespaceSettings.__slots__
    return orjson.dumps({name: value for name in names if (value := getattr(settings, name)) is not None}).decode()


def decode_settings(text: str) -> NamespaceSettings:
    """The settings in JSON text."""
    if text == "{}":
        return NamespaceSettings()
    fields: dict[str, Any] = orjson.loads(text)
    for name, kind in CLOSED_SETTINGS.items():
        if name in fields:
            fields[name] = kind(fields[name])
    return NamespaceSettings(**fields)
