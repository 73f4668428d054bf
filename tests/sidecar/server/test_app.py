"""The sidecar without a network, as the embedded client uses it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from memslot.v1 import admin_service_pb2, slot_service_pb2
from memslot_sidecar.app import Sidecar
from memslot_sidecar.audit.sinks.memory import MemorySink
from memslot_sidecar.config import Config
from memslot_sidecar.errors import BackupUnsupported, InternalError, SlotNotFound, StoreUnavailable

WRITE = slot_service_pb2.WriteRequest(namespace="acme", name="a", body=b"body")
READ = slot_service_pb2.ReadRequest(namespace="acme", name="a")


async def test_calls_take_the_same_way_as_through_grpc() -> None:
    """A dispatched call is answered with a message, and leaves its event with who asked."""
    sidecar = Sidecar(Config(store="ram"))
    await sidecar.start()
    await sidecar.dispatch("SlotService/Write", WRITE, [("memslot-agent", "planner")])
    reply = await sidecar.dispatch("SlotService/Read", READ)
    assert reply.slot.body == b"body"
    with pytest.raises(SlotNotFound):
        await sidecar.dispatch("SlotService/Read", slot_service_pb2.ReadRequest(namespace="acme", name="b"))
    stats = await sidecar.dispatch("AdminService/Stats", admin_service_pb2.StatsRequest())
    counted = {(call.method, call.code): call.count for call in stats.calls}
    assert counted == {
        ("SlotService/Write", "OK"): 1,
        ("SlotService/Read", "OK"): 1,
        ("SlotService/Read", "NOT_FOUND"): 1,
    }
    await sidecar.stop()
    assert isinstance(sidecar.audit_sink, MemorySink)
    events = [json.loads(line) for line in sidecar.audit_sink.lines]
    assert [(event["operation"], event["code"], event.get("agent")) for event in events] == [
        ("Write", "OK", "planner"),
        ("Read", "OK", None),
        ("Read", "NOT_FOUND", None),
        ("Stats", "OK", None),
    ]


async def test_streams_are_dispatched_too(tmp_path: Path) -> None:
    """A backup comes as messages, or fails with its own error where there is nothing to copy."""
    sidecar = Sidecar(Config(data_dir=tmp_path))
    await sidecar.start()
    replies = [r async for r in sidecar.stream("AdminService/Backup", admin_service_pb2.BackupRequest())]
    assert sum(len(reply.chunk) for reply in replies) == replies[0].total_bytes
    await sidecar.stop()
    ram = Sidecar(Config(store="ram"))
    await ram.start()
    with pytest.raises(BackupUnsupported):
        [r async for r in ram.stream("AdminService/Backup", admin_service_pb2.BackupRequest())]
    await ram.stop()


async def test_bug_reaches_the_caller_as_an_id() -> None:
    """An unforeseen exception is an InternalError with an id."""
    sidecar = Sidecar(Config(store="ram"))
    await sidecar.start()
    unfit: Any = object()
    with pytest.raises(InternalError) as caught:
        await sidecar.dispatch("SlotService/Read", unfit)
    assert len(caught.value.metadata["error_id"]) == 16
    await sidecar.stop()


async def test_stopped_sidecar_refuses() -> None:
    """Before the start and after the stop calls are refused; stopping twice does no harm."""
    sidecar = Sidecar(Config(store="ram"))
    with pytest.raises(StoreUnavailable):
        await sidecar.dispatch("SlotService/Read", READ)
    await sidecar.start()
    await sidecar.stop()
    await sidecar.stop()
    with pytest.raises(StoreUnavailable):
        await sidecar.dispatch("SlotService/Read", READ)


async def test_stop_waits_for_calls_under_way(tmp_path: Path) -> None:
    """A call that was begun before the stop is answered."""
    sidecar = Sidecar(Config(data_dir=tmp_path))
    await sidecar.start()
    writing = [asyncio.ensure_future(sidecar.dispatch("SlotService/Write", WRITE)) for _ in range(20)]
    await asyncio.sleep(0)
    await sidecar.stop(60)
    assert sorted(reply.receipt.version for reply in await asyncio.gather(*writing)) != []


async def test_tasks_end_with_the_sidecar(tmp_path: Path) -> None:
    """A stopped sidecar leaves no task behind."""
    sidecar = Sidecar(Config(data_dir=tmp_path))
    await sidecar.start()
    await sidecar.dispatch("SlotService/Write", WRITE)
    await sidecar.stop()
    assert asyncio.all_tasks() == {asyncio.current_task()}
