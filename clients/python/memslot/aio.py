"""The client for asyncio: the same methods as :class:`memslot.Memory`, to be awaited (or iterated with ``async for``)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memslot._core import (
    accounting,
    acting,
    admin,
    carding,
    diagnosing,
    injecting,
    inspecting,
    many,
    naming,
    pending,
    raw,
    reindexing,
    searching,
    slots,
    updating,
    writing,
)
from memslot._core.binding import Binding, Said, Session, TraceSource, in_turn, seconds
from memslot._core.drive import AsyncTransport
from memslot._core.face import async_iterator, async_method, async_scope
from memslot._transport.channel import MESSAGE_LIMIT_BYTES, channel_config, namespace_of
from memslot._transport.security import Security, Tls, Token
from memslot.client import DEFAULT_TIMEOUT_S
from memslot.expiry import Seconds
from memslot.tasks import RETAIN_FAILED_S, AsyncTask, wanted

if TYPE_CHECKING:
    from typing_extensions import Self

    from memslot.batch_run_aio import run_batch
    from memslot.in_process_aio import EmbeddedMemory, embedded

__all__ = ["EmbeddedMemory", "Memory", "Namespaces", "connect", "embedded", "run_batch"]


def __getattr__(name: str) -> object:
    if name in ("EmbeddedMemory", "embedded"):
        from memslot import in_process_aio  # noqa: PLC0415 - stands on this module

        found: object = getattr(in_process_aio, name)
        return found
    if name == "run_batch":
        from memslot.batch_run_aio import run_batch  # noqa: PLC0415 - only where a batch is run

        return run_batch
    raise AttributeError(f"module 'memslot.aio' has no attribute {name!r}")


class Namespaces:
    """The calls about namespaces, as ``memory.namespaces``."""

    def __init__(self, binding: Binding, transport: AsyncTransport) -> None:
        self._binding = binding
        self._transport = transport

    update = async_method(naming.update)
    get = async_method(naming.get)
    list = async_iterator(naming.listing)
    delete = async_method(naming.delete)


class Memory:
    """Slots of one namespace. Belongs to the event loop of its first call; close it, or use it as an async context manager."""

    def __init__(self, binding: Binding, transport: AsyncTransport) -> None:
        self._binding = binding
        self._transport = transport

    write = async_method(writing.write)
    append = async_method(writing.append)
    patch = async_method(writing.patch)
    update = async_method(updating.update)
    update_info = async_method(slots.update_info)
    read = async_method(slots.read)
    read_if_changed = async_method(slots.read_if_changed)
    read_many = async_method(many.read_many)
    summary = async_method(slots.summary)
    describe = async_method(slots.describe)
    describe_many = async_method(many.describe_many)
    lookup = async_iterator(many.lookup)
    lookup_page = async_method(many.lookup_page)
    search = async_method(searching.search)
    act = async_method(acting.act)
    prompt_card = async_method(carding.prompt_card)
    tool_schemas = async_method(carding.tool_schemas)
    inject = async_method(injecting.inject)
    injected = async_scope(injecting.injected)
    scrub = async_method(injecting.scrub)
    inspect_prompt = async_method(inspecting.inspect_prompt)
    forget = async_method(slots.forget)
    forget_matching = async_method(many.forget_matching)
    commit = async_method(many.commit)
    versions = async_method(slots.versions)
    read_version = async_method(slots.read_version)
    retry = async_method(pending.retry)
    call = async_method(raw.call)
    server_info = async_method(admin.server_info)
    stats = async_method(admin.stats)
    backup = async_method(admin.backup)
    check = async_method(admin.check)
    reindex = async_method(reindexing.reindex)
    record_turn = async_method(accounting.record_turn)
    token_report = async_method(accounting.token_report)
    diagnose = async_method(diagnosing.diagnose)

    @property
    def namespaces(self) -> Namespaces:
        """The calls about namespaces: update, get, list, delete."""
        return Namespaces(self._binding, self._transport)

    @property
    def namespace_path(self) -> str:
        """The namespace that calls are about."""
        return self._binding.namespace

    def namespace(self, path: str) -> Self:
        """Return a client for another namespace (a whole path) on the same connection; closing either closes both."""
        bound = type(self).__new__(type(self))
        bound.__dict__.update(self.__dict__, _binding=Binding(self._binding.session, path))
        return bound

    def turn(self, turn: str, *, traceparent: TraceSource = None) -> AbstractContextManager[None]:
        """Within ``with memory.turn("7"):`` the audit tells calls of this thread or task as of that turn, and of that W3C trace."""
        return in_turn(self._binding.session, turn, traceparent)

    def task(
        self,
        task_id: str,
        *,
        attempt: int | None = None,
        carry_over: Iterable[str] = (),
        retain: Seconds = 0.0,
        retain_failed: Seconds = RETAIN_FAILED_S,
        timeout: Seconds | None = None,
    ) -> AsyncTask:
        """An attempt at a task, with a memory of its own: ``with memory.task("job-17") as task`` (asyncio: ``async with``), then ``task.memory``.

        ``task_id`` is any text. Without ``attempt`` it is the one after the last. Beginning it seals the attempt before: its slots in
        ``carry_over`` (at most 128) move here, the rest is forgotten, and whoever still writes there gets StaleAttempt. When the block ends,
        what ``task.promote`` named moves to this namespace, and the rest is forgotten after ``retain`` seconds; when it raises, the
        attempt has failed, and all of it is kept for ``retain_failed`` seconds, to be looked at or carried over.

        Entering raises StaleAttempt (a later attempt has begun, or this one has ended), InvalidName, InvalidField, OutcomeUnknown.
        """
        asked = wanted(
            task_id,
            attempt=attempt,
            carry_over=carry_over,
            retain=retain,
            retain_failed=retain_failed,
            timeout=timeout,
        )
        return AsyncTask(self, self._binding, self._transport, asked)

    async def close(self) -> None:
        """Close the connection, for each client on it; idempotent. From then on calls raise ClientClosed.

        So do calls that were under way, but a mutation that was sent raises OutcomeUnknown. An embedded store finishes them instead.
        """
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.namespace_path!r}>"


def connect(
    target: str | None = None,
    *,
    namespace: str | None = None,
    timeout: Seconds = DEFAULT_TIMEOUT_S,
    wait_for_ready: bool = False,
    message_limit_bytes: int = MESSAGE_LIMIT_BYTES,
    agent: str = "",
    conversation: str = "",
    turn: str = "",
    traceparent: TraceSource = None,
    token: Token = None,
    tls: Tls = None,
) -> Memory:
    """Return a client of the sidecar at ``target``; nothing is connected before the first call. Arguments and errors as in :func:`memslot.connect`."""
    from memslot._transport.grpc_aio import GrpcAioTransport  # noqa: PLC0415 - grpc is slow to import and the embedded store has no use for it

    config = channel_config(target, message_limit_bytes, wait_for_ready, Security(token, tls))
    session = Session(Said(agent, conversation, turn, traceparent), seconds(timeout))
    return Memory(Binding(session, namespace_of(namespace)), GrpcAioTransport(config))
