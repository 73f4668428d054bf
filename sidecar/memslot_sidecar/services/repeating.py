"""Request ids of messages: what makes two requests the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from memslot_sidecar.call import Call
from memslot_sidecar.operations.once import Once


def once_of(request: Any, call: Call, build: Callable[[Any], Message]) -> Once | None:
    """The request's id with its content, noted for the call; None when it has no id. Raises InvalidField for what is no UUID.

    ``build`` makes the reply that is kept from the operation's answer.
    """
    if not request.request_id:
        return None
    content = type(request)()
    content.CopyFrom(request)
    content.ClearField("request_id")
    once = Once(
        request.request_id,
        content.SerializeToString(deterministic=True),
        lambda result: build(result).SerializeToString(),
    )
    call.request_id = request.request_id
    return once
