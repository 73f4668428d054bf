"""Mutations: one request id for each logical call, kept over every repeat of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from google.protobuf.message import Message

from memslot._core.binding import Binding, metadata_of, timeout_of
from memslot._core.methods import Method, ReplyT
from memslot._core.steps import Ask, Steps
from memslot.errors import ClientClosed, MemslotError, OutcomeUnknown
from memslot.expiry import Seconds

T = TypeVar("T")
_UNSETTLED_CODES = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL", "DATA_LOSS"})


@dataclass(frozen=True, slots=True)
class Pending:
    """A mutation as it was sent, so that it can be repeated under the same request id."""

    method: Method[Any]
    request_id: str
    request: Message = field(repr=False)
    parse: Callable[[Any], Any] = field(repr=False)


def new_request_id() -> str:
    """Return a fresh UUID."""
    return str(uuid.uuid4())


def ask(at: Binding, method: Method[ReplyT], request: Message, timeout: Seconds | None) -> Steps[ReplyT]:
    """Call an RPC that changes nothing."""
    reply: ReplyT = yield Ask(method, request, metadata_of(at.session), timeout_of(at.session, timeout))
    return reply


def mutate(at: Binding, pending: Pending, timeout: Seconds | None) -> Steps[Any]:
    """Call a mutation. Raises OutcomeUnknown when no answer says whether it happened; any error names the request id."""
    try:
        reply = yield from ask(at, pending.method, pending.request, timeout)
    except MemslotError as error:
        error.pending = pending
        if _unsettled(error):
            raise _unknown(error, pending) from error
        raise
    return pending.parse(reply)


def retry(at: Binding, error: MemslotError, *, timeout: Seconds | None = None) -> Steps[Any]:
    """Repeat the mutation that ``error`` is about, under its request id, and return what the first call would have returned.

    If the mutation had happened, the first answer is returned and nothing changes; this holds for ten minutes. Raises as the
    first call, OutcomeUnknown again when there is still no answer, and ValueError when ``error`` is not about a mutation.
    """
    pending = getattr(error, "pending", None)  # which other exceptions do not have
    if pending is None:
        raise ValueError("the error is not about a mutation: call the method again")
    return (yield from mutate(at, pending, timeout))


def _unsettled(error: MemslotError) -> bool:
    """The server's own words are an answer; what gRPC says by itself may stand for a reply that was lost."""
    silent = error._sent if isinstance(error, ClientClosed) else not error.reason
    return silent and error.code in _UNSETTLED_CODES


def _unknown(error: MemslotError, pending: Pending) -> OutcomeUnknown:
    unknown = OutcomeUnknown(
        f"{pending.method.name} may have happened or not ({error.message or error.code}): "
        f"memory.retry(error) settles it under request id {pending.request_id}",
        code=error.code,
        metadata=error.metadata,
    )
    unknown.pending = pending
    return unknown
