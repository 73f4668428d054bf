"""A gRPC channel with blocking calls. May be used from any number of threads."""

from __future__ import annotations

import threading
import time
from typing import Any

import grpc

from memslot._core.methods import AnyMethod
from memslot._core.steps import Ask, Effect, Pause, Receive
from memslot._transport.channel import ChannelConfig
from memslot._transport.closing import closed, closed_under_way
from memslot._transport.probe import await_listener
from memslot._transport.status import over, rpc_error


class GrpcTransport:
    """Performs effects over one channel, which is opened with the first call."""

    def __init__(self, config: ChannelConfig) -> None:
        self._config = config
        self._channel = _channel(config)
        self._callables: dict[str, Any] = {}
        self._connecting = threading.Lock()
        self._connected = False
        self._closed = threading.Event()

    def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError; Unreachable only if no connection was ever made, so that nothing was sent."""
        if isinstance(effect, Pause):
            self._closed.wait(effect.seconds)
            return None
        if self._closed.is_set():
            raise closed()
        deadline = None if effect.timeout_s is None else time.monotonic() + effect.timeout_s
        self._connect(deadline)
        try:
            return self._call(effect, deadline)
        except grpc.RpcError as error:
            raise self._translated(error, effect, deadline) from None

    def close(self) -> None:
        """Close the channel; calls in flight are cancelled. Idempotent."""
        self._closed.set()
        self._channel.close()

    def _call(self, effect: Ask | Receive, deadline: float | None) -> Any:
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        call = self._callable(effect.method, stream=isinstance(effect, Receive))
        metadata = (*effect.metadata, *self._config.security.metadata())
        try:
            outcome = call(
                effect.request, timeout=timeout, metadata=metadata, wait_for_ready=self._config.wait_for_ready
            )
        except ValueError:
            if self._closed.is_set():
                raise closed() from None
            raise
        if isinstance(effect, Ask):
            return outcome
        for message in outcome:
            effect.consume(message)
        return None

    def _callable(self, method: AnyMethod, *, stream: bool) -> Any:
        found = self._callables.get(method.name)
        if found is None:
            make = self._channel.unary_stream if stream else self._channel.unary_unary
            found = make(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.reply.FromString,
            )
            self._callables[method.name] = found
        return found

    def _connect(self, deadline: float | None) -> None:
        """Wait for somebody to listen. From then on a failure may hide a request that arrived; before, it cannot."""
        if self._connected:
            return
        with self._connecting:
            if not self._connected:
                await_listener(self._config, deadline, self._closed)
                self._connected = True

    def _translated(self, error: Any, effect: Ask | Receive, deadline: float | None) -> Exception:
        """A call that failed is an RpcError and a Call at once, which no type can say."""
        waited_s = over(effect.timeout_s, (deadline or 0.0) - time.monotonic())
        said = rpc_error(error.code().name, error.details(), error.trailing_metadata(), waited_s=waited_s)
        cut_off = self._closed.is_set() and said.code == "CANCELLED" and not said.reason
        return closed_under_way() if cut_off else said


def _channel(config: ChannelConfig) -> grpc.Channel:
    credentials = config.security.credentials()
    if credentials is None:
        return grpc.insecure_channel(config.target, config.options())
    return grpc.secure_channel(config.target, credentials, config.options())
