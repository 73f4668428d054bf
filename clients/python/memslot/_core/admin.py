"""The sidecar itself: what it is, how it does, copies and checks of its store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from memslot._core import decode, methods
from memslot._core.binding import Binding, metadata_of, timeout_of
from memslot._core.pending import ask
from memslot._core.steps import Receive, Steps
from memslot.errors import MemslotError
from memslot.expiry import Seconds
from memslot.results import BackupInfo, CallCount, IndexStats, IntegrityReport, ServerInfo, Stats
from memslot.v1 import admin_service_pb2
from memslot.v1.admin_service_pb2 import (
    BackupRequest,
    BackupResponse,
    CheckIntegrityRequest,
    GetServerInfoRequest,
    StatsRequest,
)

LONG_TIMEOUT_S = 3600.0


def server_info(at: Binding, *, timeout: Seconds | None = None) -> Steps[ServerInfo]:
    """Return which server this is, and its limits. ``timeout`` in seconds."""
    reply = yield from ask(at, methods.SERVER_INFO, GetServerInfoRequest(), timeout)
    return ServerInfo(
        version=reply.version,
        store_id=reply.store_id,
        instance_id=reply.instance_id,
        store=reply.store,
        message_limit_bytes=reply.message_limit_bytes,
        namespace_defaults=decode.settings(reply.namespace_defaults),
        namespace_limit=reply.namespace_limit if reply.HasField("namespace_limit") else None,
        namespace_limit_per_root=reply.namespace_limit_per_root if reply.HasField("namespace_limit_per_root") else None,
        store_limit_bytes=reply.store_limit_bytes if reply.HasField("store_limit_bytes") else None,
        store_limit_bytes_per_root=reply.store_limit_bytes_per_root
        if reply.HasField("store_limit_bytes_per_root")
        else None,
        rank_half_life=decode.span(reply.rank_half_life),
        start_time=decode.moment(reply.start_time),
        revision=reply.revision,
        embedders=tuple(reply.embedders),
        store_warning=reply.store_warning,
    )


def stats(at: Binding, *, namespace: str = "", timeout: Seconds | None = None) -> Steps[Stats]:
    """Return what is stored, and what was done since the process started.

    ``indexes`` holds the index of ``namespace`` (a whole path), if it has one, and of those where most slots wait for a vector. ``timeout``
    in seconds. Raises InvalidName.
    """
    reply = yield from ask(at, methods.STATS, StatsRequest(namespace=namespace), timeout)
    return Stats(
        namespaces=reply.namespaces,
        slots=reply.slots,
        stored_bytes=reply.stored_bytes,
        file_bytes=reply.file_bytes,
        overwritten=reply.overwritten,
        evicted=reply.evicted,
        expired=reply.expired,
        audit_written=reply.audit_written,
        audit_dropped=reply.audit_dropped,
        audit_queued=reply.audit_queued,
        erase_pending=reply.erase_pending,
        calls=[CallCount(call.method, call.code, call.count) for call in reply.calls],
        projections={projection.name: projection.watermark for projection in reply.projections},
        uptime=decode.span(reply.uptime),
        revision=reply.revision,
        indexes={index.namespace: _index(index) for index in reply.indexes},
        index_documents=reply.index_documents,
        index_waiting=reply.index_waiting,
        index_bytes=reply.index_bytes,
        summaries=reply.summaries,
        summary_bytes=reply.summary_bytes,
    )


def check(at: Binding, *, timeout: Seconds | None = LONG_TIMEOUT_S) -> Steps[IntegrityReport]:
    """Check the store's files, and that its counters, bodies and feed agree. A problem is an answer, no error.

    ``timeout`` in seconds, one hour by default.
    """
    reply = yield from ask(at, methods.CHECK_INTEGRITY, CheckIntegrityRequest(), timeout)
    return IntegrityReport(problems=tuple(reply.problems), slots_checked=reply.slots_checked, revision=reply.revision)


def backup(
    at: Binding, to: str | os.PathLike[str] | BinaryIO, *, timeout: Seconds | None = LONG_TIMEOUT_S
) -> Steps[BackupInfo]:
    """Write a consistent copy of the store to a new file or an open binary one, while the sidecar goes on serving.

    An existing file is never replaced. The file is empty until it is whole and synced, and readable by its owner alone; placed as ``memslot.db`` in an empty data directory it is
    a store of its own. ``timeout`` in seconds, one hour by default.

    Raises FileExistsError, BackupUnsupported (the store lives in RAM), MemslotError with the reason BACKUP_INCOMPLETE.
    """
    if not isinstance(to, (str, os.PathLike)):
        return (yield from _copy(at, to, timeout))
    path = Path(to)
    path.touch(mode=0o600, exist_ok=False)
    partial = path.with_name(path.name + ".partial")
    try:
        partial.touch(mode=0o600)
        with partial.open("wb") as file:
            info = yield from _copy(at, file, timeout)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        path.unlink()
        partial.unlink(missing_ok=True)
        raise
    return info


def _index(message: admin_service_pb2.IndexStats) -> IndexStats:
    return IndexStats(
        namespace=message.namespace,
        documents=message.documents,
        vectors=message.vectors,
        waiting=message.waiting,
        indexed_revision=message.indexed_revision,
        vector_index=message.vector_index,
        model=message.model,
        dimensions=message.dimensions,
        truncated=message.truncated,
        problem=message.problem,
    )


def _copy(at: Binding, file: BinaryIO, timeout: Seconds | None) -> Steps[BackupInfo]:
    received, total, revision = 0, 0, 0

    def consume(message: BackupResponse) -> None:
        nonlocal received, total, revision
        file.write(message.chunk)
        received, total, revision = received + len(message.chunk), message.total_bytes, message.revision

    yield Receive(methods.BACKUP, BackupRequest(), metadata_of(at.session), timeout_of(at.session, timeout), consume)
    if received != total or not total:
        raise MemslotError(
            f"the backup ended after {received} of {total} bytes", reason="BACKUP_INCOMPLETE", code="DATA_LOSS"
        )
    return BackupInfo(total_bytes=total, revision=revision)
