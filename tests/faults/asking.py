"""Short ways to make requests, and what became of a call that failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from tests.system.process import PATIENCE_S

from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

NAMESPACE = "acme/task"


def write(name: str, body: bytes = b"body", namespace: str = NAMESPACE, **fields: Any) -> pb.WriteRequest:
    """A write of one slot."""
    return pb.WriteRequest(namespace=namespace, name=name, body=body, **fields)


def append(name: str, body: bytes, namespace: str = NAMESPACE) -> pb.WriteRequest:
    """A write that adds to a slot."""
    return write(name, body, namespace, mode=pb.WRITE_MODE_APPEND)


def read(name: str, namespace: str = NAMESPACE) -> pb.ReadRequest:
    """A read of one slot."""
    return pb.ReadRequest(namespace=namespace, name=name)


def pages(slots: SlotServiceStub, request: pb.LookupRequest) -> list[list[str]]:
    """The names of all pages of a lookup."""
    found = []
    asked = pb.LookupRequest()
    asked.CopyFrom(request)
    while True:
        reply = slots.Lookup(asked, timeout=PATIENCE_S)
        found.append([info.name for info in reply.slots])
        if not reply.next_page_token:
            return found
        asked.page_token = reply.next_page_token


class Failure(NamedTuple):
    """How a call failed; ``text`` is everything that the caller was sent."""

    code: str
    reason: str
    text: str


def attempt(call: Callable[..., Any], request: Any, timeout_s: float = PATIENCE_S) -> Any:
    """The reply to a call, or its Failure."""
    try:
        return call(request, timeout=timeout_s)
    except grpc.RpcError as error:
        return failure(error)


def failure_of(call: Callable[..., Any], request: Any, timeout_s: float = PATIENCE_S) -> Failure:
    """How a call fails, which it must."""
    failed = attempt(call, request, timeout_s)
    assert isinstance(failed, Failure), failed
    return failed


def failure(error: grpc.RpcError) -> Failure:
    """What an error tells."""
    return Failure(error.code().name, _reason(error), f"{error.details()} {error.trailing_metadata()}")


def _reason(error: grpc.RpcError) -> str:
    status = rpc_status.from_call(error)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status else ():
        if detail.Unpack(info):
            return str(info.reason)
    return ""
