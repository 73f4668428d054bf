"""Lookup: request to command, and a page to a reply that fits its byte budget."""

from __future__ import annotations

from itertools import accumulate

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.budget import reply_budget
from memslot_sidecar.operations.commands import LookupCommand
from memslot_sidecar.operations.lookup import LookupResult
from memslot_sidecar.services.enums import ORDERS, WITH_INFO, known
from memslot_sidecar.services.filter_parsing import parse_filter
from memslot_sidecar.services.slot_messages import Clocked

_FRAME_BYTES = 5
"""Tag and length of a repeated message of less than 4 MB."""
_REST_BYTES = 48
"""The fields of a reply beside slots and token, and the token's own tag and length."""


def lookup_command(request: pb.LookupRequest) -> LookupCommand:
    """The command of a lookup. Raises InvalidField, InvalidFilter, UnknownField."""
    if request.max_bytes < 0:
        raise InvalidField(
            "max_bytes is negative: give a positive budget, or 0 for the largest reply", field="max_bytes"
        )
    return LookupCommand(
        namespace=request.namespace,
        name_prefix=request.name_prefix,
        filter=parse_filter(request.filter) if request.HasField("filter") else None,
        recursive=request.recursive,
        with_info=known(WITH_INFO, request.view, "view"),
        order=known(ORDERS, request.order_by, "order_by"),
        reverse=request.reverse,
        page_size=request.page_size,
        page_token=request.page_token,
        total=request.total,
    )


def lookup_reply(request: pb.LookupRequest, found: LookupResult, clocked: Clocked) -> pb.LookupResponse:
    """The reply with as many slots of the page as fit into ``max_bytes``, but at least one."""
    slots = _slots(request, found, clocked)
    kept, token = len(slots), found.next_page_token
    budget = reply_budget(request.max_bytes) - _REST_BYTES
    sizes = list(accumulate(slot.ByteSize() + _FRAME_BYTES for slot in slots))
    while kept > 1 and sizes[kept - 1] + len(token) > budget:
        kept -= 1
        token = found.token_after(kept - 1)
    return pb.LookupResponse(
        slots=slots[:kept],
        next_page_token=token,
        total=found.total,
        total_is_lower_bound=found.total_is_lower_bound,
        revision=found.revision,
    )


def _slots(request: pb.LookupRequest, found: LookupResult, clocked: Clocked) -> list[slot_pb2.SlotInfo]:
    if WITH_INFO[request.view]:
        return [clocked.info(item.record) for item in found.items if item.record is not None]
    if request.recursive:
        return [slot_pb2.SlotInfo(namespace=item.namespace, name=item.name) for item in found.items]
    return [slot_pb2.SlotInfo(name=item.name) for item in found.items]
