"""What happens when events come faster than they can be written, or cannot be written at all."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest
from tests.sidecar.audit.harness import (
    FailingSink,
    admitted,
    call,
    chosen,
    commit,
    created,
    events_in,
    eventually,
    expiry,
    forgotten,
    operations_in,
    record,
    started,
)


async def test_block_lets_calls_wait_and_loses_none() -> None:
    """Under the policy block a call waits while the queue is full, goes on when there is room, and no event is lost."""
    sink = FailingSink()
    async with started(sink, policy="block", limit=10) as (audit, _):
        sink.down = True
        for _ in range(10):
            await admitted(audit)
            audit.finished(call(), "OK")
        waiting = [asyncio.ensure_future(admitted(audit)) for _ in range(25)]
        await eventually(lambda: audit.stats.failing, "the sink fails")
        assert not any(waiter.done() for waiter in waiting)
        sink.down = False
        for waiter in waiting:
            await waiter
            audit.finished(call(), "OK")
    assert len(sink.events()) == 35
    assert audit.stats.dropped == 0


async def test_a_cancelled_wait_lets_others_in() -> None:
    """A call that gives up while it waits does not take another's place."""
    sink = FailingSink()
    async with started(sink, policy="block", limit=1) as (audit, _):
        sink.down = True
        audit.finished(call(), "OK")
        gone, patient = asyncio.ensure_future(admitted(audit)), asyncio.ensure_future(admitted(audit))
        await asyncio.sleep(0)
        gone.cancel()
        sink.down = False
        await patient
        assert gone.cancelled()


async def test_drop_counts_and_tells_what_it_dropped() -> None:
    """Under the policy drop no call waits; what was dropped is counted, and told in the trail where it is missing."""
    sink = FailingSink()
    async with started(sink, policy="drop", limit=10) as (audit, _):
        sink.down = True
        for _ in range(25):
            await admitted(audit)
            audit.finished(call(), "OK")
        assert audit.stats.dropped == 15
        sink.down = False
        await eventually(lambda: audit.stats.queued == 0, "the queue is written")
        audit.finished(call("Read", "after"), "OK")
    events = sink.events()
    assert [event["operation"] for event in events] == ["Read"] * 10 + ["AuditOverflow", "Read"]
    assert events[10]["count"] == 15


@pytest.mark.parametrize("policy", ["block", "drop"])
async def test_mutations_are_never_dropped(policy: str) -> None:
    """While nothing can be written, mutations wait in the store's feed, not in memory, and are told when it can again."""
    sink = FailingSink()
    async with started(sink, policy=policy, limit=10) as (audit, store):
        sink.down = True
        made = []
        for number in range(500):
            made.append(call("Write", f"s{number}"))
            await record(store, made[-1], created(f"s{number}"))
            audit.finished(made[-1], "OK")
        stats = audit.stats
        assert stats.queued <= 20
        assert stats.behind == 500 - stats.queued
        sink.down = False
        await eventually(lambda: store.watermark("audit") == 500, "all is told")
        later = call("Write", "later")
        await record(store, later, created("later"))
        audit.finished(later, "OK")
    events = sink.events()
    assert sorted(operations_in(events)) == sorted(one.event_id for one in [*made, later])
    assert sorted(event["revision"] for event in events) == list(range(1, 502))
    assert events[0]["code"] == "OK"
    assert "recovered" not in events[0]
    assert (events[400]["recovered"], events[400]["code"]) == (True, "UNKNOWN")
    assert "recovered" not in events[-1]


async def test_a_long_operation_while_nothing_can_be_written_is_still_one_event() -> None:
    """An operation of many revisions that is overtaken by a full queue is told whole, in parts that are numbered through."""
    sink = FailingSink()
    async with started(sink, limit=10) as (audit, store):
        sink.down = True
        made = call("ForgetMatching")
        names = [f"s{number}" for number in range(6_000)]
        for start in range(0, 6_000, 500):
            await record(store, made, *forgotten(names[start : start + 500]), outcome="FORGOTTEN")
        audit.finished(made, "OK")
        assert audit.stats.behind > 0
        sink.down = False
        await eventually(lambda: store.watermark("audit") == 12, "all is told")
    events = sink.events()
    assert operations_in(events) == [made.event_id]
    assert [event["part"] for event in events] == list(range(1, len(events) + 1))
    assert sorted(name for event in events for name in event["names"]) == sorted(names)


async def test_a_full_disk_tears_no_line() -> None:
    """When the disk fills up in the middle of a line, the line is completed once there is room."""
    sink = FailingSink()
    sink.room = 1000
    async with started(sink, limit=100) as (audit, store):
        for number in range(10):
            made = call("Write", f"s{number}")
            await record(store, made, created(f"s{number}"))
            audit.finished(made, "OK")
        await eventually(lambda: audit.stats.failing, "the disk is full")
        assert len(sink.taken) == 1000
        assert store.watermark("audit") == 0
        sink.room = None
        await eventually(lambda: store.watermark("audit") == 10, "all is told")
    assert [event["revision"] for event in sink.events()] == list(range(1, 11))


async def test_a_disk_that_stays_full_does_not_keep_the_process() -> None:
    """Closing gives up on a place that takes nothing, and leaves the watermark where it was."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        sink.down = True
        made = call("Write", "a")
        await record(store, made, created("a"))
        audit.finished(made, "OK")
        audit.finished(call(), "OK")
        await audit.close(grace_s=0.05)
        assert audit.stats.dropped == 2
        assert store.watermark("audit") == 0


async def test_a_pipe_that_nobody_reads_blocks_no_call_under_drop(tmp_path: Path) -> None:
    """A slow consumer costs events of reads, counted, but no call waits; when it reads again, it reads whole lines."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with started(chosen(str(pipe)), policy="drop", limit=100) as (audit, store):
        for number in range(2000):
            await admitted(audit)
            audit.finished(call("Read", f"s{number}"), "OK")
            await asyncio.sleep(0)
        await eventually(lambda: audit.stats.dropped > 0, "events are dropped")
        await commit(store, expiry(), forgotten(["x"]), "EXPIRED")
        read = bytearray()
        reader = threading.Thread(target=_read_all, args=(pipe, read))
        reader.start()
        await eventually(lambda: b"AuditOverflow" in read and b"EXPIRED" in read, "the pipe is read")
    reader.join()
    events = events_in(bytes(read))
    dropped = sum(event["count"] for event in events if event["operation"] == "AuditOverflow")
    assert dropped == audit.stats.dropped
    assert sum(event["operation"] == "Read" for event in events) == 2000 - dropped


def _read_all(pipe: Path, into: bytearray) -> None:
    with pipe.open("rb", buffering=0) as file:
        while data := file.read(65_536):
            into += data


@pytest.mark.parametrize("policy", ["block", "drop"])
async def test_a_pipe_without_a_reader_lets_the_process_stop(tmp_path: Path, policy: str) -> None:
    """Closing gives up on a pipe that nobody reads."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with started(chosen(str(pipe)), policy=policy, limit=1000) as (audit, _):
        for _ in range(1000):
            audit.finished(call(), "OK")
        await audit.close(grace_s=0.1)
        assert audit.stats.dropped > 0
