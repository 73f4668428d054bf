"""Reindex: makes the index anew from the store, and tells how far it is."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import IndexNotEnabled, NamespaceNotFound
from memslot_sidecar.finding.reindexing import Progress, Reindexing
from memslot_sidecar.model import IndexMode
from memslot_sidecar.operations.context import Context


async def reindex(ctx: Context, call: Call, namespace: str, *, vectors: bool) -> AsyncGenerator[Progress, None]:
    """Indexes a namespace and those below it anew, or all where it is empty; with ``vectors`` also what its model made already.

    Raises InvalidName, NamespaceNotFound, IndexNotEnabled, IndexUnavailable.
    """
    call.namespace = names.namespace_path(namespace) if namespace else ""
    call.outcome = "REINDEXED"
    finder = ctx.finder
    known, indexed = 0, []
    if finder is not None and finder.index is not None:
        async for path in finder.paths(call.namespace):
            known += 1
            if ctx.settings(path).index_mode is not IndexMode.KEYS:
                indexed.append(path)
    if namespace and not known and ctx.store.namespace(call.namespace) is None:
        raise NamespaceNotFound(
            f"no namespace '{call.namespace}': it holds no slot and was not configured",
            field="namespace",
            metadata={"namespace": call.namespace},
        )
    if finder is None or not indexed:
        raise IndexNotEnabled(
            "nothing here is found by more than its name: set the index_mode of a namespace first"
            " (memslot namespaces set PATH --index-mode fulltext)",
            field="namespace",
        )
    total = sum([await ctx.store.live_count(path) for path in indexed])
    async for progress in Reindexing(finder, indexed, total, vectors=vectors).watched():
        call.count, call.revision = progress.done, progress.revision
        yield progress
