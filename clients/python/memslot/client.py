"""The blocking client."""

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
from memslot._core.drive import Transport
from memslot._core.face import iterator, method, scope
from memslot._transport.channel import MESSAGE_LIMIT_BYTES, channel_config, namespace_of
from memslot._transport.security import Security, Tls, Token
from memslot.expiry import Seconds
from memslot.tasks import RETAIN_FAILED_S, Task, wanted

if TYPE_CHECKING:
    from typing_extensions import Self

DEFAULT_TIMEOUT_S = 10.0


class Namespaces:
    """The calls about namespaces, as ``memory.namespaces``."""

    def __init__(self, binding: Binding, transport: Transport) -> None:
        self._binding = binding
        self._transport = transport

    update = method(naming.update)
    get = method(naming.get)
    list = iterator(naming.listing)
    delete = method(naming.delete)


class Memory:
    """Slots of one namespace. May be used from any number of threads; close it, or use it as a context manager.

    After a fork use a client that was made in the child: gRPC channels do not survive a fork.
    """

    def __init__(self, binding: Binding, transport: Transport) -> None:
        self._binding = binding
        self._transport = transport

    write = method(writing.write)
    append = method(writing.append)
    patch = method(writing.patch)
    update = method(updating.update)
    update_info = method(slots.update_info)
    read = method(slots.read)
    read_if_changed = method(slots.read_if_changed)
    read_many = method(many.read_many)
    summary = method(slots.summary)
    describe = method(slots.describe)
    describe_many = method(many.describe_many)
    lookup = iterator(many.lookup)
    lookup_page = method(many.lookup_page)
    search = method(searching.search)
    act = method(acting.act)
    prompt_card = method(carding.prompt_card)
    tool_schemas = method(carding.tool_schemas)
    inject = method(injecting.inject)
    injected = scope(injecting.injected)
    scrub = method(injecting.scrub)
    inspect_prompt = method(inspecting.inspect_prompt)
    forget = method(slots.forget)
    forget_matching = method(many.forget_matching)
    commit = method(many.commit)
    versions = method(slots.versions)
    read_version = method(slots.read_version)
    retry = method(pending.retry)
    call = method(raw.call)
    server_info = method(admin.server_info)
    stats = method(admin.stats)
    backup = method(admin.backup)
    check = method(admin.check)
    reindex = method(reindexing.reindex)
    record_turn = method(accounting.record_turn)
    token_report = method(accounting.token_report)
    diagnose = method(diagnosing.diagnose)

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
    ) -> Task:
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
        return Task(self, self._binding, self._transport, asked)

    def close(self) -> None:
        """Close the connection, for each client on it; idempotent. From then on calls raise ClientClosed.

        So do calls that were under way, but a mutation that was sent raises OutcomeUnknown. An embedded store finishes them instead.
        """
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

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
    """Return a client of the sidecar at ``target``; nothing is connected before the first call.

    ``target`` is ``host:port`` or ``unix:/path``, by default MEMSLOT_TARGET or 127.0.0.1:7420; ``namespace`` by default
    MEMSLOT_NAMESPACE or ``default`` (see :func:`memslot.namespace` for making one from any strings). ``timeout`` in seconds bounds each
    call, retries included, unless the call says otherwise; ``math.inf`` waits without bound. With ``wait_for_ready`` calls wait for a
    sidecar that is still starting, within the timeout. ``message_limit_bytes`` bounds requests and replies, as the server's setting of that
    name does. ``agent``, ``conversation``, ``turn`` and ``traceparent`` (W3C; a string, or a function that gives the present one) are told
    in the audit, as said.

    ``token`` (a string, or a function that gives the present one) goes with each call as ``authorization: Bearer``. With ``tls`` the channel is
    encrypted: the path of a CA file to trust, ``grpc.ChannelCredentials``, or True for the usual CAs.

    Raises ValueError for a target or timeout that cannot work, and for a token that would leave the machine in plain text.
    """
    config = channel_config(target, message_limit_bytes, wait_for_ready, Security(token, tls))
    session = Session(Said(agent, conversation, turn, traceparent), seconds(timeout))
    binding = Binding(session, namespace_of(namespace))
    from memslot._transport.grpc_sync import GrpcTransport  # noqa: PLC0415 - grpc is slow to import and the embedded store has no use for it

    return Memory(binding, GrpcTransport(config))
