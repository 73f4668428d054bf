"""A call arrives: who asks, on whose behalf, and until when, from its metadata."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable

from memslot_sidecar.call import Call
from memslot_sidecar.said import SAID_LIMIT_BYTES, said

_SAID = {"memslot-agent": "agent", "memslot-conversation": "conversation", "memslot-turn": "turn"}
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_NO_TRACE = "0" * 32

Metadata = Iterable[tuple[str, str | bytes]]


def arrive(operation: str, metadata: Metadata, remaining_s: float | None = None) -> Call:
    """The call of a method's short name; ``remaining_s`` is how long the caller will wait.

    What is no printable ASCII comes as UTF-8 under the key with ``-bin``. Metadata that makes no sense is left out, never refused: it is only recorded.
    """
    call = Call(operation, started_ms=time.time_ns() // 1_000_000)
    if remaining_s is not None:
        call.deadline_s = time.monotonic() + remaining_s
    for key, value in metadata:
        if field := _SAID.get(key.removesuffix("-bin")):
            setattr(call, field, said(value))
        elif key == "traceparent":
            call.trace_id = _trace_id(value)
    return call


def _trace_id(value: str | bytes) -> str:
    """The trace id of a W3C traceparent; empty when it is none."""
    match = _TRACEPARENT.fullmatch(value) if isinstance(value, str) and len(value) <= SAID_LIMIT_BYTES else None
    if match is None or value[:2] == "ff" or match[1] == _NO_TRACE:
        return ""
    return match[1]
