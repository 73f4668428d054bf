"""Lookup: request to command, and a page to a reply that fits its byte budget."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.budget import reply_budget
from memslot_sidecar.operations.commands import LookupCommand
from memslot_sidecar.operations.lookup import LookupResult
from memslot_sidecar.services.enums import ORDERS, WITH_INFO, known
from memslot_sidecar.services.filter_parsing import parse_filter
from memslot_sidecar.services.slot_messages import Clocked
from memslot_sidecar.stores.base import Item

_PAGES = 256
_ITEMS_A_PAGE = 200
"""Larger pages are seldom asked for again, and a thousand names each would take much memory."""
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


class NamesMemo:
    """Serialised pages of names, remembered as long as the store hands out the very same page."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, tuple[Sequence[Item], bytes]] = OrderedDict()

    def slots(self, items: Sequence[Item]) -> bytes:
        """The page's ``slots`` as they stand in a serialised reply, to which further fields may be joined."""
        found = self._pages.get(id(items))
        if found is not None and found[0] is items:
            return found[1]
        reply = pb.LookupResponse()
        add = reply.slots.add
        for item in items:
            add().name = item.name
        encoded = reply.SerializeToString()
        if len(items) <= _ITEMS_A_PAGE:
            self._pages[id(items)] = (items, encoded)
        if len(self._pages) > _PAGES:
            self._pages.popitem(last=False)
        return encoded


def names_reply(found: LookupResult, memo: NamesMemo) -> bytes:
    """The serialised reply of a lookup of names in one namespace. A thousand names are far below what a reply may hold."""
    rest = pb.LookupResponse(
        next_page_token=found.next_page_token,
        total=found.total,
        total_is_lower_bound=found.total_is_lower_bound,
        revision=found.revision,
    )
    return memo.slots(found.items) + rest.SerializeToString()


def lookup_reply(request: pb.LookupRequest, found: LookupResult, clocked: Clocked) -> pb.LookupResponse:
    """The reply with as many slots of the page as fit into ``max_bytes``, but at least one."""
    reply = pb.LookupResponse(
        next_page_token=found.next_page_token,
        total=found.total,
        total_is_lower_bound=found.total_is_lower_bound,
        revision=found.revision,
    )
    _fill(reply, request, found, clocked)
    if reply.ByteSize() > (budget := reply_budget(request.max_bytes)):
        _cut(reply, found, budget - _REST_BYTES)
    return reply


def _fill(reply: pb.LookupResponse, request: pb.LookupRequest, found: LookupResult, clocked: Clocked) -> None:
    add = reply.slots.add
    if WITH_INFO[request.view]:
        for item in found.items:
            assert item.record is not None
            clocked.fill_info(add(), item.record)
        return
    for item in found.items:
        info = add()
        info.name = item.name
        if request.recursive:
            info.namespace = item.namespace


def _cut(reply: pb.LookupResponse, found: LookupResult, budget: int) -> None:
    """Drops slots from the end until the rest and the token after it fit."""
    sizes = list(accumulate(slot.ByteSize() + _FRAME_BYTES for slot in reply.slots))
    kept, token = len(sizes), reply.next_page_token
    while kept > 1 and sizes[kept - 1] + len(token) > budget:
        kept -= 1
        token = found.token_after(kept - 1)
    del reply.slots[kept:]
    reply.next_page_token = token
