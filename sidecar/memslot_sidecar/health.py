"""grpc.health.v1: whether the whole (``""``) and each service is served. Touches no store, needs no credentials, is not audited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2

SERVICE = "grpc.health.v1.Health"
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN

_Context = grpc.aio.ServicerContext[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse]


class Health:
    """The state that probes see: NOT_SERVING at first and again from :meth:`leave` on."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services = frozenset(services) | {""}
        self._status: Any = _NOT_SERVING
        self._left = False
        self._changed = asyncio.Event()

    def serve(self) -> None:
        """From now on all is SERVING."""
        self._change(_SERVING)

    def leave(self) -> None:
        """From now on all is NOT_SERVING; watches are told, and end."""
        self._left = True
        self._change(_NOT_SERVING)

    @property
    def serving(self) -> bool:
        """Whether the whole is served now."""
        return bool(self._status == _SERVING)

    def handlers(self) -> Mapping[str, grpc.RpcMethodHandler[Any, Any]]:
        """The service's methods by full name."""
        reply = health_pb2.HealthCheckResponse.SerializeToString
        request = health_pb2.HealthCheckRequest.FromString
        return {
            f"/{SERVICE}/Check": grpc.unary_unary_rpc_method_handler(self._check, request, reply),
            f"/{SERVICE}/Watch": grpc.unary_stream_rpc_method_handler(self._watch, request, reply),
        }

    async def _check(self, request: health_pb2.HealthCheckRequest, context: _Context) -> health_pb2.HealthCheckResponse:
        if request.service not in self._services:
            await context.abort(grpc.StatusCode.NOT_FOUND, "this server does not have the service that was asked for")
        return health_pb2.HealthCheckResponse(status=self._status)

    async def _watch(
        self, request: health_pb2.HealthCheckRequest, _: _Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        told = None
        while True:
            changed = self._changed
            now = self._status if request.service in self._services else _UNKNOWN
            if now != told:
                told = now
                yield health_pb2.HealthCheckResponse(status=now)
            elif self._left:
                return
            else:
                await changed.wait()

    def _change(self, status: Any) -> None:
        self._status = status
        self._changed.set()
        self._changed = asyncio.Event()
