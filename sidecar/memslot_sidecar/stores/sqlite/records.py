"""Rows of ``slots`` and ``versions`` as domain values, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from memslot_sidecar.model import AttributeValue, Lifetime, Origin, SlotRecord, VersionRecord

Row = Sequence[Any]

COLUMNS = (
    "name", "revision", "version", "content_type", "body_bytes", "description", "task_type", "tags", "attributes", "importance",
    "pinned", "origin", "written_by", "rank", "access_count", "created_revision", "created_ms", "updated_ms", "accessed_ms",
    "expire_ms", "lifetime", "ttl_ms", "vector_bytes", "summary_bytes",
)  # fmt: skip
"""The columns of a slot's record, in the order of :class:`~memslot_sidecar.model.SlotRecord` after the namespace."""

SLOT = ", ".join(f"s.{column}" for column in COLUMNS)
"""The record's columns of alias ``s``."""

VERSION = "v.revision, v.version, v.content_type, v.body_bytes, v.description, v.updated_ms, v.written_by, v.origin"
"""A version's columns of alias ``v``."""

_ORIGINS = {origin.value: origin for origin in Origin}
_LIFETIMES = {lifetime.value: lifetime for lifetime in Lifetime}


def slot_record(namespace: str, row: Row) -> SlotRecord:
    """The record in a row that starts with the columns of :data:`SLOT`."""
    return SlotRecord(
        namespace,
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        () if row[7] == "[]" else tuple(orjson.loads(row[7])),
        {} if row[8] == "{}" else json.loads(row[8]),
        row[9],
        row[10] == 1,
        _ORIGINS[row[11]],
        row[12],
        row[13],
        row[14],
        row[15],
        row[16],
        row[17],
        row[18],
        row[19],
        _LIFETIMES[row[20]],
        row[21],
        row[22],
        row[23],
    )


def slot_values(record: SlotRecord) -> tuple[Any, ...]:
    """The values of :data:`COLUMNS`."""
    return (
        record.name,
        record.revision,
        record.version,
        record.content_type,
        record.body_bytes,
        record.description,
        record.task_type,
        orjson.dumps(record.tags).decode() if record.tags else "[]",
        json.dumps(dict(record.attributes), ensure_ascii=False) if record.attributes else "{}",
        record.importance,
        record.pinned,
        record.origin.value,
        record.written_by,
        record.rank,
        record.access_count,
        record.created_revision,
        record.created_ms,
        record.updated_ms,
        record.accessed_ms,
        record.expire_ms,
        record.lifetime.value,
        record.ttl_ms,
        record.vector_bytes,
        record.summary_bytes,
    )


def version_record(namespace: str, name: str, row: Row) -> VersionRecord:
    """The version in a row that starts with the columns of :data:`VERSION`."""
    revision, version, content_type, body_bytes, description, updated_ms, written_by, origin = row[:8]
    return VersionRecord(
        namespace,
        name,
        revision,
        version,
        content_type,
        body_bytes,
        description,
        updated_ms,
        written_by,
        _ORIGINS[origin],
    )


def attribute_rows(
    slot_id: int, attributes: Mapping[str, AttributeValue]
) -> list[tuple[int, str, str, AttributeValue]]:
    """Rows of ``slot_attributes``: the type beside the value, since SQLite has no booleans."""
    return [(slot_id, key, _type(value), value) for key, value in attributes.items()]


def _type(value: AttributeValue) -> str:
    if isinstance(value, bool):
        return "b"
    if isinstance(value, int):
        return "i"
    return "d" if isinstance(value, float) else "s"
