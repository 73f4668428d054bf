"""A gRPC channel with blocking calls. May be used from any number of threads."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

import grpc

from memslot._core.methods import AnyMethod
from memslot._core.steps import Ask, Effect, Pause, Receive
from memslot._transport.channel import ChannelConfig
from memslot._transport.status import rpc_error, unreachable

_SETTLED = (
    grpc.ChannelConnectivity.READY,
    grpc.ChannelConnectivity.TRANSIENT_FAILURE,
    grpc.ChannelConnectivity.SHUTDOWN,
)


class GrpcTransport:
    """Performs effects over one channel, which is opened with the first call."""

    def __init__(self, config: ChannelConfig) -> None:
        self._config = config
        self._channel = grpc.insecure_channel(config.target, config.options())
        self._callables: dict[str, Any] = {}
        self._connecting = threading.Lock()
        self._connected = False

    def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError; Unreachable only if no connection was ever made, so that nothing was sent."""
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            return None
        deadline = None if effect.timeout_s is None else time.monotonic() + effect.timeout_s
        self._connect(deadline)
        try:
            return self._call(effect, deadline)
        except grpc.RpcError as error:
            raise _translated(error) from None

    def close(self) -> None:
        """Close the channel; calls in flight are cancelled. Idempotent."""
        self._channel.close()

    def _call(self, effect: Ask | Receive, deadline: float | None) -> Any:
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        call = self._callable(effect.method, stream=isinstance(effect, Receive))
        outcome = call(
            effect.request, timeout=timeout, metadata=effect.metadata, wait_for_ready=self._config.wait_for_ready
        )
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
        """Wait for the first connection. From then on a failure may hide a request that arrived; before, it cannot."""
        if self._connected:
            return
        with self._connecting:
            if not self._connected:
                self._await_ready(deadline)
                self._connected = True

    def _await_ready(self, deadline: float | None) -> None:
        states: queue.SimpleQueue[grpc.ChannelConnectivity] = queue.SimpleQueue()
        notify = states.put
        self._channel.subscribe(notify, try_to_connect=True)
        try:
            state = _next_settled(states, deadline)
            while state is grpc.ChannelConnectivity.TRANSIENT_FAILURE and self._config.wait_for_ready:
                state = _next_settled(states, deadline)
        except queue.Empty:
            raise unreachable(self._config.target, "timed out") from None
        finally:
            self._channel.unsubscribe(notify)
        if state is not grpc.ChannelConnectivity.READY:
            raise unreachable(self._config.target, "connection refused or lost")


def _next_settled(
    states: queue.SimpleQueue[grpc.ChannelConnectivity], deadline: float | None
) -> grpc.ChannelConnectivity:
    while True:
        state = states.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        if state in _SETTLED:
            return state


def _translated(error: Any) -> Exception:
    """A call that failed is an RpcError and a Call at once, which no type can say."""
    return rpc_error(error.code().name, error.details(), error.trailing_metadata())
