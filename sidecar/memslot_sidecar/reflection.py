"""Server reflection, so that grpcurl and the like need no .proto files; v1, and v1alpha for older tools."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

SERVICES = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
"""The two have the same messages and differ by name alone."""


class Reflection:
    """Answers for the services that are given; :meth:`leave` ends the streams that clients keep open."""

    def __init__(self, services: Iterable[str]) -> None:
        self._servicer: Any = reflection.aio.ReflectionServicer([*services, *SERVICES])
        self._left = asyncio.Event()

    def leave(self) -> None:
        """Ends all streams."""
        self._left.set()

    def handlers(self) -> Mapping[str, grpc.RpcMethodHandler[Any, Any]]:
        """The methods of both versions by full name."""
        handler = grpc.stream_stream_rpc_method_handler(
            self._answer,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return {f"/{service}/ServerReflectionInfo": handler for service in SERVICES}

    async def _answer(self, requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
        async for reply in self._servicer.ServerReflectionInfo(self._until_left(requests), context):
            yield reply

    async def _until_left(self, requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        left = asyncio.ensure_future(self._left.wait())
        try:
            while True:
                following = asyncio.ensure_future(anext(requests, None))
                await asyncio.wait([following, left], return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    following.cancel()
                    return
                request = following.result()
                if request is None:
                    return
                yield request
        finally:
            left.cancel()
