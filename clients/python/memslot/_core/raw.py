"""Any unary RPC of the contract, by its name and its messages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from google.protobuf import message_factory
from google.protobuf.message import Message

from memslot._core.binding import Binding
from memslot._core.methods import AnyMethod, Method
from memslot._core.pending import Pending, ask, mutate, new_request_id
from memslot._core.steps import Steps
from memslot.expiry import Seconds
from memslot.v1 import admin_service_pb2, agent_service_pb2, namespace_service_pb2, slot_service_pb2

PACKAGE = "memslot.v1."
_FILES = (slot_service_pb2, namespace_service_pb2, agent_service_pb2, admin_service_pb2)


@cache
def unary_methods() -> Mapping[str, AnyMethod]:
    """Every unary RPC of the contract, by ``Service/Method``."""
    found: dict[str, AnyMethod] = {}
    for file in _FILES:
        descriptor: Any = file.DESCRIPTOR
        for service in descriptor.services_by_name.values():
            for method in service.methods:
                if not (method.client_streaming or method.server_streaming):
                    name = f"{service.name}/{method.name}"
                    found[name] = Method(name, _class(method.input_type), _class(method.output_type))
    return found


def call(at: Binding, method: str, request: Message, *, timeout: Seconds | None = None) -> Steps[Any]:
    """Call a unary RPC by its name, such as ``SlotService/Read``, and return its reply, a message of :mod:`memslot.v1`.

    For what has no method here. The request names its namespace itself. A mutation that has no ``request_id`` gets one; retries,
    metadata and errors are those of every call, OutcomeUnknown included. Raises ValueError for an RPC that the contract does not have, TypeError
    for a message of another one.
    """
    asked = unary_methods().get(method.removeprefix(PACKAGE))
    if asked is None:
        raise ValueError(f"{method!r} is no unary method of memslot.v1: write Service/Method, e.g. SlotService/Read")
    if not isinstance(request, asked.request):
        raise TypeError(f"{asked.name} takes a {asked.request.DESCRIPTOR.name}, not a {type(request).__name__}")
    if "request_id" not in request.DESCRIPTOR.fields_by_name:
        return (yield from ask(at, asked, request, timeout))
    sent: Any = asked.request()
    sent.CopyFrom(request)
    sent.request_id = sent.request_id or new_request_id()
    return (yield from mutate(at, Pending(asked, sent.request_id, sent, _as_it_is), timeout))


def _class(descriptor: Any) -> type[Message]:
    found: type[Message] = message_factory.GetMessageClass(descriptor)
    return found


def _as_it_is(reply: Any) -> Any:
    return reply
