"""Callers that go away: nothing is left of their calls but what was committed, and one event each."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest
from google.protobuf.message import Message
from tests.faults.asking import NAMESPACE, append, read, write
from tests.faults.in_process import STORES, InProcess, in_process
from tests.faults.trail import operations_told, read_trail, reconcile, revisions_told
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2, namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import MemslotError

CALLS = 2000
GROWTH_BYTES = 300_000


def any_request(chance: random.Random) -> Message:
    """A request of any kind about a few slots."""
    name = f"slot {chance.randrange(20)}"
    commit = pb.CommitRequest(namespace=NAMESPACE)
    commit.operations.add(write=pb.WriteRequest(name=name, body=b"committed"))
    expiring = write(name, b"expiring")
    expiring.ttl.FromMilliseconds(50)
    requests: list[Message] = [
        write(name, b"%d" % chance.randrange(10**9)),
        append("log", b"x"),
        read(name),
        expiring,
        commit,
        pb.ForgetRequest(namespace=NAMESPACE, name=name),
        pb.ForgetMatchingRequest(namespace=NAMESPACE, all=True),
        pb.LookupRequest(namespace=NAMESPACE, recursive=chance.random() < 0.5),
        pb.BatchReadRequest(namespace=NAMESPACE, names=[name, "log"]),
        pb.ListVersionsRequest(namespace=NAMESPACE, name=name),
        namespace_service_pb2.ListNamespacesRequest(),
    ]
    return chance.choice(requests)


@pytest.mark.parametrize("store", STORES)
async def test_cancelled_calls_leave_one_event_and_nothing_else(tmp_path: Path, store: str) -> None:
    """Of two thousand calls that are cancelled wherever they are, each has exactly one audit event, each committed revision is told, no
    task and no memory stays behind, and the store is sound."""
    chance = random.Random()
    async with in_process(store, tmp_path, body_limit_bytes=100_000) as run:
        before = asyncio.all_tasks()
        await _cancel_many(run, chance, CALLS // 2)
        grown = await _grown_by(run, chance, CALLS // 2)
        assert asyncio.all_tasks() == before
        assert grown < GROWTH_BYTES
        assert list((await run(admin_service_pb2.CheckIntegrityRequest())).problems) == []
        events = await run.events()
    told = revisions_told(events)
    assert told == list(range(1, len(told) + 1))
    calls = [event["event_id"] for event in events if event.get("last_part", True) and event["operation"] != "Expire"]
    assert len(calls) == len(set(calls)) == CALLS + 1
    if store == "sqlite":
        assert {event["code"] for event in events} >= {"OK", "CANCELLED"}


async def test_cancellation_arrives_in_the_call_and_not_after_it(tmp_path: Path) -> None:
    """A deadline that passes while a commit is synced ends this call alone, and cancels nothing that its caller does next; the event tells
    what was committed, and that nobody was there to hear of it."""
    cancelled_in_call = 0

    async def caller(number: int) -> None:
        nonlocal cancelled_in_call
        try:
            await run(write("a", b"%d" % number))
        except asyncio.CancelledError:
            cancelled_in_call += 1
            await asyncio.sleep(0.001)

    async with in_process("sqlite", tmp_path) as run:
        for number in range(50):
            calling = asyncio.ensure_future(caller(number))
            await asyncio.sleep(0)
            calling.cancel()
            await calling
        events = await run.events()
    assert cancelled_in_call == 50
    assert [(event["code"], event["outcome"]) for event in events] == [
        ("CANCELLED", "OVERWRITTEN" if number else "CREATED") for number in range(50)
    ]


async def _cancel_many(run: InProcess, chance: random.Random, calls: int) -> None:
    """Makes calls in groups, and cancels each after a few turns of the loop or a moment."""
    for start in range(0, calls, 50):
        tasks = [asyncio.ensure_future(_cancelled(run, chance)) for _ in range(start, min(start + 50, calls))]
        await asyncio.gather(*tasks)


async def _cancelled(run: InProcess, chance: random.Random) -> None:
    call = asyncio.ensure_future(run(any_request(chance)))
    await asyncio.sleep(0)
    for _ in range(chance.randrange(4)):
        await asyncio.sleep(0)
    if chance.random() < 0.3:
        await asyncio.sleep(chance.random() * 0.01)
    call.cancel()
    try:
        await call
    except (asyncio.CancelledError, MemslotError):
        return


async def _grown_by(run: InProcess, chance: random.Random, calls: int) -> int:
    """How many bytes more are in use after so many calls, without what the change feed keeps."""
    tracemalloc.start()
    try:
        await _settled(run)
        before, _ = tracemalloc.get_traced_memory()
        await _cancel_many(run, chance, calls)
        await _settled(run)
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


async def _settled(run: InProcess) -> None:
    await run.sidecar.audit.flush()
    store = run.sidecar.store
    await store.trim_feed(1, store.now_ms() + 1, store.revision)
    gc.collect()


@pytest.mark.slow
def test_calls_that_run_out_of_time_leave_nothing_in_the_server(tmp_path: Path) -> None:
    """Two thousand calls over the wire with deadlines of a few milliseconds or cancelled by the caller: as many events as calls were
    counted, memory and threads as before, and the server stops in order."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as served:
        slots, admin = served.ready().slots(), served.admin()
        process = psutil.Process(served.pid)
        _abandon(slots, CALLS // 2)
        before = process.memory_info().rss
        _abandon(slots, CALLS // 2)
        eventually(lambda: _quiet(admin), "all calls have ended")
        assert process.memory_info().rss - before < 10_000_000
        assert process.num_threads() < 40
        while sum(_told(tmp_path).values()) <= CALLS // 4:
            # A slow machine takes in less of them in their time.
            _abandon(slots, CALLS // 4)
        # A call whose caller has given up may still come in.
        eventually(lambda: _counted(admin) == _told(tmp_path), "as many calls are counted as events are told")
        assert served.stop() == 0
    assert sum(_told(tmp_path).values()) > CALLS // 4
    assert reconcile(tmp_path) == ""


def _abandon(slots: Any, calls: int) -> None:
    """Makes calls whose callers soon go away."""
    chance = random.Random()
    under_way = []
    for number in range(calls):
        method, request = chance.choice(
            [
                ("Write", write(f"slot {number % 20}", b"%d" % number)),
                ("Read", read("slot 1")),
                ("Write", append("log", b"x")),
            ]
        )
        under_way.append(getattr(slots, method).future(request, timeout=chance.uniform(0.002, 0.05)))
        if number % 3 == 0:
            under_way.pop(chance.randrange(len(under_way))).cancel()
        if len(under_way) > 50:
            time.sleep(0.01)
            under_way = [call for call in under_way if not call.done()]
    for call in under_way:
        eventually(call.done, "it is answered or given up")


def _stats(admin: Any) -> Any:
    return admin.Stats(admin_service_pb2.StatsRequest(), timeout=PATIENCE_S)


def _counted(admin: Any) -> Counter[tuple[str, str]]:
    """How many calls the server counts, by operation and code, without those that ask for it."""
    calls = ((call.method.partition("/")[2], call.code, call.count) for call in _stats(admin).calls)
    return Counter({(operation, code): count for operation, code, count in calls if operation != "Stats"})


def _told(directory: Path) -> Counter[tuple[str, str]]:
    """The same by the events."""
    told = operations_told(read_trail(directory / "audit.jsonl"))
    return Counter(call for call in told if call[0] != "Stats")


def _quiet(admin: Any) -> bool:
    """Whether nothing but asking for it is counted between two looks."""
    first, second = (sum(c.count for c in _stats(admin).calls) for _ in range(2))
    return bool(second - first == 1)
