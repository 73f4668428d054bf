"""The one function from a domain error to google.rpc.Status, and what keeps it small enough for a trailer."""

from __future__ import annotations

from memslot._google_rpc import error_details_pb2, status_pb2
from memslot_sidecar.errors import (
    FailedPrecondition,
    InvalidField,
    MemslotError,
    NamespaceNotFound,
    RevisionMismatch,
    SlotExists,
    SlotNotFound,
    VersionNotFound,
    grpc_code,
)

DOMAIN = "memslot"
TRAILER_LIMIT_BYTES = 4096
_MARGIN_BYTES = 160
"""For the trailer's keys and the other entries in it."""
_TEXT_LIMITS = (1000, 400, 160, 60)
_NUMBERS = {
    "INVALID_ARGUMENT": 3,
    "DEADLINE_EXCEEDED": 4,
    "NOT_FOUND": 5,
    "ALREADY_EXISTS": 6,
    "PERMISSION_DENIED": 7,
    "RESOURCE_EXHAUSTED": 8,
    "FAILED_PRECONDITION": 9,
    "ABORTED": 10,
    "INTERNAL": 13,
    "UNAVAILABLE": 14,
    "DATA_LOSS": 15,
}


def to_status(error: MemslotError) -> status_pb2.Status:
    """The status of an error. It takes less than 4 KiB as a trailer: texts that are too long for that are cut."""
    for limit in _TEXT_LIMITS:
        status = _status(error, limit)
        if trailer_bytes(status) < TRAILER_LIMIT_BYTES:
            return status
    return status_pb2.Status(code=_NUMBERS[grpc_code(error)], message=_cut(error.message, _TEXT_LIMITS[-1]))


def trailer_bytes(status: status_pb2.Status) -> int:
    """An upper bound of what a status takes in the trailer: the message percent-encoded, the whole in base64."""
    message = sum(1 if 0x20 <= byte < 0x7F and byte != 0x25 else 3 for byte in status.message.encode())
    return message + (status.ByteSize() + 2) // 3 * 4 + _MARGIN_BYTES


def _status(error: MemslotError, limit: int) -> status_pb2.Status:
    status = status_pb2.Status(code=_NUMBERS[grpc_code(error)], message=_cut(error.message, limit))
    resource = _cut("/".join(error.metadata[key] for key in ("namespace", "name") if key in error.metadata), limit)
    metadata = {key: _cut(value, limit) for key, value in error.metadata.items()}
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata))
    if isinstance(error, InvalidField) and error.field:
        bad = error_details_pb2.BadRequest()
        bad.field_violations.add(field=_cut(error.field, limit), description=status.message)
        status.details.add().Pack(bad)
    if isinstance(error, FailedPrecondition | RevisionMismatch | SlotExists):
        failure = error_details_pb2.PreconditionFailure()
        failure.violations.add(type=error.reason, subject=resource, description=status.message)
        status.details.add().Pack(failure)
    if resource and isinstance(error, SlotNotFound | VersionNotFound | NamespaceNotFound | SlotExists):
        kind = "memslot.v1.Namespace" if isinstance(error, NamespaceNotFound) else "memslot.v1.Slot"
        about = error_details_pb2.ResourceInfo(resource_type=kind, resource_name=resource)
        status.details.add().Pack(about)
    if error.retry_after_ms is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(error.retry_after_ms)
        status.details.add().Pack(retry)
    return status


def _cut(text: str, limit: int) -> str:
    """At most ``limit`` bytes of UTF-8, with a mark where something is missing."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= limit:
        return encoded.decode()
    return encoded[: limit - 3].decode("utf-8", "ignore") + "…"
