"""The contract as the orchestrator knows it: methods by name, and messages in one canonical form."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format

from memslot._core.methods import AnyMethod
from memslot._core.raw import unary_methods


def method_named(name: str) -> AnyMethod:
    """A unary method by `Service/Method`. Raises KeyError."""
    return unary_methods()[name]


def with_namespace(method: AnyMethod, request: dict[str, Any], root: str) -> dict[str, Any]:
    """The request, about ``root`` where its message has a namespace that it does not say."""
    if "namespace" in method.request.DESCRIPTOR.fields_by_name and "namespace" not in request:
        return {"namespace": root, **request}
    return request


def canonical(method: AnyMethod, reply: dict[str, Any]) -> Any:
    """The reply as every codec must understand it: parsed, and written again with all fields that have no presence.

    Raises AssertionError for what is no such message.
    """
    try:
        message = json_format.ParseDict(reply, method.reply())
    except json_format.ParseError as error:
        raise AssertionError(f"the reply is no {method.reply.DESCRIPTOR.name}: {error}") from None
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
