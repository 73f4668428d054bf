"""A store in this process: the same object as ``connect`` gives, without a server."""

from __future__ import annotations

import os
from typing import Any

from memslot._core.binding import Binding, Said, Session, TraceSource, seconds
from memslot._core.face import method
from memslot._core.snapshot import snapshot
from memslot._transport.channel import namespace_of
from memslot._transport.embedded import EmbeddedTransport, sidecar_for
from memslot.client import DEFAULT_TIMEOUT_S, Memory
from memslot.expiry import Seconds


class EmbeddedMemory(Memory):
    """Slots of one namespace of a store in this process; otherwise as :class:`memslot.Memory`."""

    _transport: EmbeddedTransport

    def __init__(self, binding: Binding, transport: EmbeddedTransport) -> None:
        super().__init__(binding, transport)

    snapshot = method(snapshot)

    def audit_events(self) -> list[dict[str, Any]]:
        """Return the audit events that the store has written, oldest first: of a store in RAM the last ones, else those in its file."""
        return self._transport.audit_events()


def embedded(
    path: str | os.PathLike[str] | None = None,
    *,
    namespace: str | None = None,
    timeout: Seconds = DEFAULT_TIMEOUT_S,
    agent: str = "",
    conversation: str = "",
    turn: str = "",
    traceparent: TraceSource = None,
    settings: dict[str, Any] | None = None,
) -> EmbeddedMemory:
    """Open the store in the directory ``path`` in this process, or, without a path, a new one in RAM. Close it when done.

    One process at a time may have a directory open, sidecars included. Audit events go to ``audit.jsonl`` in it, or stay in RAM.
    ``settings`` are fields of ``memslot_sidecar.config.Config``, such as ``{"slot_limit": 1000}``; the other arguments are those of
    :func:`memslot.connect`.

    Raises ImportError without the sidecar's packages (``pip install 'memslot[sidecar]'``), DataDirInUse when another process has the
    directory open, and StartFailed when its store cannot be read or a setting is wrong.
    """
    session = Session(Said(agent, conversation, turn, traceparent), seconds(timeout))
    transport = EmbeddedTransport(sidecar_for(path, settings or {}))
    return EmbeddedMemory(Binding(session, namespace_of(namespace)), transport)
