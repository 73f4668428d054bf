"""AdminService: what the sidecar is and how it does, and copies of its store."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from memslot.v1 import admin_service_pb2 as pb
from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.operations import reindex
from memslot_sidecar.operations.context import Context
from memslot_sidecar.services.index_stats import fill_index_stats
from memslot_sidecar.services.moments import fill_duration, fill_timestamp
from memslot_sidecar.services.namespace_messages import fill_settings
from memslot_sidecar.services.server_facts import ServerFacts

_PROBLEM_LIMIT = 100


class AdminService:
    """The RPCs of memslot.v1.AdminService. They read the store and the process, and change neither; an index that is
    found damaged is made anew."""

    def __init__(self, ctx: Context, facts: ServerFacts) -> None:
        self._ctx = ctx
        self._facts = facts

    async def get_server_info(self, _request: pb.GetServerInfoRequest, call: Call) -> pb.GetServerInfoResponse:
        """Says which server this is, its limits, and what is enabled."""
        call.outcome, call.revision = "READ", self._ctx.store.revision
        return server_info(self._ctx, self._facts)

    async def stats(self, request: pb.StatsRequest, call: Call) -> pb.StatsResponse:
        """Counts what is stored and what was done."""
        call.outcome, call.revision = "READ", self._ctx.store.revision
        call.namespace = names.namespace_path(request.namespace) if request.namespace else ""
        reply = stats(self._ctx, self._facts)
        if self._ctx.finder is not None:
            await fill_index_stats(reply, self._ctx.finder, call.namespace)
        return reply

    async def backup(self, _request: pb.BackupRequest, call: Call) -> AsyncGenerator[pb.BackupResponse, None]:
        """Streams a consistent copy of the store. Raises BackupUnsupported."""
        async for chunk, total_bytes, revision in self._ctx.store.backup():
            call.outcome, call.revision = "COPIED", revision
            yield pb.BackupResponse(chunk=chunk, total_bytes=total_bytes, revision=revision)

    async def check_integrity(self, _request: pb.CheckIntegrityRequest, call: Call) -> pb.CheckIntegrityResponse:
        """Checks the store's files, and the index's, which is made anew when it is damaged."""
        report = await self._ctx.store.check()
        problems = [*report.problems, *([] if self._ctx.finder is None else await self._ctx.finder.check())]
        call.outcome, call.revision = "CHECKED", self._ctx.store.revision
        call.count = len(problems)
        return pb.CheckIntegrityResponse(
            problems=problems[:_PROBLEM_LIMIT], slots_checked=report.slots_checked, revision=call.revision
        )

    async def reindex(self, request: pb.ReindexRequest, call: Call) -> AsyncGenerator[pb.ReindexResponse, None]:
        """Makes the index anew."""
        async for progress in reindex.reindex(self._ctx, call, request.namespace, vectors=request.vectors):
            yield pb.ReindexResponse(
                done=progress.done, total=progress.total, namespace=progress.namespace, revision=progress.revision
            )


def server_info(ctx: Context, facts: ServerFacts) -> pb.GetServerInfoResponse:
    """What the server is."""
    reply = pb.GetServerInfoResponse(
        version=facts.version,
        store_id=ctx.store.store_id,
        instance_id=facts.instance_id,
        store=ctx.store.kind,
        message_limit_bytes=facts.message_limit_bytes,
        namespace_limit=ctx.limits.namespace_limit,
        namespace_limit_per_root=ctx.limits.namespace_limit_per_root,
        store_limit_bytes=ctx.limits.store_limit_bytes,
        store_limit_bytes_per_root=ctx.limits.store_limit_bytes_per_root,
        revision=ctx.store.revision,
        embedders=[] if ctx.finder is None else ctx.finder.models.names,
        store_warning=facts.store_warning,
    )
    fill_settings(reply.namespace_defaults, ctx.rules.defaults)
    fill_duration(reply.rank_half_life, ctx.decay.half_life_ms)
    fill_timestamp(reply.start_time, facts.started_ms)
    return reply


def stats(ctx: Context, facts: ServerFacts) -> pb.StatsResponse:
    """What is stored, and what was done."""
    usage, counted = ctx.store.usage(), facts.counters()
    reply = pb.StatsResponse(
        namespaces=usage.namespaces,
        slots=usage.slots,
        stored_bytes=usage.stored_bytes,
        file_bytes=ctx.store.file_bytes(),
        overwritten=counted.overwritten,
        evicted=counted.evicted,
        expired=counted.expired,
        audit_written=counted.audit_written,
        audit_dropped=counted.audit_dropped,
        audit_queued=counted.audit_queued,
        calls=[pb.CallCount(method=m, code=code, count=n) for (m, code), n in sorted(counted.calls.items())],
        projections=[pb.ProjectionStats(name=n, watermark=w) for n, w in sorted(counted.projections.items())],
        erase_pending=ctx.store.erase_pending,
        revision=ctx.store.revision,
    )
    fill_duration(reply.uptime, max(0, ctx.store.now_ms() - facts.started_ms))
    return reply
