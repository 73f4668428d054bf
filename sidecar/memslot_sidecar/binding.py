"""From gRPC to a route and back: bytes in, bytes out, errors as a status."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, NoReturn

import grpc
import grpc.aio
from grpc_status import rpc_status

from memslot_sidecar.errors import MemslotError, StoreUnavailable
from memslot_sidecar.interceptors.arrival import arrive
from memslot_sidecar.routes import Route
from memslot_sidecar.status import to_status
from memslot_sidecar.traffic import Traffic

_Context = grpc.aio.ServicerContext[bytes, bytes]


class Table(grpc.GenericRpcHandler):
    """The methods that a server answers now, by full name. :meth:`replace` takes effect with the next call."""

    def __init__(self, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> None:
        self._handlers = dict(handlers)

    def replace(self, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> None:
        """Adds methods or takes the place of those of the same name."""
        self._handlers = {**self._handlers, **handlers}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The method that a call is for."""
        return self._handlers.get(handler_call_details.method)


def bound(route: Route, traffic: Traffic) -> grpc.RpcMethodHandler[Any, Any]:
    """The handler that serves a route; ``traffic`` knows of its calls."""
    if route.method.server_stream:
        return grpc.unary_stream_rpc_method_handler(_stream(route, traffic))
    return grpc.unary_unary_rpc_method_handler(_unary(route, traffic))


def not_yet() -> grpc.RpcMethodHandler[Any, Any]:
    """A handler for the time before the store is open."""

    async def refuse(_: bytes, context: _Context) -> bytes:
        await _abort(context, starting())

    return grpc.unary_unary_rpc_method_handler(refuse)


def starting() -> StoreUnavailable:
    """What a call is told before the store is open."""
    return StoreUnavailable("the sidecar is starting: its store is not open yet", retry_after_ms=1000)


def _unary(route: Route, traffic: Traffic) -> Any:
    operation, run = route.method.name, route.run_encoded

    async def serve(request: bytes, context: _Context) -> bytes:
        call = arrive(operation, context.invocation_metadata() or (), context.time_remaining())
        traffic.begin()
        try:
            reply: bytes = await run(request, call)
            return reply
        except MemslotError as error:
            await _abort(context, error)
        finally:
            traffic.end()

    return serve


def _stream(route: Route, traffic: Traffic) -> Any:
    operation, run = route.method.name, route.stream_encoded
    ended: Any = lambda _: traffic.end()  # noqa: E731 - the stubs know no callable that fits

    async def serve(request: bytes, context: _Context) -> AsyncGenerator[bytes, None]:
        call = arrive(operation, context.invocation_metadata() or (), context.time_remaining())
        traffic.begin()
        context.add_done_callback(ended)
        try:
            async with aclosing(run(request, call)) as replies:
                async for reply in replies:
                    yield reply
        except MemslotError as error:
            await _abort(context, error)

    return serve


def _pushback_ms(retry_after_ms: int, remaining_s: float | None) -> int:
    """When to repeat the call; -1, not at all, where its deadline would pass first: then the caller reads what was wrong."""
    return -1 if remaining_s is not None and retry_after_ms >= remaining_s * 1000 else retry_after_ms


async def _abort(context: _Context, error: MemslotError) -> NoReturn:
    """Ends the call with the error's status; gRPC clients that retry by themselves are told when."""
    status = rpc_status.to_status(to_status(error))
    trailer = tuple(status.trailing_metadata or ())
    if error.retry_after_ms is not None:
        trailer += (("grpc-retry-pushback-ms", str(_pushback_ms(error.retry_after_ms, context.time_remaining()))),)
    await context.abort(status.code, status.details or "", trailer)
