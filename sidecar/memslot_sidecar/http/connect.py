"""Every unary method by the Connect protocol: POST /memslot.v1.Service/Method, protobuf or its JSON in, the same out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from google.protobuf.message import Message

from memslot_sidecar.call import Call
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.http.answers import JSON, OK_JSON, OK_PROTO, PROTO, Answer, Asked, Place
from memslot_sidecar.http.arriving import too_large
from memslot_sidecar.http.calling import remaining_s, said_in, within
from memslot_sidecar.http.reading_json import named, reader
from memslot_sidecar.http.refusals import BadRequest, StreamingOnly
from memslot_sidecar.http.writing_json import writer
from memslot_sidecar.interceptors.arrival import arrive
from memslot_sidecar.interceptors.audited import Audit, audited
from memslot_sidecar.interceptors.counts import CallCounts
from memslot_sidecar.operations.context import about
from memslot_sidecar.routes import Route

TYPES = frozenset({JSON, PROTO})
_VERSION = b"1"
_LARGE_BYTES = 65_536
"""From here on a body is read in a thread, since JSON of many small things takes microseconds for each: nobody else waits for it."""

Decode = Callable[[Asked], Message]
Encode = Callable[[Any], bytes]
Serve = Callable[[Asked, Call], Awaitable[bytes]]
Addressed = Callable[[Asked], tuple[str, str | None]]
"""The namespace and the slot that a request names which cannot be read, as far as that can be told."""


class Coder:
    """Puts other codecs around routes. Everything else that is around a call stays as it is behind gRPC."""

    def __init__(self, audit: Audit, counts: CallCounts, message_limit_bytes: int) -> None:
        self._audit = audit
        self._counts = counts
        self._limit = message_limit_bytes
        self._reading = ThreadPoolExecutor(1, "memslot-http-reading")

    def coded(self, route: Route, decode: Decode, encode: Encode, addressed: Addressed) -> Serve:
        """The route from a request that ``decode`` understands to a reply that ``encode`` makes. What they raise is audited too, under
        the names that are ``addressed``.

        Raises MemslotError, and MessageTooLarge as gRPC does.
        """
        handler: Any = route.method.handler

        def read(asked: Asked, call: Call) -> Message:
            try:
                return decode(asked)
            except MemslotError:
                with suppress(MemslotError):
                    about(call, *addressed(asked))
                raise

        serve_small = audited(route.name, handler, self._audit, self._counts, read, encode)
        serve_read = audited(route.name, handler, self._audit, self._counts, _as_read, encode)

        async def serve_large(asked: Asked, call: Call) -> bytes:
            reply: bytes = await serve_read(await self._read(partial(read, asked, call)), call)
            return reply

        return lambda asked, call: (serve_small if len(asked.body) < _LARGE_BYTES else serve_large)(asked, call)

    async def _read(self, read: Callable[[], Message]) -> Message | MemslotError:
        """The request, or what is wrong with it, read in a thread. Raises MessageTooLarge."""
        try:
            request = await asyncio.get_running_loop().run_in_executor(self._reading, read)
        except MemslotError as error:
            return error
        if request.ByteSize() > self._limit:
            raise too_large(self._limit)
        return request


def _as_read(request: Message | MemslotError, _: Call) -> Message:
    if isinstance(request, MemslotError):
        raise request
    return request


def places(routes: Mapping[str, Route], coder: Coder) -> dict[bytes, Place]:
    """A place for each route, by path."""
    return {route.path.encode(): _place(route, coder) for route in routes.values()}


def _place(route: Route, coder: Coder) -> Place:
    if route.method.server_stream:
        return Place("POST", _refuse_stream, TYPES)
    method = route.method
    operation = method.name
    read = reader(method.request_type)
    by_json = coder.coded(route, lambda asked: read(asked.body), writer(method.response_type), _addressed)
    by_proto = route.run_encoded

    async def serve(asked: Asked) -> Answer:
        headers = asked.headers
        if headers.get(b"connect-protocol-version", _VERSION) != _VERSION:
            raise BadRequest("connect-protocol-version is not 1, which is what this server speaks")
        timeout_s = remaining_s(headers)
        call = arrive(operation, said_in(headers), timeout_s)
        work = by_json(asked, call) if asked.is_json else by_proto(asked.body, call)
        reply = await (work if timeout_s is None else within(timeout_s, work))
        return Answer(reply, OK_JSON if asked.is_json else OK_PROTO)

    return Place("POST", serve, TYPES, is_call=True)


def _addressed(asked: Asked) -> tuple[str, str | None]:
    namespace, name = named(asked.body, "namespace", "name")
    return namespace or "", name


async def _refuse_stream(_: Asked) -> Answer:
    raise StreamingOnly("the method's answer is a stream: call it by gRPC")
