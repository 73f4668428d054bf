"""SlotService: each RPC parses, calls its operation, and answers."""

from __future__ import annotations

from google.protobuf.message import Message

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.call import Call
from memslot_sidecar.operations import (
    batch_read,
    describe,
    forget,
    forget_matching,
    lookup,
    read,
    search,
    summaries,
    update_info,
    versions,
)
from memslot_sidecar.operations import commit as committing
from memslot_sidecar.operations import write as writing
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.services import replies, search_messages, slot_commands
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.lookup_pages import NamesMemo, lookup_command, lookup_reply, names_reply
from memslot_sidecar.services.repeating import once_of
from memslot_sidecar.services.slot_memo import ReadReply, SlotMemo
from memslot_sidecar.services.slot_messages import Clocked
from memslot_sidecar.services.summary_messages import SUMMARY_WANTED, summary_reply
from memslot_sidecar.services.unknown_fields import refuse_unknown


class SlotService:
    """The RPCs of memslot.v1.SlotService. Each raises what its operation raises."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._memo = SlotMemo()
        self._names = NamesMemo()

    async def write(self, request: pb.WriteRequest, call: Call) -> Message | bytes:
        """Creates a slot or changes its body."""
        about(call, request.namespace, request.name)
        refuse_unknown(request)
        once = once_of(request, call, replies.written)
        result = await writing.write(self._ctx, call, slot_commands.write_command(request), once)
        return replies.answer(result, replies.written, once)

    async def update_info(self, request: pb.UpdateInfoRequest, call: Call) -> Message | bytes:
        """Changes metadata or expiry."""
        about(call, request.namespace, request.name)
        refuse_unknown(request)
        once = once_of(request, call, replies.updated)
        result = await update_info.update_info(self._ctx, call, slot_commands.update_info_command(request), once)
        return replies.answer(result, replies.updated, once)

    async def read(self, request: pb.ReadRequest, call: Call) -> Message | ReadReply:
        """Returns one slot with its body, or with a summary in its place."""
        if request.view and known(SUMMARY_WANTED, request.view, "view"):
            return await self._read_summary(request, call)
        found = await read.read(self._ctx, call, request.namespace, request.name, request.if_revision_not)
        revision = max(self._ctx.store.revision, call.revision)
        if found is None:
            return pb.ReadResponse(not_modified=True, revision=revision)
        score = self._ctx.decay.score(found.record.rank, self._ctx.store.now_ms())
        return ReadReply(self._memo.beginning(found.record), found.body, score, revision)

    async def forget(self, request: pb.ForgetRequest, call: Call) -> Message | bytes:
        """Removes one slot."""
        about(call, request.namespace, request.name)
        refuse_unknown(request)
        once = once_of(request, call, replies.forgotten)
        result = await forget.forget(self._ctx, call, slot_commands.forget_command(request), once)
        return replies.answer(result, replies.forgotten, once)

    async def forget_matching(self, request: pb.ForgetMatchingRequest, call: Call) -> Message | bytes:
        """Removes all slots that match."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, replies.forgotten_matching)
        command = slot_commands.forget_matching_command(request)
        result = await forget_matching.forget_matching(self._ctx, call, command, once)
        return replies.answer(result, replies.forgotten_matching, once)

    async def lookup(self, request: pb.LookupRequest, call: Call) -> Message | bytes:
        """Lists slots without their bodies."""
        about(call, request.namespace)
        command = lookup_command(request)
        found = await lookup.lookup(self._ctx, call, command)
        if not (command.with_info or command.recursive or request.max_bytes):
            return names_reply(found, self._names)
        reply = lookup_reply(request, found, self._clocked())
        call.count = len(reply.slots)
        return reply

    async def describe(self, request: pb.DescribeRequest, call: Call) -> pb.DescribeResponse:
        """Returns everything but the body."""
        asked = request.summaries
        results = await describe.describe(self._ctx, call, request.namespace, request.names, summaries=asked)
        return replies.described(results, self._clocked(), call.revision)

    async def batch_read(self, request: pb.BatchReadRequest, call: Call) -> pb.BatchReadResponse:
        """Returns many slots with their bodies."""
        results = await batch_read.read_many(self._ctx, call, request.namespace, request.names, request.max_bytes)
        return replies.read_many(results, self._clocked(), call.revision)

    async def commit(self, request: pb.CommitRequest, call: Call) -> Message | bytes:
        """Applies many operations or none."""
        about(call, request.namespace)
        refuse_unknown(request)
        once = once_of(request, call, replies.committed)
        steps = slot_commands.commit_steps(request)
        result = await committing.commit(self._ctx, call, request.namespace, steps, once)
        return replies.answer(result, replies.committed, once)

    async def search(self, request: pb.SearchRequest, call: Call) -> pb.SearchResponse:
        """Finds slots by words, by meaning, or both."""
        infos, summed = search_messages.wanted(request)
        found = await search.search(self._ctx, call, search_messages.search_command(request))
        records = [hit.record for hit in found.hits]
        kept = await summaries.of_records(self._ctx, records) if summed else {}
        return search_messages.search_reply(found, self._clocked(), infos=infos, summaries=kept)

    async def list_versions(self, request: pb.ListVersionsRequest, call: Call) -> pb.ListVersionsResponse:
        """Lists the kept versions of a slot."""
        found = await versions.list_versions(
            self._ctx, call, request.namespace, request.name, request.page_size, request.page_token
        )
        return replies.versions(found)

    async def read_version(self, request: pb.ReadVersionRequest, call: Call) -> pb.ReadVersionResponse:
        """Returns one kept version with its body."""
        found = await versions.read_version(self._ctx, call, request.namespace, request.name, request.version_revision)
        reply = pb.ReadVersionResponse(revision=seen(self._ctx.store.revision, (found.today, found.version)))
        self._clocked().fill_version(reply.slot, found)
        return reply

    async def _read_summary(self, request: pb.ReadRequest, call: Call) -> pb.ReadResponse:
        found = await summaries.read_summary(self._ctx, call, request.namespace, request.name, request.if_revision_not)
        revision = max(self._ctx.store.revision, call.revision)
        if found is None:
            return pb.ReadResponse(not_modified=True, revision=revision)
        return summary_reply(found, self._clocked(), revision)

    def _clocked(self) -> Clocked:
        return Clocked(self._ctx.decay, self._ctx.store.now_ms())
