"""One audit event and one count a call, however it ends; and no exception but MemslotError leaves this layer."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Protocol

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InternalError, MemslotError, grpc_code
from memslot_sidecar.explaining import explained
from memslot_sidecar.interceptors.counts import CallCounts

Handler = Callable[[Any, Call], Awaitable[Any]]
Decode = Callable[[Any, Call], Any]
Encode = Callable[[Any], Any]
StreamHandler = Callable[[Any, Call], AsyncGenerator[Any, None]]

_CLOCK_SLACK_S = 0.05
"""The caller's clock for the deadline started before ours, so that its cancellation may come first."""

_log = logging.getLogger(__name__)


class Audit(Protocol):
    """What this layer needs of the audit log."""

    def admit(self) -> Awaitable[None] | None:
        """What is to be waited for while the log cannot take another event and may drop none; None where it can."""

    def finished(self, call: Call, code: str) -> None:
        """Takes the event of a call that was answered with a gRPC code; never blocks."""


def audited(
    method: str,
    handler: Handler,
    audit: Audit,
    counts: CallCounts,
    decode: Decode | None = None,
    encode: Encode | None = None,
) -> Handler:
    """Wraps a unary handler; ``method`` is ``Service/Method``. ``decode`` makes its request and ``encode`` the reply, where they have
    another form outside; what these raise is audited too."""

    def finish(call: Call, code: str) -> None:
        audit.finished(call, code)
        counts.add(method, code)

    async def run(request: Any, call: Call) -> Any:
        try:
            if (room := audit.admit()) is not None:
                await room
            reply = await handler(request if decode is None else decode(request, call), call)
            if encode is not None:
                reply = encode(reply)
        except MemslotError as error:
            finish(call, grpc_code(error))
            raise
        except asyncio.CancelledError:
            finish(call, gave_up(call))
            raise
        except Exception as error:
            finish(call, "INTERNAL")
            raise unforeseen(method, call, error) from None
        finish(call, "OK")
        return reply

    return run


def audited_stream(method: str, handler: StreamHandler, audit: Audit, counts: CallCounts) -> StreamHandler:
    """Wraps a handler whose replies are a stream; the event is of the whole stream."""

    async def run(request: Any, call: Call) -> AsyncGenerator[Any, None]:
        code = "CANCELLED"
        try:
            if (room := audit.admit()) is not None:
                await room
            async with aclosing(handler(request, call)) as replies:
                async for reply in replies:
                    yield reply
            code = "OK"
        except MemslotError as error:
            code = grpc_code(error)
            raise
        except asyncio.CancelledError:
            code = gave_up(call)
            raise
        except Exception as error:
            code = "INTERNAL"
            raise unforeseen(method, call, error) from None
        finally:
            audit.finished(call, code)
            counts.add(method, code)

    return run


def gave_up(call: Call) -> str:
    """Why a call was cancelled: its deadline passed, or the caller went away."""
    if call.deadline_s is None or time.monotonic() + _CLOCK_SLACK_S < call.deadline_s:
        return "CANCELLED"
    return "DEADLINE_EXCEEDED"


def unforeseen(method: str, call: Call, error: Exception) -> InternalError:
    """Logs an exception under a new id, and makes the error that tells the id and nothing else."""
    error_id = uuid.uuid4().hex[:16]
    _log.error("error_id=%s: %s failed (event_id=%s): %s", error_id, method, call.event_id, explained(error))
    return InternalError(
        f"something unforeseen went wrong; the server's log tells what it was under error id {error_id}",
        metadata={"error_id": error_id},
    )
