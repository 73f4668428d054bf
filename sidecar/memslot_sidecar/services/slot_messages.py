"""Slots, receipts and versions of the domain as messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_index.ranking import Decay
from memslot_sidecar.model import Receipt, SlotRecord, StoredSlot, VersionRecord
from memslot_sidecar.operations.commands import VersionWithBody
from memslot_sidecar.services.moments import to_timestamp
from memslot_sidecar.services.scalars import from_scalar


@dataclass(frozen=True, slots=True)
class Clocked:
    """Makes the slots of one reply: rank scores are as of one common ``now_ms``, so that they compare."""

    decay: Decay
    now_ms: int

    def info(self, record: SlotRecord) -> slot_pb2.SlotInfo:
        """Everything about a slot but its body."""
        info = static_info(record)
        info.rank_score = self.decay.score(record.rank, self.now_ms)
        return info

    def slot(self, stored: StoredSlot) -> slot_pb2.Slot:
        """A slot with its body."""
        return slot_pb2.Slot(info=self.info(stored.record), body=stored.body)

    def version(self, found: VersionWithBody) -> slot_pb2.Slot:
        """A kept version with its body; what a version does not keep is as it is today."""
        version = found.version
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
        )
        return slot_pb2.Slot(info=self.info(record), body=found.body)


def static_info(record: SlotRecord) -> slot_pb2.SlotInfo:
    """A slot's information without rank_score: the part that the record alone decides."""
    info = slot_pb2.SlotInfo(
        name=record.name,
        namespace=record.namespace,
        revision=record.revision,
        version=record.version,
        content_type=record.content_type,
        body_bytes=record.body_bytes,
        description=record.description,
        task_type=record.task_type,
        tags=record.tags,
        importance=record.importance,
        pinned=record.pinned,
        access_count=record.access_count,
        create_time=to_timestamp(record.created_ms),
        update_time=to_timestamp(record.updated_ms),
        access_time=None if record.accessed_ms is None else to_timestamp(record.accessed_ms),
        expire_time=None if record.expire_ms is None else to_timestamp(record.expire_ms),
        written_by=record.written_by,
        origin=cast(Any, record.origin),
    )
    for key, value in record.attributes.items():
        info.attributes[key].CopyFrom(from_scalar(value))
    return info


def receipt_message(receipt: Receipt) -> slot_pb2.Receipt:
    """What a mutation did to one slot."""
    return slot_pb2.Receipt(
        name=receipt.name,
        revision=receipt.revision,
        version=receipt.version,
        outcome=cast(Any, receipt.outcome),
        previous_revision=receipt.previous_revision,
        expire_time=None if receipt.expire_ms is None else to_timestamp(receipt.expire_ms),
        evicted=receipt.evicted,
        warnings=cast(Any, receipt.warnings),
    )


def version_message(version: VersionRecord) -> pb.VersionInfo:
    """A kept version without its body."""
    return pb.VersionInfo(
        revision=version.revision,
        version=version.version,
        content_type=version.content_type,
        body_bytes=version.body_bytes,
        update_time=to_timestamp(version.updated_ms),
        written_by=version.written_by,
        origin=cast(Any, version.origin),
    )
