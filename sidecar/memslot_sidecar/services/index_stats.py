"""What Stats tells about the index."""

from __future__ import annotations

from memslot.v1 import admin_service_pb2 as pb
from memslot_sidecar.finding.finder import PROJECTION, Finder


async def fill_index_stats(reply: pb.StatsResponse, finder: Finder, namespace: str) -> None:
    """Adds sums over all namespaces, and more about ``namespace`` and those that are furthest behind."""
    overview = await finder.overview()
    reply.index_documents = overview.documents
    reply.index_waiting = overview.waiting
    reply.index_bytes = overview.file_bytes
    reply.summaries, reply.summary_bytes = await finder.summaries.stats()
    if finder.watermark is not None:
        reply.projections.add(name=PROJECTION, watermark=finder.watermark)
    for path in dict.fromkeys([*([namespace] if namespace else []), *overview.slowest]):
        await _fill(reply, finder, path)


async def _fill(reply: pb.StatsResponse, finder: Finder, path: str) -> None:
    found = await finder.stats(path)
    if found is None:
        return
    reply.indexes.add(
        namespace=path,
        documents=found.documents,
        vectors=found.vectors,
        waiting=found.waiting,
        truncated=found.truncated,
        indexed_revision=await finder.indexed_revision(path),
        vector_index=found.kind,
        model=found.model,
        dimensions=found.dimensions,
        problem=finder.problem_of(path) or found.problem or finder.summaries.problem(path),
    )
