"""From what gRPC raises to the client's exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError

from memslot._core.decode import status_error
from memslot._core.reasons import error_for
from memslot._google_rpc import status_pb2
from memslot.errors import MemslotError, Unreachable

DETAILS_KEY = "grpc-status-details-bin"
_TIMERS_DIFFER_S = 0.05
_NOT_SENT = "Sent message larger than max"
"""What gRPC says by itself, with both sizes behind it."""


def rpc_error(
    code: str, message: str | None, trailers: Iterable[tuple[str, Any]] | None, *, waited_s: float | None = None
) -> MemslotError:
    """Return the exception for a failed RPC: from the status in its trailers, else from its code alone.

    ``waited_s`` is the timeout of the call, where it is over.
    """
    for key, value in trailers or ():
        if key == DETAILS_KEY:
            try:
                return status_error(status_pb2.Status.FromString(value))
            except DecodeError:
                break
    if code == "DEADLINE_EXCEEDED" and waited_s is not None:
        return error_for(no_answer(waited_s), reason="", code=code)
    told = message or ""
    if code == "RESOURCE_EXHAUSTED" and _NOT_SENT in told:
        told += ": split it, a body has 3,900,000 bytes at most"
    return error_for(told, reason="", code=code)


def over(timeout_s: float | None, left_s: float) -> float | None:
    """Return the timeout, where it is over but for what timers differ by: before, a deadline is another's, such as a proxy's."""
    return timeout_s if timeout_s is not None and left_s < _TIMERS_DIFFER_S else None


def no_answer(timeout_s: float) -> str:
    """Return what is told of a call to which no answer came in time."""
    seconds = f"{timeout_s:.3f}".rstrip("0").rstrip(".")
    return f"no answer within {seconds} s: raise timeout of the call or of the client"


def unreachable(target: str, why: str) -> Unreachable:
    """Return the exception for a sidecar to which no connection was made."""
    return Unreachable(f"no memslot sidecar answers at {target} ({why}): is `memslot serve` running there?")
