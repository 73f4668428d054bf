"""One slot: read, describe, forget, update its information, and its versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import Pending, ask, mutate, new_request_id
from memslot._core.steps import Steps
from memslot.enums import Origin
from memslot.expiry import Seconds, Ttl
from memslot.results import AttributeValue, Receipt, Slot, SlotInfo, Summary, VersionInfo
from memslot.v1 import slot_pb2
from memslot.v1.slot_service_pb2 import (
    READ_VIEW_SUMMARY,
    DescribeRequest,
    ForgetRequest,
    ForgetResponse,
    ListVersionsRequest,
    ReadRequest,
    ReadVersionRequest,
    UpdateInfoRequest,
    UpdateInfoResponse,
)

_VERSIONS_PAGE = 1000


def read(at: Binding, name: str, *, timeout: Seconds | None = None) -> Steps[Slot]:
    """Return a slot with its body, which counts as an access. ``timeout`` in seconds.

    Raises SlotNotFound (also for an expired slot), InvalidName.
    """
    reply = yield from ask(
        at, methods.READ, ReadRequest(namespace=at.namespace, name=encode.text(name, "name")), timeout
    )
    return decode.slot(reply.slot)


def read_if_changed(at: Binding, name: str, revision: int, *, timeout: Seconds | None = None) -> Steps[Slot | None]:
    """Return a slot unless it is still at ``revision``, then None: a cheap poll. Raises as ``read``."""
    request = ReadRequest(namespace=at.namespace, name=encode.text(name, "name"), if_revision_not=revision)
    reply = yield from ask(at, methods.READ, request, timeout)
    return None if reply.not_modified else decode.slot(reply.slot)


def summary(at: Binding, name: str, *, timeout: Seconds | None = None) -> Steps[Summary | None]:
    """Return a summary of a slot's body, which is no access; a text that is no longer than a summary stands for itself.

    None for a body that is no text. Raises as ``read``.
    """
    request = ReadRequest(namespace=at.namespace, name=encode.text(name, "name"), view=READ_VIEW_SUMMARY)
    reply = yield from ask(at, methods.READ, request, timeout)
    return decode.summary(reply.summary) if reply.HasField("summary") else None


def describe(at: Binding, name: str, *, summaries: bool = False, timeout: Seconds | None = None) -> Steps[SlotInfo]:
    """Return everything about a slot but its body; this is no access.

    With ``summaries`` ``info.summary`` is there if it is at hand. Raises SlotNotFound, InvalidName.
    """
    request = DescribeRequest(namespace=at.namespace, names=[encode.text(name, "name")], summaries=summaries)
    reply = yield from ask(at, methods.DESCRIBE, request, timeout)
    (result,) = reply.results
    if not result.HasField("info"):
        raise decode.status_error(result.status)
    return decode.described(result)


def forget(
    at: Binding,
    name: str,
    *,
    if_revision: int | None = None,
    erase: bool = False,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Receipt]:
    """Remove a slot with its versions. Forgetting what is not there is the outcome ABSENT, no error.

    With ``erase`` this returns when the bytes of the body are in no file of the store (backups aside). Raises RevisionMismatch
    (``if_revision``), ErasePending (it is forgotten, and erasing goes on by itself), OutcomeUnknown.
    """
    request = forgetting(name, if_revision=if_revision, erase=erase)
    request.namespace, request.request_id = at.namespace, request_id or new_request_id()
    receipt: Receipt = yield from mutate(at, Pending(methods.FORGET, request.request_id, request, _receipt), timeout)
    return receipt


def forgetting(name: str, *, if_revision: int | None = None, erase: bool = False) -> ForgetRequest:
    """Return a request that forgets a slot."""
    return ForgetRequest(name=encode.text(name, "name"), erase=erase, **encode.precondition(if_revision=if_revision))


def update_info(
    at: Binding,
    name: str,
    *,
    content_type: str | None = None,
    description: str | None = None,
    task_type: str | None = None,
    tags: Iterable[str] | None = None,
    attributes: Mapping[str, AttributeValue] | None = None,
    importance: float | None = None,
    pinned: bool | None = None,
    origin: Origin | str | None = None,
    ttl: Ttl = None,
    expire_time: datetime | None = None,
    if_revision: int | None = None,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Receipt]:
    """Change what is known about a slot, or when it expires, without touching its body.

    What is left out (None) stays; an empty string, list or mapping clears. Tags and attributes are replaced as a whole. ``ttl`` is in
    seconds, a timedelta or ``memslot.NEVER``; ``expire_time`` needs a time zone. Raises SlotNotFound, RevisionMismatch
    (``if_revision``), InvalidField, OutcomeUnknown.
    """
    said = encode.given(
        content_type=content_type,
        description=description,
        task_type=task_type,
        tags=None if tags is None else encode.strings(tags, "tags"),
        attributes=None if attributes is None else encode.attributes(attributes),
        importance=importance,
        pinned=pinned,
        origin=origin,
    )
    request = UpdateInfoRequest(
        namespace=at.namespace,
        name=encode.text(name, "name"),
        info=slot_pb2.SlotInfo(**said),
        request_id=request_id or new_request_id(),
        **encode.expiry(ttl, expire_time),
        **encode.precondition(if_revision=if_revision),
    )
    request.update_mask.paths.extend(said)
    receipt: Receipt = yield from mutate(
        at, Pending(methods.UPDATE_INFO, request.request_id, request, _receipt), timeout
    )
    return receipt


def versions(at: Binding, name: str, *, timeout: Seconds | None = None) -> Steps[list[VersionInfo]]:
    """Return the versions that the namespace keeps of a slot, newest first, the current one included. Raises SlotNotFound."""
    found: list[VersionInfo] = []
    request = ListVersionsRequest(namespace=at.namespace, name=encode.text(name, "name"), page_size=_VERSIONS_PAGE)
    while True:
        reply = yield from ask(at, methods.LIST_VERSIONS, request, timeout)
        found.extend(map(decode.version, reply.versions))
        if not reply.next_page_token:
            return found
        request.page_token = reply.next_page_token


def read_version(at: Binding, name: str, revision: int, *, timeout: Seconds | None = None) -> Steps[Slot]:
    """Return the version of a slot that ``revision`` made, with its body. Tags, attributes and counters are those of today.

    Raises SlotNotFound, VersionNotFound.
    """
    request = ReadVersionRequest(namespace=at.namespace, name=encode.text(name, "name"), version_revision=revision)
    reply = yield from ask(at, methods.READ_VERSION, request, timeout)
    return decode.slot(reply.slot)


def _receipt(reply: ForgetResponse | UpdateInfoResponse | Any) -> Receipt:
    return decode.receipt(reply.receipt)
