"""NamespaceService: each RPC parses, calls its operation, and answers."""

from __future__ import annotations

from google.protobuf.message import Message

from memslot.v1 import namespace_service_pb2 as pb
from memslot_sidecar.call import Call
from memslot_sidecar.operations import namespaces, tasks
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.services import replies, task_messages
from memslot_sidecar.services.namespace_messages import fill_namespace, update_namespace_command
from memslot_sidecar.services.repeating import once_of
from memslot_sidecar.services.unknown_fields import refuse_unknown


class NamespaceService:
    """The RPCs of memslot.v1.NamespaceService. Each raises what its operation raises."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    async def update_namespace(self, request: pb.UpdateNamespaceRequest, call: Call) -> Message | bytes:
        """Creates or configures a namespace."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, replies.configured)
        result = await namespaces.update_namespace(self._ctx, call, update_namespace_command(request), once)
        return replies.answer(result, replies.configured, once)

    async def get_namespace(self, request: pb.GetNamespaceRequest, call: Call) -> pb.GetNamespaceResponse:
        """Returns one namespace."""
        view = await namespaces.get_namespace(self._ctx, call, request.namespace)
        reply = pb.GetNamespaceResponse(revision=view.revision)
        fill_namespace(reply.namespace, view)
        return reply

    async def list_namespaces(self, request: pb.ListNamespacesRequest, call: Call) -> pb.ListNamespacesResponse:
        """Lists namespaces."""
        page = await namespaces.list_namespaces(self._ctx, call, request.parent, request.page_size, request.page_token)
        return replies.namespaces(page)

    async def delete_namespace(self, request: pb.DeleteNamespaceRequest, call: Call) -> Message | bytes:
        """Removes a namespace."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, replies.deleted)
        result = await namespaces.delete_namespace(self._ctx, call, request.namespace, request.force, once)
        return replies.answer(result, replies.deleted, once)

    async def begin_task(self, request: pb.BeginTaskRequest, call: Call) -> Message | bytes:
        """Begins an attempt of a task."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, task_messages.begun)
        result = await tasks.begin_task(self._ctx, call, task_messages.begin_command(request), once)
        return replies.answer(result, task_messages.begun, once)

    async def end_task(self, request: pb.EndTaskRequest, call: Call) -> Message | bytes:
        """Ends an attempt of a task."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, task_messages.ended)
        result = await tasks.end_task(self._ctx, call, task_messages.end_command(request), once)
        return replies.answer(result, task_messages.ended, once)
