"""A route is one method with everything around it, ready for any door: messages from the embedded client, bytes from gRPC."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.message import DecodeError, Message

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, MemslotError
from memslot_sidecar.interceptors.audited import Audit, Decode, Encode, Handler, StreamHandler, audited, audited_stream
from memslot_sidecar.interceptors.counts import CallCounts
from memslot_sidecar.services.registry import Method


@dataclass(frozen=True, slots=True)
class Route:
    """One method; ``name`` is ``Service/Method``. Whichever way is taken, MemslotError is all it raises.

    A unary method has ``run`` and ``run_encoded``, the others ``stream`` and ``stream_encoded``.
    """

    name: str
    method: Method
    run: Handler
    run_encoded: Handler
    stream: StreamHandler
    stream_encoded: StreamHandler

    @property
    def path(self) -> str:
        """The method's full name in gRPC."""
        return f"/{self.method.service}/{self.method.name}"


def routes(methods: Sequence[Method], audit: Audit, counts: CallCounts) -> Sequence[Route]:
    """A route for each method."""
    return [_route(method, audit, counts) for method in methods]


def refusals(
    methods: Sequence[Method], error: Callable[[], MemslotError], audit: Audit, counts: CallCounts
) -> Sequence[Route]:
    """Routes of the same methods that refuse every call, audited like any other."""

    async def refuse(_: Any, __: Call) -> Any:
        raise error()

    async def refuse_stream(request: Any, call: Call) -> AsyncGenerator[Any, None]:
        yield await refuse(request, call)

    refusing = [replace(method, handler=refuse_stream if method.server_stream else refuse) for method in methods]
    return routes(refusing, audit, counts)


def _route(method: Method, audit: Audit, counts: CallCounts) -> Route:
    name = f"{method.service.rpartition('.')[2]}/{method.name}"
    handler: Any = method.handler
    return Route(
        name=name,
        method=method,
        run=audited(name, handler, audit, counts, encode=_message_of(method.response_type)),
        run_encoded=audited(name, handler, audit, counts, _decoder(method), _serialized),
        stream=audited_stream(name, handler, audit, counts),
        stream_encoded=audited_stream(name, _encoded_stream(method), audit, counts),
    )


def _message_of(kind: Any) -> Encode:
    """What makes a message of a reply, which may be serialised."""

    def encode(reply: Any) -> Any:
        if isinstance(reply, Message):
            return reply
        return kind.FromString(reply if type(reply) is bytes else reply.SerializeToString())

    return encode


def _decoder(method: Method) -> Decode:
    """What reads a serialised request."""
    parse = method.request_type.FromString

    def decode(request: bytes, _: Call) -> Any:
        try:
            return parse(request)
        except DecodeError:
            raise _undecodable(method) from None

    return decode


def _serialized(reply: Any) -> bytes:
    """A reply that is a message, can be serialised to one, or is serialised."""
    encoded: bytes = reply if type(reply) is bytes else reply.SerializeToString()
    return encoded


def _encoded_stream(method: Method) -> StreamHandler:
    """The handler from a serialised request to a stream of serialised replies."""
    handler: Any = method.handler
    decode = _decoder(method)

    async def run(request: bytes, call: Call) -> AsyncGenerator[bytes, None]:
        async with aclosing(handler(decode(request, call), call)) as replies:
            async for reply in replies:
                yield _serialized(reply)

    return run


def _undecodable(method: Method) -> InvalidField:
    kind = method.request_type.DESCRIPTOR.full_name
    return InvalidField(f"the request is no {kind}: it is cut short, or a text in it is not UTF-8")
