"""Slots, receipts and versions of the domain, filled into messages where they stand: half the price of making them first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_index.ranking import Decay
from memslot_sidecar.model import Receipt, SlotRecord, StoredSlot, VersionRecord
from memslot_sidecar.operations.commands import VersionWithBody
from memslot_sidecar.services.moments import fill_timestamp
from memslot_sidecar.services.scalars import fill_scalar


@dataclass(frozen=True, slots=True)
class Clocked:
    """Tells the slots of one reply: rank scores are as of one common ``now_ms``, so that they compare."""

    decay: Decay
    now_ms: int

    def fill_info(self, info: slot_pb2.SlotInfo, record: SlotRecord) -> None:
        """Everything about a slot but its body."""
        fill_static(info, record)
        info.rank_score = self.decay.score(record.rank, self.now_ms)

    def fill_slot(self, slot: slot_pb2.Slot, stored: StoredSlot) -> None:
        """A slot with its body."""
        slot.body = stored.body
        self.fill_info(slot.info, stored.record)

    def fill_version(self, slot: slot_pb2.Slot, found: VersionWithBody) -> None:
        """A kept version with its body; what a version does not keep is as it is today."""
        version = found.version
        current = version.revision == found.today.revision
        record = replace(
            found.today,
            revision=version.revision,
            version=version.version,
            content_type=version.content_type,
            body_bytes=version.body_bytes,
            description=version.description,
            updated_ms=version.updated_ms,
            written_by=version.written_by,
            origin=version.origin,
            vector_bytes=found.today.vector_bytes if current else 0,
            summary_bytes=found.today.summary_bytes if current else 0,
        )
        self.fill_slot(slot, StoredSlot(record, found.body))


def fill_static(info: slot_pb2.SlotInfo, record: SlotRecord) -> None:
    """A slot's information without rank_score: the part that the record alone decides."""
    info.name = record.name
    info.namespace = record.namespace
    info.revision = record.revision
    info.version = record.version
    info.content_type = record.content_type
    info.body_bytes = record.body_bytes
    info.description = record.description
    info.task_type = record.task_type
    info.tags.extend(record.tags)
    for key, value in record.attributes.items():
        fill_scalar(info.attributes[key], value)
    info.importance = record.importance
    info.pinned = record.pinned
    info.access_count = record.access_count
    fill_timestamp(info.create_time, record.created_ms)
    fill_timestamp(info.update_time, record.updated_ms)
    if record.accessed_ms is not None:
        fill_timestamp(info.access_time, record.accessed_ms)
    if record.expire_ms is not None:
        fill_timestamp(info.expire_time, record.expire_ms)
    info.written_by = record.written_by
    info.origin = cast(Any, record.origin)
    info.has_summary = record.summary_bytes > 0
    info.has_vector = record.vector_bytes > 0


def fill_receipt(message: slot_pb2.Receipt, receipt: Receipt) -> None:
    """What a mutation did to one slot."""
    message.name = receipt.name
    message.revision = receipt.revision
    message.version = receipt.version
    message.outcome = cast(Any, receipt.outcome)
    message.previous_revision = receipt.previous_revision
    if receipt.expire_ms is not None:
        fill_timestamp(message.expire_time, receipt.expire_ms)
    message.evicted.extend(receipt.evicted)
    message.warnings.extend(cast(Any, receipt.warnings))


def fill_version_info(message: pb.VersionInfo, version: VersionRecord) -> None:
    """A kept version without its body."""
    message.revision = version.revision
    message.version = version.version
    message.content_type = version.content_type
    message.body_bytes = version.body_bytes
    fill_timestamp(message.update_time, version.updated_ms)
    message.written_by = version.written_by
    message.origin = cast(Any, version.origin)
