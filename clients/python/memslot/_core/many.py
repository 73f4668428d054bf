"""Many slots: look up, describe and read several, forget what matches, commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import Pending, ask, mutate, new_request_id
from memslot._core.steps import Emit, Flow, Steps
from memslot.enums import Order
from memslot.errors import ReplyBudget, SlotNotFound
from memslot.expiry import Seconds
from memslot.results import Committed, Entry, Forgotten, LookupPage, Slot, SlotInfo
from memslot.v1.slot_service_pb2 import (
    LOOKUP_VIEW_INFO,
    LOOKUP_VIEW_NAMES,
    BatchReadRequest,
    BatchReadResult,
    CommitRequest,
    CommitResponse,
    DescribeRequest,
    DescribeResult,
    ForgetMatchingRequest,
    ForgetMatchingResponse,
    LookupOrder,
    LookupRequest,
    LookupResponse,
)

if TYPE_CHECKING:
    from memslot.batch import Batch
    from memslot.where import Condition

T = TypeVar("T")
NAMES_LIMIT = 1000


def lookup(
    at: Binding,
    prefix: str = "",
    *,
    where: Condition | None = None,
    recursive: bool = False,
    info: bool = False,
    order: Order | str = Order.RANK,
    reverse: bool = False,
    page_size: int = 0,
    limit: int | None = None,
    timeout: Seconds | None = None,
) -> Flow[Entry]:
    """Iterate over the slots whose names start with ``prefix`` and for which ``where`` holds, without their bodies.

    ``recursive`` looks in the namespaces below too; ``info`` brings everything but the body. ``limit`` bounds how many are yielded,
    ``page_size`` how many come with one call (0: 50, at most 1000); ``timeout`` is for each call. In the orders NAME and CREATED each
    slot that lives throughout comes exactly once; in the others a slot that moves meanwhile may repeat or be missed.

    Raises InvalidName, InvalidFilter.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit is {limit}: ask for no fewer than 0 slots")
    left, token = limit, ""
    while left is None or left > 0:
        size = page_size if left is None or 0 < page_size <= left else min(left, NAMES_LIMIT)
        request = _lookup(at, prefix, where, recursive, info, order, reverse, size, token)
        reply = yield from ask(at, methods.LOOKUP, request, timeout)
        entries = _entries(at, reply, with_info=info)[:left]
        yield Emit(entries)
        left, token = left if left is None else left - len(entries), reply.next_page_token
        if not token:
            return


def lookup_page(
    at: Binding,
    prefix: str = "",
    *,
    where: Condition | None = None,
    recursive: bool = False,
    info: bool = False,
    order: Order | str = Order.RANK,
    reverse: bool = False,
    page_size: int = 0,
    page_token: str = "",
    max_bytes: int = 0,
    total: bool = False,
    timeout: Seconds | None = None,
) -> Steps[LookupPage]:
    """Return one page of a lookup, for whoever keeps the place. Arguments as in ``lookup``.

    ``page_token`` is the ``next_page_token`` of the page before, of the very same query. ``max_bytes`` bounds the reply (0: 4,000,000);
    ``total`` counts all matches, to 10,000. Raises InvalidName, InvalidFilter, InvalidPageToken, StoreReplaced.
    """
    request = _lookup(at, prefix, where, recursive, info, order, reverse, page_size, page_token)
    request.max_bytes, request.total = max_bytes, total
    reply = yield from ask(at, methods.LOOKUP, request, timeout)
    return LookupPage(
        entries=_entries(at, reply, with_info=info),
        next_page_token=reply.next_page_token,
        revision=reply.revision,
        total=reply.total if reply.HasField("total") else None,
        total_is_lower_bound=reply.total_is_lower_bound,
    )


def describe_many(
    at: Binding, names: Iterable[str], *, summaries: bool = False, timeout: Seconds | None = None
) -> Steps[dict[str, SlotInfo]]:
    """Return everything but the bodies of several slots, by name. Names of which there is no slot are left out.

    With ``summaries`` each ``info.summary`` is there that is at hand. ``timeout`` is for each call of up to 1000 names. Raises InvalidName.
    """
    found: dict[str, SlotInfo] = {}
    waiting, size = list(dict.fromkeys(encode.strings(names, "names"))), NAMES_LIMIT
    while waiting:
        portion = waiting[:size]
        request = DescribeRequest(namespace=at.namespace, names=portion, summaries=summaries)
        reply = yield from ask(at, methods.DESCRIBE, request, timeout)
        again = _sort(portion, reply.results, "info", decode.described, found)
        waiting, size = again + waiting[size:], _next_size(portion, again)
    return found


def read_many(at: Binding, names: Iterable[str], *, timeout: Seconds | None = None) -> Steps[dict[str, Slot]]:
    """Return several slots with their bodies, by name. Names of which there is no slot are left out.

    Makes as many calls as the size of the bodies takes; ``timeout`` is for each. Raises InvalidName.
    """
    found: dict[str, Slot] = {}
    waiting, size = list(dict.fromkeys(encode.strings(names, "names"))), NAMES_LIMIT
    while waiting:
        portion = waiting[:size]
        reply = yield from ask(at, methods.BATCH_READ, BatchReadRequest(namespace=at.namespace, names=portion), timeout)
        again = _sort(portion, reply.results, "slot", _slot, found)
        waiting, size = again + waiting[size:], _next_size(portion, again)
    return found


def forget_matching(
    at: Binding,
    where: Condition | None = None,
    *,
    everything: bool = False,
    recursive: bool = False,
    maximum: int = 0,
    allow_partial: bool = False,
    erase: bool = False,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Forgotten]:
    """Remove all slots for which ``where`` holds, or, with ``everything``, all slots.

    More matches than ``maximum`` (0: no bound) are TooManyMatches and nothing is forgotten, unless ``allow_partial``: then the lowest
    ranked go. ``erase`` as in ``forget``. Forgetting goes in portions of 500; a call that was cut short may be repeated. Raises
    TooManyMatches, InvalidFilter, ErasePending, OutcomeUnknown; ValueError unless exactly one of ``where`` and ``everything`` is given.
    """
    if (where is None) != everything:
        raise ValueError("say which slots to forget: either a condition or everything=True")
    request = ForgetMatchingRequest(
        namespace=at.namespace,
        filter=encode.condition(where),
        all=everything,
        recursive=recursive,
        max=maximum,
        allow_partial=allow_partial,
        erase=erase,
        request_id=request_id or new_request_id(),
    )
    forgotten: Forgotten = yield from mutate(
        at, Pending(methods.FORGET_MATCHING, request.request_id, request, _forgotten), timeout
    )
    return forgotten


def commit(
    at: Binding, batch: Batch, *, request_id: str | None = None, timeout: Seconds | None = None
) -> Steps[Committed]:
    """Apply the operations of a :class:`memslot.Batch` (up to 128) as one atomic transaction with one revision.

    Checks and preconditions see the state before; on failure nothing is changed, and ``error.metadata["op_index"]`` names the operation.
    Raises as ``write`` and ``forget``.
    """
    if not hasattr(batch, "operations"):
        raise TypeError(f"commit takes a memslot.Batch, not {type(batch).__name__}")
    request = CommitRequest(
        namespace=at.namespace, operations=batch.operations(), request_id=request_id or new_request_id()
    )
    committed: Committed = yield from mutate(
        at, Pending(methods.COMMIT, request.request_id, request, _committed), timeout
    )
    return committed


def _lookup(  # noqa: PLR0917 - the query's fields
    at: Binding,
    prefix: str,
    where: Condition | None,
    recursive: bool,
    info: bool,
    order: Order | str,
    reverse: bool,
    page_size: int,
    page_token: str,
) -> LookupRequest:
    return LookupRequest(
        namespace=at.namespace,
        name_prefix=prefix,
        filter=encode.condition(where),
        recursive=recursive,
        view=LOOKUP_VIEW_INFO if info else LOOKUP_VIEW_NAMES,
        order_by=LookupOrder.ValueType(encode.member(Order, order, "order")),
        reverse=reverse,
        page_size=page_size,
        page_token=page_token,
    )


def _entries(at: Binding, reply: LookupResponse, *, with_info: bool) -> list[Entry]:
    return [
        Entry(slot.name, slot.namespace or at.namespace, decode.slot_info(slot) if with_info else None)
        for slot in reply.slots
    ]


def _sort(
    names: Sequence[str],
    results: Iterable[DescribeResult | BatchReadResult],
    kind: str,
    parse: Any,
    found: dict[str, T],
) -> list[str]:
    """Put what came into ``found`` and return the names to ask for again. A name that was asked for alone had the whole reply to itself.

    Raises what is no answer.
    """
    again: list[str] = []
    for name, result in zip(names, results, strict=True):
        if result.WhichOneof("result") == kind:
            found[name] = parse(result)
            continue
        error = decode.status_error(result.status)
        if isinstance(error, ReplyBudget) and len(names) > 1:
            again.append(name)
        elif not isinstance(error, SlotNotFound):
            raise error
    return again


def _slot(result: BatchReadResult) -> Slot:
    return decode.slot(result.slot)


def _next_size(asked: Sequence[str], again: Sequence[str]) -> int:
    """How many names to ask for next: one, when the first is too large to come beside what is said of the others."""
    return 1 if len(again) == len(asked) else NAMES_LIMIT


def _forgotten(reply: ForgetMatchingResponse) -> Forgotten:
    return Forgotten(count=reply.forgotten, more_remain=reply.more_remain, revision=reply.revision)


def _committed(reply: CommitResponse) -> Committed:
    return Committed(receipts=[decode.receipt(result.receipt) for result in reply.results], revision=reply.revision)
