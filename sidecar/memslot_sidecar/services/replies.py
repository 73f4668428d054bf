"""Answers of operations as replies. Those of mutations are pure functions of the answer, since they are kept with the commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from memslot.v1 import namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.model import SlotRecord, StoredSlot
from memslot_sidecar.operations.commands import Forgotten, Mutated
from memslot_sidecar.operations.namespaces import NamespaceView
from memslot_sidecar.operations.once import Repeated
from memslot_sidecar.services.namespace_messages import namespace_message
from memslot_sidecar.services.slot_messages import Clocked, receipt_message
from memslot_sidecar.status import to_status

R = TypeVar("R")


def answer(result: R | Repeated, build: Callable[[R], Message]) -> Message | bytes:
    """The reply to a mutation: the kept one, when it was repeated."""
    return result.reply if isinstance(result, Repeated) else build(result)


def written(result: Mutated) -> pb.WriteResponse:
    """Reply of Write."""
    return pb.WriteResponse(receipt=receipt_message(result.receipts[0]), revision=result.revision)


def updated(result: Mutated) -> pb.UpdateInfoResponse:
    """Reply of UpdateInfo."""
    return pb.UpdateInfoResponse(receipt=receipt_message(result.receipts[0]), revision=result.revision)


def forgotten(result: Mutated) -> pb.ForgetResponse:
    """Reply of Forget."""
    return pb.ForgetResponse(receipt=receipt_message(result.receipts[0]), revision=result.revision)


def forgotten_matching(result: Forgotten) -> pb.ForgetMatchingResponse:
    """Reply of ForgetMatching."""
    return pb.ForgetMatchingResponse(forgotten=result.count, more_remain=result.more_remain, revision=result.revision)


def committed(result: Mutated) -> pb.CommitResponse:
    """Reply of Commit."""
    results = [pb.CommitResult(receipt=receipt_message(receipt)) for receipt in result.receipts]
    return pb.CommitResponse(results=results, revision=result.revision)


def described(results: Sequence[SlotRecord | MemslotError], clocked: Clocked, revision: int) -> pb.DescribeResponse:
    """Reply of Describe."""
    return pb.DescribeResponse(
        results=[
            pb.DescribeResult(status=to_status(result))
            if isinstance(result, MemslotError)
            else pb.DescribeResult(info=clocked.info(result))
            for result in results
        ],
        revision=revision,
    )


def read_many(results: Sequence[StoredSlot | MemslotError], clocked: Clocked, revision: int) -> pb.BatchReadResponse:
    """Reply of BatchRead."""
    return pb.BatchReadResponse(
        results=[
            pb.BatchReadResult(status=to_status(result))
            if isinstance(result, MemslotError)
            else pb.BatchReadResult(slot=clocked.slot(result))
            for result in results
        ],
        revision=revision,
    )


def configured(view: NamespaceView) -> namespace_service_pb2.UpdateNamespaceResponse:
    """Reply of UpdateNamespace."""
    return namespace_service_pb2.UpdateNamespaceResponse(namespace=namespace_message(view), revision=view.revision)


def deleted(result: Forgotten) -> namespace_service_pb2.DeleteNamespaceResponse:
    """Reply of DeleteNamespace."""
    return namespace_service_pb2.DeleteNamespaceResponse(forgotten=result.count, revision=result.revision)
