"""Requests about the namespace `ns`, short to write."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask

from memslot.v1.filter_pb2 import Filter
from memslot.v1.namespace_service_pb2 import NamespaceSettings, UpdateNamespaceRequest
from memslot.v1.slot_pb2 import Precondition, SlotInfo
from memslot.v1.slot_service_pb2 import (
    BatchReadRequest,
    CommitCheck,
    CommitOperation,
    CommitRequest,
    DescribeRequest,
    ForgetMatchingRequest,
    ForgetRequest,
    ListVersionsRequest,
    LookupRequest,
    ReadRequest,
    UpdateInfoRequest,
    WriteRequest,
)

IF_ABSENT = Precondition(if_absent=True)


def at(revision: int) -> Precondition:
    """The slot must be at a revision."""
    return Precondition(if_revision=revision)


def new_id() -> str:
    """A request id."""
    return str(uuid.uuid4())


def write(name: str = "a", body: bytes = b"x", namespace: str = "ns", **fields: Any) -> WriteRequest:
    """A write."""
    return WriteRequest(namespace=namespace, name=name, body=body, **fields)


def update(name: str = "a", mask: Iterable[str] = (), info: SlotInfo | None = None, **fields: Any) -> UpdateInfoRequest:
    """An update of the fields that the mask names."""
    return UpdateInfoRequest(namespace="ns", name=name, update_mask=FieldMask(paths=mask), info=info, **fields)


def read(name: str = "a", namespace: str = "ns", **fields: Any) -> ReadRequest:
    """A read."""
    return ReadRequest(namespace=namespace, name=name, **fields)


def forget(name: str = "a", **fields: Any) -> ForgetRequest:
    """A forget."""
    return ForgetRequest(**{"namespace": "ns", "name": name, **fields})


def forget_matching(filter: Filter | None = None, **fields: Any) -> ForgetMatchingRequest:  # noqa: A002 - the field
    """A forget of many: of all, when no filter is given."""
    return ForgetMatchingRequest(**{"namespace": "ns", "filter": filter, "all": filter is None} | fields)


def lookup(filter: Filter | None = None, namespace: str = "ns", **fields: Any) -> LookupRequest:  # noqa: A002 - the field
    """A lookup."""
    return LookupRequest(namespace=namespace, filter=filter, **fields)


def describe(*names: str) -> DescribeRequest:
    """A description of names."""
    return DescribeRequest(namespace="ns", names=names)


def batch(*names: str, **fields: Any) -> BatchReadRequest:
    """A read of names."""
    return BatchReadRequest(namespace="ns", names=names, **fields)


def versions(name: str = "a", **fields: Any) -> ListVersionsRequest:
    """The versions of a slot."""
    return ListVersionsRequest(namespace="ns", name=name, **fields)


def commit(*operations: WriteRequest | ForgetRequest | CommitCheck, **fields: Any) -> CommitRequest:
    """A commit of requests, whose namespaces are dropped."""
    made = []
    for operation in operations:
        if isinstance(operation, WriteRequest):
            made.append(CommitOperation(write=operation))
            made[-1].write.namespace = ""
        elif isinstance(operation, ForgetRequest):
            made.append(CommitOperation(forget=operation))
            made[-1].forget.namespace = ""
        else:
            made.append(CommitOperation(check=operation))
    return CommitRequest(**{"namespace": "ns", "operations": made, **fields})


def check(name: str, precondition: Precondition) -> CommitCheck:
    """A check for a commit."""
    return CommitCheck(name=name, precondition=precondition)


def configure(namespace: str = "ns", request_id: str = "", **settings: Any) -> UpdateNamespaceRequest:
    """New settings for a namespace."""
    return UpdateNamespaceRequest(namespace=namespace, settings=NamespaceSettings(**settings), request_id=request_id)
