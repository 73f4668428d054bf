"""A slot's present body as one of its versions."""

from __future__ import annotations

from memslot_sidecar.model import SlotRecord, VersionRecord


def version_of(record: SlotRecord) -> VersionRecord:
    """What the slot's body is called among its versions."""
    return VersionRecord(
        record.namespace,
        record.name,
        record.revision,
        record.version,
        record.content_type,
        record.body_bytes,
        record.description,
        record.updated_ms,
        record.written_by,
        record.origin,
    )
