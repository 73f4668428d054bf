"""Answers of operations as replies. Those of mutations are pure functions of the answer, since they are kept with the commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from memslot.v1 import namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.model import StoredSlot
from memslot_sidecar.operations.commands import Forgotten, Mutated
from memslot_sidecar.operations.namespaces import NamespacesPage, NamespaceView
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.summaries import Summarised
from memslot_sidecar.operations.versions import VersionsResult
from memslot_sidecar.services.namespace_messages import fill_namespace
from memslot_sidecar.services.slot_messages import Clocked, fill_receipt, fill_version_info
from memslot_sidecar.services.summary_messages import fill_summary
from memslot_sidecar.status import to_status

R = TypeVar("R")


def answer(result: R | Repeated, build: Callable[[R], Message], once: Once | None) -> Message | bytes:
    """The reply to a mutation: the kept one, when it was repeated or has just been kept."""
    if isinstance(result, Repeated):
        return result.reply
    return once.reply if once is not None and once.reply else build(result)


def written(result: Mutated) -> pb.WriteResponse:
    """Reply of Write."""
    reply = pb.WriteResponse(revision=result.revision)
    fill_receipt(reply.receipt, result.receipts[0])
    return reply


def updated(result: Mutated) -> pb.UpdateInfoResponse:
    """Reply of UpdateInfo."""
    reply = pb.UpdateInfoResponse(revision=result.revision)
    fill_receipt(reply.receipt, result.receipts[0])
    return reply


def forgotten(result: Mutated) -> pb.ForgetResponse:
    """Reply of Forget."""
    reply = pb.ForgetResponse(revision=result.revision)
    fill_receipt(reply.receipt, result.receipts[0])
    return reply


def forgotten_matching(result: Forgotten) -> pb.ForgetMatchingResponse:
    """Reply of ForgetMatching."""
    return pb.ForgetMatchingResponse(forgotten=result.count, more_remain=result.more_remain, revision=result.revision)


def committed(result: Mutated) -> pb.CommitResponse:
    """Reply of Commit."""
    reply = pb.CommitResponse(revision=result.revision)
    for receipt in result.receipts:
        fill_receipt(reply.results.add().receipt, receipt)
    return reply


def described(results: Sequence[Summarised | MemslotError], clocked: Clocked, revision: int) -> pb.DescribeResponse:
    """Reply of Describe."""
    reply = pb.DescribeResponse(revision=revision)
    for result in results:
        message = reply.results.add()
        if isinstance(result, MemslotError):
            message.status.CopyFrom(to_status(result))
            continue
        clocked.fill_info(message.info, result.record)
        if result.summary is not None:
            fill_summary(message.info, message.summary, result.summary)
    return reply


def read_many(results: Sequence[StoredSlot | MemslotError], clocked: Clocked, revision: int) -> pb.BatchReadResponse:
    """Reply of BatchRead."""
    reply = pb.BatchReadResponse(revision=revision)
    for result in results:
        if isinstance(result, MemslotError):
            reply.results.add().status.CopyFrom(to_status(result))
        else:
            clocked.fill_slot(reply.results.add().slot, result)
    return reply


def versions(found: VersionsResult) -> pb.ListVersionsResponse:
    """Reply of ListVersions."""
    reply = pb.ListVersionsResponse(next_page_token=found.next_page_token, revision=found.revision)
    for version in found.versions:
        fill_version_info(reply.versions.add(), version)
    return reply


def configured(view: NamespaceView) -> namespace_service_pb2.UpdateNamespaceResponse:
    """Reply of UpdateNamespace."""
    reply = namespace_service_pb2.UpdateNamespaceResponse(revision=view.revision)
    fill_namespace(reply.namespace, view)
    return reply


def namespaces(page: NamespacesPage) -> namespace_service_pb2.ListNamespacesResponse:
    """Reply of ListNamespaces."""
    reply = namespace_service_pb2.ListNamespacesResponse(next_page_token=page.next_page_token, revision=page.revision)
    for view in page.namespaces:
        fill_namespace(reply.namespaces.add(), view)
    return reply


def deleted(result: Forgotten) -> namespace_service_pb2.DeleteNamespaceResponse:
    """Reply of DeleteNamespace."""
    return namespace_service_pb2.DeleteNamespaceResponse(forgotten=result.count, revision=result.revision)
