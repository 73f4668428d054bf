"""Writing bodies: write, append and patch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memslot import values
from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import Pending, mutate, new_request_id
from memslot._core.steps import Steps
from memslot.enums import Origin
from memslot.expiry import Seconds, Ttl
from memslot.results import AttributeValue, Receipt
from memslot.v1.slot_service_pb2 import (
    WRITE_MODE_APPEND,
    WRITE_MODE_MERGE_PATCH,
    WRITE_MODE_REPLACE,
    WriteRequest,
    WriteResponse,
)
from memslot.values import JsonValue, Value

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from memslot.details import WriteDetails


def write(
    at: Binding,
    name: str,
    value: Value,
    *,
    request_id: str | None = None,
    timeout: Seconds | None = None,
    **details: Unpack[WriteDetails],
) -> Steps[Receipt]:
    """Create a slot or replace its body; durable when this returns.

    ``value``: str is stored as text/plain, bytes as application/octet-stream, any other JSON value as application/json;
    ``content_type`` says otherwise. ``details`` are those of :class:`memslot.WriteDetails`; what is left out keeps what the slot has.
    ``request_id`` (a UUID, by default a fresh one) makes the call safe to repeat for ten minutes. ``timeout`` in seconds, retries
    included.

    Raises SlotExists or RevisionMismatch (``if_absent``, ``if_revision``), BodyTooLarge, InvalidBody, InvalidName, InvalidField,
    SlotLimitReached, StoreFull, OutcomeUnknown, with a vector IndexNotEnabled or DimensionMismatch; TypeError or ValueError for a value
    that cannot be stored.
    """
    return _write(at, replacing(name, value, **details), request_id, timeout)


def append(
    at: Binding,
    name: str,
    value: Value,
    *,
    request_id: str | None = None,
    timeout: Seconds | None = None,
    **details: Unpack[WriteDetails],
) -> Steps[Receipt]:
    """Add text or bytes at the end of a slot's body, atomically; an absent slot is created.

    Arguments and errors as in ``write``, and ContentTypeMismatch when the value does not fit the slot. The slot's content type stays.
    """
    return _write(at, appending(name, value, **details), request_id, timeout)


def patch(
    at: Binding,
    name: str,
    changes: JsonValue | bytes,
    *,
    request_id: str | None = None,
    timeout: Seconds | None = None,
    **details: Unpack[WriteDetails],
) -> Steps[Receipt]:
    """Change a JSON body by a merge patch (RFC 7396), atomically: a None removes a key. An absent slot is created from the patch.

    ``changes`` is a JSON value, or JSON text as bytes. Arguments and errors as in ``write``, and ContentTypeMismatch when the body is
    not JSON.
    """
    return _write(at, patching(name, changes, **details), request_id, timeout)


def replacing(name: str, value: Value, **details: Unpack[WriteDetails]) -> WriteRequest:
    """Return a request that replaces the body."""
    body, content_type = values.encode(value, details.get("content_type"))
    return WriteRequest(
        name=encode.text(name, "name"),
        body=body,
        content_type=content_type,
        mode=WRITE_MODE_REPLACE,
        **write_details(**details),
    )


def appending(name: str, value: Value, **details: Unpack[WriteDetails]) -> WriteRequest:
    """Return a request that adds to the body; text and bytes take the slot's type, and an absent slot's from themselves."""
    body, _ = values.encode(value, details.get("content_type"))
    return WriteRequest(
        name=encode.text(name, "name"),
        body=body,
        content_type=details.get("content_type") or "",
        mode=WRITE_MODE_APPEND,
        **write_details(**details),
    )


def patching(name: str, changes: JsonValue | bytes, **details: Unpack[WriteDetails]) -> WriteRequest:
    """Return a request that patches the body."""
    body = changes if isinstance(changes, bytes) else values.encode_json(changes)
    return WriteRequest(
        name=encode.text(name, "name"),
        body=body,
        content_type=details.get("content_type") or "",
        mode=WRITE_MODE_MERGE_PATCH,
        **write_details(**details),
    )


def write_details(
    *,
    content_type: str | None = None,  # noqa: ARG001 - belongs to the body
    description: str | None = None,
    task_type: str | None = None,
    tags: Iterable[str] | None = None,
    attributes: Mapping[str, AttributeValue] | None = None,
    importance: float | None = None,
    pinned: bool | None = None,
    origin: Origin | str | None = None,
    vector: Iterable[float] | None = None,
    summary: str | None = None,
    ttl: Ttl = None,
    expire_time: datetime | None = None,
    if_absent: bool | None = None,
    if_revision: int | None = None,
) -> dict[str, Any]:
    return {
        "tags": encode.strings(tags or (), "tags"),
        "attributes": encode.attributes(attributes or {}),
        **encode.given(
            description=description,
            task_type=task_type,
            importance=importance,
            pinned=pinned,
            origin=origin,
            summary=summary,
            vector=None if vector is None else encode.vector(vector, "vector"),
        ),
        **encode.expiry(ttl, expire_time),
        **encode.precondition(if_absent=bool(if_absent), if_revision=if_revision),
    }


def _write(at: Binding, request: WriteRequest, request_id: str | None, timeout: Seconds | None) -> Steps[Receipt]:
    request.namespace, request.request_id = at.namespace, request_id or new_request_id()
    receipt: Receipt = yield from mutate(at, Pending(methods.WRITE, request.request_id, request, _receipt), timeout)
    return receipt


def _receipt(reply: WriteResponse) -> Receipt:
    return decode.receipt(reply.receipt)
