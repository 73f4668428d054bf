"""From messages to values."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from memslot import results
from memslot._core.reasons import error_for
from memslot._google_rpc import error_details_pb2, status_pb2
from memslot.enums import (
    IndexMode,
    Origin,
    Outcome,
    Overflow,
    ReceiptWarning,
    SummaryMode,
    SummarySource,
    VectorIndexKind,
)
from memslot.errors import MemslotError
from memslot.v1 import namespace_service_pb2, slot_pb2, slot_service_pb2

_DOMAIN = "memslot"
_CODES = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
]


def slot_info(message: slot_pb2.SlotInfo, summary: results.Summary | None = None) -> results.SlotInfo:
    """Return a slot's information, with the summary that came beside it."""
    return results.SlotInfo(
        name=message.name,
        namespace=message.namespace,
        revision=message.revision,
        version=message.version,
        content_type=message.content_type,
        body_bytes=message.body_bytes,
        create_time=moment(message.create_time),
        update_time=moment(message.update_time),
        access_time=moment(message.access_time) if message.HasField("access_time") else None,
        expire_time=moment(message.expire_time) if message.HasField("expire_time") else None,
        description=message.description,
        task_type=message.task_type,
        tags=tuple(message.tags),
        attributes={key: attribute(value) for key, value in message.attributes.items()},
        importance=message.importance,
        rank_score=message.rank_score,
        pinned=message.pinned,
        access_count=message.access_count,
        written_by=message.written_by,
        origin=Origin(message.origin),
        has_summary=message.has_summary,
        has_vector=message.has_vector,
        summary=summary,
    )


def summary(message: slot_pb2.Summary) -> results.Summary:
    """Return a summary."""
    return results.Summary(
        text=message.text,
        source=SummarySource(message.source),
        origin=Origin(message.origin),
        revision=message.revision,
    )


def described(message: slot_service_pb2.DescribeResult) -> results.SlotInfo:
    """Return a slot's information, with its summary if that came."""
    return slot_info(message.info, summary(message.summary) if message.HasField("summary") else None)


def slot(message: slot_pb2.Slot) -> results.Slot:
    """Return a slot with its body."""
    return results.Slot(slot_info(message.info), message.body)


def attribute(message: slot_pb2.AttributeValue) -> results.AttributeValue:
    """Return an attribute's value."""
    value: results.AttributeValue = getattr(message, message.WhichOneof("kind") or "string_value")
    return value


def receipt(message: slot_pb2.Receipt) -> results.Receipt:
    """Return a receipt."""
    return results.Receipt(
        name=message.name,
        outcome=Outcome(message.outcome),
        revision=message.revision,
        version=message.version,
        previous_revision=message.previous_revision,
        expire_time=moment(message.expire_time) if message.HasField("expire_time") else None,
        evicted=tuple(message.evicted),
        warnings=tuple(ReceiptWarning(warning) for warning in message.warnings),
    )


def version(message: slot_service_pb2.VersionInfo) -> results.VersionInfo:
    """Return a kept version."""
    return results.VersionInfo(
        revision=message.revision,
        version=message.version,
        content_type=message.content_type,
        body_bytes=message.body_bytes,
        update_time=moment(message.update_time),
        written_by=message.written_by,
        origin=Origin(message.origin),
    )


def namespace(message: namespace_service_pb2.Namespace) -> results.Namespace:
    """Return a namespace."""
    return results.Namespace(
        name=message.name,
        settings=settings(message.settings),
        effective_settings=settings(message.effective_settings),
        slot_count=message.slot_count,
        stored_bytes=message.stored_bytes,
        create_time=moment(message.create_time),
    )


def settings(message: namespace_service_pb2.NamespaceSettings) -> results.NamespaceSettings:
    """Return a namespace's settings."""
    return results.NamespaceSettings(
        slot_limit=message.slot_limit if message.HasField("slot_limit") else None,
        body_limit_bytes=message.body_limit_bytes if message.HasField("body_limit_bytes") else None,
        ttl_default=span(message.ttl_default) if message.HasField("ttl_default") else None,
        ttl_max=span(message.ttl_max) if message.HasField("ttl_max") else None,
        ttl_refresh_on_read=message.ttl_refresh_on_read if message.HasField("ttl_refresh_on_read") else None,
        versions_kept=message.versions_kept if message.HasField("versions_kept") else None,
        overflow=Overflow(message.overflow) if message.overflow else None,
        erase_on_forget=message.erase_on_forget if message.HasField("erase_on_forget") else None,
        index_mode=IndexMode(message.index_mode) if message.index_mode else None,
        embedder=message.embedder if message.HasField("embedder") else None,
        vector_index=VectorIndexKind(message.vector_index) if message.vector_index else None,
        summary_mode=SummaryMode(message.summary_mode) if message.summary_mode else None,
        summary_above_bytes=message.summary_above_bytes if message.HasField("summary_above_bytes") else None,
        summary_below_rank=message.summary_below_rank if message.HasField("summary_below_rank") else None,
    )


def moment(message: Timestamp) -> datetime:
    """Return a point in time, aware, in UTC."""
    return message.ToDatetime(tzinfo=timezone.utc)


def span(message: Duration) -> timedelta:
    """Return a span of time."""
    return message.ToTimedelta()


def status_error(status: status_pb2.Status) -> MemslotError:
    """Return the exception for a status with its details."""
    info, bad_request, retry = _our_info(status), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail in status.details:
        detail.Unpack(bad_request) or detail.Unpack(retry)
    return error_for(
        status.message,
        reason=info.reason,
        code=_CODES[status.code] if 0 <= status.code < len(_CODES) else "UNKNOWN",
        metadata=dict(info.metadata),
        field=bad_request.field_violations[0].field if bad_request.field_violations else "",
        retry_after_s=span(retry.retry_delay).total_seconds() if retry.HasField("retry_delay") else None,
        details=status.details,
    )


def _our_info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo:
    """The sidecar's reason; an empty one where only others, such as a proxy, told theirs."""
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == _DOMAIN:
            return info
    return error_details_pb2.ErrorInfo()
