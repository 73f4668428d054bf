"""Every method of every service, for whoever serves them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memslot.v1 import admin_service_pb2, agent_service_pb2, namespace_service_pb2, slot_service_pb2
from memslot_sidecar.call import Call
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.inner import Inner, Wrap, unwrapped
from memslot_sidecar.services.admin_service import AdminService
from memslot_sidecar.services.agent_service import AgentService
from memslot_sidecar.services.namespace_service import NamespaceService
from memslot_sidecar.services.server_facts import Counters, ServerFacts
from memslot_sidecar.services.slot_service import SlotService

__all__ = ["Counters", "Method", "ServerFacts", "methods"]


@dataclass(frozen=True, slots=True)
class Method:
    """One RPC. ``service`` is the full name, e.g. ``memslot.v1.SlotService``.

    ``handler`` takes a request and its call; it answers with a message, a serialised one, or what can be serialised to one, or, when
    ``server_stream``, with an iterator of messages. It raises MemslotError.
    """

    service: str
    name: str
    request_type: type[Any]
    response_type: type[Any]
    handler: Callable[[Any, Call], Awaitable[Any]] | Callable[[Any, Call], AsyncIterator[Any]]
    server_stream: bool = False


def methods(ctx: Context, facts: ServerFacts, wrap: Wrap = unwrapped) -> Sequence[Method]:
    """The methods that this server has, as the contract declares them.

    ``wrap`` puts around the operations that one call makes of another service what is around every call.
    """
    served: list[tuple[Any, object]] = [
        (slot_service_pb2, SlotService(ctx)),
        (namespace_service_pb2, NamespaceService(ctx)),
        (agent_service_pb2, AgentService(ctx, Inner(wrap))),
        (admin_service_pb2, AdminService(ctx, facts)),
    ]
    return [method for module, service in served for method in _of_service(module, type(service).__name__, service)]


def _of_service(module: Any, name: str, service: object) -> list[Method]:
    """One method a declared RPC: the handler is the service's method of the same name in snake case."""
    return [
        Method(
            service=declared.containing_service.full_name,
            name=declared.name,
            request_type=getattr(module, declared.input_type.name),
            response_type=getattr(module, declared.output_type.name),
            handler=getattr(service, _snake(declared.name)),
            server_stream=declared.server_streaming,
        )
        for declared in module.DESCRIPTOR.services_by_name[name].methods
    ]


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
