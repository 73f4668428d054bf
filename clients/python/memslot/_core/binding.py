"""What holds for all calls of a client: its namespace, who asks, and how long to wait."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta

from memslot._core.steps import Metadata
from memslot.expiry import Seconds

METADATA_LIMIT_BYTES = 4096
TraceSource = str | Callable[[], str | None] | None


@dataclass(frozen=True, slots=True)
class Said:
    """Who asks, as the audit shall tell it: recorded as said, never believed."""

    agent: str = ""
    conversation: str = ""
    turn: str = ""
    traceparent: TraceSource = None


@dataclass(frozen=True, eq=False, slots=True)
class Session:
    """What all clients of one connection share. Compared by identity."""

    said: Said = field(default_factory=Said)
    timeout_s: float | None = 10.0


@dataclass(frozen=True, slots=True)
class Binding:
    """A session with the namespace that calls are about."""

    session: Session
    namespace: str


_TURNS: ContextVar[Mapping[Session, tuple[str, TraceSource]]] = ContextVar("memslot_turns", default={})  # noqa: B039 - never mutated


@contextmanager
def in_turn(session: Session, turn: str, traceparent: TraceSource) -> Iterator[None]:
    """Calls of this session in this thread or task belong to ``turn`` until the context ends."""
    token = _TURNS.set({**_TURNS.get(), session: (turn, traceparent)})
    try:
        yield
    finally:
        _TURNS.reset(token)


def metadata_of(session: Session) -> Metadata:
    """Return what to send beside a request. Raises ValueError above 4096 bytes, of which servers may take no notice."""
    turn, trace = _TURNS.get().get(session, (session.said.turn, None))
    source = trace if trace is not None else session.said.traceparent
    traceparent = source() if callable(source) else source
    pairs = (
        ("memslot-agent", session.said.agent),
        ("memslot-conversation", session.said.conversation),
        ("memslot-turn", turn),
        ("traceparent", traceparent or ""),
    )
    metadata = tuple(_entry(key, value) for key, value in pairs if value)
    size = sum(len(key) + len(value) for key, value in metadata)
    if size > METADATA_LIMIT_BYTES:
        raise ValueError(
            f"agent, conversation, turn and traceparent take {size} bytes, at most {METADATA_LIMIT_BYTES} are sent"
        )
    return metadata


def timeout_of(session: Session, timeout: Seconds | None) -> float | None:
    """Return a call's timeout in seconds: its own, else the session's; None for no bound (``math.inf``)."""
    return session.timeout_s if timeout is None else seconds(timeout)


def seconds(timeout: Seconds) -> float | None:
    """Return a timeout as seconds, None for infinity. Raises ValueError unless it is positive."""
    value = timeout.total_seconds() if isinstance(timeout, timedelta) else float(timeout)
    if not value > 0:
        raise ValueError("a timeout must be positive; math.inf waits without bound")
    return None if math.isinf(value) else value


def _entry(key: str, value: str) -> tuple[str, str | bytes]:
    """gRPC carries only printable ASCII as text; anything else goes as UTF-8 under the ``-bin`` key."""
    if value.isascii() and value.isprintable() and value == value.strip():
        return key, value
    return f"{key}-bin", value.encode()
