"""What the sidecar tells about itself, and copies of its store."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.services.served import START_MS, served, store_maker

from memslot.v1.admin_service_pb2 import (
    BackupRequest,
    CheckIntegrityRequest,
    GetServerInfoRequest,
    StatsRequest,
)
from memslot.v1.slot_service_pb2 import ReadRequest, WriteRequest
from memslot_sidecar.errors import BackupUnsupported
from memslot_sidecar.rules import Limits

A = {"namespace": "ns", "name": "a"}


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
async def test_the_server_tells_what_it_is(kind: str, tmp_path: Path) -> None:
    """Version, identities, defaults and limits are told; a limit that is not set is unset."""
    async with served(store_maker(kind, tmp_path), limits=Limits(namespace_limit=7)) as run:
        info = await run(GetServerInfoRequest())
        assert (info.store, info.store_id, info.version) == (kind, run.store.store_id, "0.0.0")
        assert (info.namespace_limit, info.HasField("store_limit_bytes")) == (7, False)
        assert (info.namespace_defaults.slot_limit, info.namespace_defaults.ttl_default.seconds) == (64, 86_400)
        assert (info.rank_half_life.seconds, info.start_time.ToMilliseconds()) == (86_400, START_MS)


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
async def test_stats_count_what_is_stored(kind: str, tmp_path: Path) -> None:
    """Namespaces, slots and bytes are those of the store; the uptime is that of the clock."""
    async with served(store_maker(kind, tmp_path)) as run:
        await run(WriteRequest(**A, body=b"12345"))
        run.clock.forward(1_500)
        stats = await run(StatsRequest())
        assert (stats.namespaces, stats.slots, stats.stored_bytes, stats.revision) == (1, 1, 5, 1)
        assert stats.uptime.ToMilliseconds() == 1_500
        assert (stats.file_bytes > 0) == (kind == "sqlite")


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
async def test_a_sound_store_has_no_problems(kind: str, tmp_path: Path) -> None:
    """The check counts the slots it looked at, and finds nothing."""
    async with served(store_maker(kind, tmp_path)) as run:
        await run(WriteRequest(**A, body=b"12345"))
        report = await run(CheckIntegrityRequest())
        assert (list(report.problems), report.slots_checked, report.revision) == ([], 1, 1)


async def test_a_backup_streams_a_whole_store(tmp_path: Path) -> None:
    """The chunks, together as long as they say, are a store that holds what was written before."""
    async with served(store_maker("sqlite", tmp_path)) as run:
        await run(WriteRequest(**A, body=b"12345" * 500))
        pieces = [piece async for piece in run.stream(BackupRequest())]
        assert {piece.revision for piece in pieces} == {1}
        copy = b"".join(piece.chunk for piece in pieces)
        assert {piece.total_bytes for piece in pieces} == {len(copy)}
    place(tmp_path / "restored" / "data" / "memslot.db", copy)
    async with served(store_maker("sqlite", tmp_path / "restored")) as run:
        assert (await run(ReadRequest(**A))).slot.body == b"12345" * 500


def place(path: Path, content: bytes) -> None:
    """Writes a file, and the folders above it."""
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


async def test_a_store_in_ram_has_no_backup() -> None:
    """Asking for one says so."""
    async with served() as run:
        with pytest.raises(BackupUnsupported):
            _ = [piece async for piece in run.stream(BackupRequest())]
