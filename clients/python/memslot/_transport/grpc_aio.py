"""A gRPC channel with awaits, for one event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio

from memslot._core.methods import AnyMethod
from memslot._core.steps import Ask, Effect, Pause, Receive
from memslot._transport.channel import ChannelConfig
from memslot._transport.closing import cancelled_by_caller, closed, closed_under_way
from memslot._transport.status import over, rpc_error, unreachable


class GrpcAioTransport:
    """Performs effects over one channel, which is made in the running loop with the first call."""

    def __init__(self, config: ChannelConfig) -> None:
        self._config = config
        self._channel: grpc.aio.Channel | None = None
        self._callables: dict[str, Any] = {}
        self._connected = False
        self._closed = False

    async def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError; Unreachable only if no connection was ever made, so that nothing was sent."""
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            return None
        loop = asyncio.get_running_loop()
        deadline = None if effect.timeout_s is None else loop.time() + effect.timeout_s
        channel = self._open()
        if not self._connected:
            await self._await_ready(channel, effect.timeout_s)
            self._open()
        left = None if deadline is None else max(0.0, deadline - loop.time())
        try:
            return await self._call(channel, effect, left)
        except grpc.aio.AioRpcError as error:
            waited_s = over(effect.timeout_s, (deadline or 0.0) - loop.time())
            trailers = error.trailing_metadata()
            raise rpc_error(error.code().name, error.details(), trailers, waited_s=waited_s) from None
        except asyncio.CancelledError:
            if self._closed and not cancelled_by_caller():
                raise closed_under_way() from None
            raise

    async def close(self) -> None:
        """Close the channel; calls in flight are cancelled. Idempotent."""
        self._closed = True
        if self._channel is not None:
            await self._channel.close()

    def _open(self) -> grpc.aio.Channel:
        if self._closed:
            raise closed()
        if self._channel is None:
            self._channel = _channel(self._config)
        return self._channel

    async def _call(self, channel: grpc.aio.Channel, effect: Ask | Receive, timeout: float | None) -> Any:
        call = self._callable(channel, effect.method, stream=isinstance(effect, Receive))
        outcome = call(
            effect.request,
            timeout=timeout,
            metadata=(*effect.metadata, *self._config.security.metadata()),
            wait_for_ready=self._config.wait_for_ready,
        )
        if isinstance(effect, Ask):
            return await outcome
        async for message in outcome:
            await asyncio.to_thread(effect.consume, message)
        return None

    def _callable(self, channel: grpc.aio.Channel, method: AnyMethod, *, stream: bool) -> Any:
        found = self._callables.get(method.name)
        if found is None:
            make: Any = channel.unary_stream if stream else channel.unary_unary
            found = make(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.reply.FromString,
            )
            self._callables[method.name] = found
        return found

    async def _await_ready(self, channel: grpc.aio.Channel, timeout_s: float | None) -> None:
        """Wait for the first connection. From then on a failure may hide a request that arrived; before, it cannot."""
        try:
            await asyncio.wait_for(self._settle(channel), timeout_s)
        except asyncio.TimeoutError:
            raise unreachable(self._config.target, "timed out") from None
        except grpc.aio.UsageError:
            # It was closed meanwhile.
            self._open()
            raise
        self._connected = True

    async def _settle(self, channel: grpc.aio.Channel) -> None:
        state = channel.get_state(try_to_connect=True)
        while state is not grpc.ChannelConnectivity.READY:
            if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE and not self._config.wait_for_ready:
                raise unreachable(self._config.target, "connection refused or lost")
            await channel.wait_for_state_change(state)
            state = channel.get_state(try_to_connect=True)


def _channel(config: ChannelConfig) -> grpc.aio.Channel:
    credentials = config.security.credentials()
    if credentials is None:
        return grpc.aio.insecure_channel(config.target, config.options())
    return grpc.aio.secure_channel(config.target, credentials, config.options())
