"""A store in this process and in the caller's event loop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memslot._core.binding import Binding, Said, Session, TraceSource, seconds
from memslot._core.face import async_method
from memslot._core.snapshot import snapshot
from memslot._transport.channel import namespace_of
from memslot._transport.embedded import AsyncEmbeddedTransport, sidecar_for
from memslot.aio import Memory
from memslot.client import DEFAULT_TIMEOUT_S
from memslot.expiry import Seconds

if TYPE_CHECKING:
    from typing_extensions import Self


class EmbeddedMemory(Memory):
    """Slots of one namespace of a store in this process; otherwise as :class:`memslot.aio.Memory`."""

    _transport: AsyncEmbeddedTransport

    def __init__(self, binding: Binding, transport: AsyncEmbeddedTransport) -> None:
        super().__init__(binding, transport)

    snapshot = async_method(snapshot)

    async def audit_events(self) -> list[dict[str, Any]]:
        """Return the audit events that the store has written, oldest first: of a store in RAM the last ones, else those in its file."""
        return await self._transport.audit_events()

    async def __aenter__(self) -> Self:
        await self._transport.start()
        return self


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
    """Return the store in the directory ``path``, or, without a path, a new one in RAM; it opens with ``async with`` or the first call.

    Arguments and errors as in :func:`memslot.embedded`.
    """
    session = Session(Said(agent, conversation, turn, traceparent), seconds(timeout))
    transport = AsyncEmbeddedTransport(sidecar_for(path, settings or {}))
    return EmbeddedMemory(Binding(session, namespace_of(namespace)), transport)
