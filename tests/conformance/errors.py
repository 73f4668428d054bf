"""What holds for every error of every face, whatever the scenario says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
_CODES = {
    "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
}  # fmt: skip


def broken_promises(error: Mapping[str, Any], bodies: Iterable[str]) -> Iterator[str]:
    """What an error does that no error may do, a line each."""
    if error["code"] not in _CODES:
        yield f"{error['code']} is no code of gRPC: {error['text'][:600]}"
    for body in bodies:
        if body in error["text"]:
            yield f"the error's text repeats a body: {body[:60]!r} in {error['text'][:600]!r}"
    if error["reason"]:
        yield from _told_by_details(error)


def _told_by_details(error: Mapping[str, Any]) -> Iterator[str]:
    details = {detail["@type"]: detail for detail in error["details"]}
    info = details.get(_INFO)
    if info is None:
        yield f"{error['reason']} has no ErrorInfo in its details: {sorted(details)}"
        return
    if (info.get("reason"), info.get("domain")) != (error["reason"], "memslot"):
        yield f"ErrorInfo says {info.get('reason')} of {info.get('domain')}, the client {error['reason']}"
    if info.get("metadata", {}) != error["metadata"]:
        yield f"the metadata of ErrorInfo and the client differ: {info.get('metadata')} and {error['metadata']}"
    violations = details.get(_BAD_REQUEST, {}).get("fieldViolations", [])
    field = violations[0].get("field", "") if violations else ""
    if field != error["field"]:
        yield f"BadRequest names the field {field!r}, the client {error['field']!r}"


def comparable(error: Mapping[str, Any]) -> dict[str, Any]:
    """An error without what each language says in its own way."""
    details = sorted(error["details"], key=lambda detail: str(detail["@type"]))
    kept = {key: error[key] for key in ("code", "reason", "own_reason", "metadata", "field")}
    return {**kept, "details": details, "outcome_unknown": outcome_unknown(error)}


def outcome_unknown(error: Mapping[str, Any]) -> bool:
    """Whether it is the error that says so."""
    return bool(error["own_reason"] == "OUTCOME_UNKNOWN")
