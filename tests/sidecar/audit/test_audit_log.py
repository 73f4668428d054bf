"""One event an operation, told from the change feed where it holds one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.sidecar.audit.harness import (
    FailingSink,
    admitted,
    call,
    commit,
    created,
    eventually,
    expiry,
    forgotten,
    operations_in,
    record,
    started,
)

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.memory import MemorySink
from memslot_sidecar.errors import StartupError
from memslot_sidecar.stores.ram import RamStore


async def test_a_call_without_a_change_leaves_one_event() -> None:
    """Reads and refusals leave one event each, with their codes."""
    sink = FailingSink()
    async with started(sink) as (audit, _):
        await admitted(audit)
        audit.finished(call("Read", "plan", outcome="READ"), "OK")
        audit.finished(call("Write", "plan"), "RESOURCE_EXHAUSTED")
    assert [(event["operation"], event["code"]) for event in sink.events()] == [
        ("Read", "OK"),
        ("Write", "RESOURCE_EXHAUSTED"),
    ]


async def test_a_mutation_waits_for_its_answer() -> None:
    """The event of a mutation is told once, when the call was answered, with its code and duration."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        made = call("Write", "plan")
        revision = await record(store, made, created("plan"))
        await audit.flush()
        assert sink.events() == []
        audit.finished(made, "OK")
    (event,) = sink.events()
    assert (event["revision"], event["event_id"], event["code"]) == (revision, made.event_id, "OK")
    assert event["duration_us"] > 0
    assert "recovered" not in event


async def test_a_cancelled_mutation_leaves_its_event() -> None:
    """A mutation whose caller went away is told with the code that says so."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        made = call("Write", "plan")
        await record(store, made, created("plan"))
        audit.finished(made, "CANCELLED")
    (event,) = sink.events()
    assert (event["outcome"], event["code"], event["mutation"]) == ("CREATED", "CANCELLED", True)


async def test_what_the_sidecar_does_by_itself_is_told_at_once() -> None:
    """Expired slots are told when their revision is committed; no call is waited for."""
    sink = FailingSink()
    async with started(sink) as (_, store):
        await commit(store, expiry(), forgotten(["a", "b"]), "EXPIRED")
        await eventually(lambda: sink.taken, "the event is written")
        (event,) = sink.events()
    assert (event["operation"], event["names"], event["caller"]["source"]) == ("Expire", ["a", "b"], "process")


async def test_an_operation_of_many_revisions_is_one_event_in_parts() -> None:
    """Forgetting in portions tells each portion as soon as the next one comes, and the last one with the answer."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        made = call("ForgetMatching")
        names = [f"s{number}" for number in range(10_000)]
        for start in range(0, 10_000, 500):
            await record(store, made, *forgotten(names[start : start + 500]), outcome="FORGOTTEN")
        await audit.flush()
        told_before_the_answer = sink.events()
        made.count = 10_000
        audit.finished(made, "OK")
    events = sink.events()
    assert [event["part"] for event in events] == list(range(1, len(events) + 1))
    assert operations_in(events) == [made.event_id]
    assert [name for event in events for name in event["names"]] == names
    assert sorted({event["revision"] for event in events}) == list(range(1, 21))
    assert {event["revision"] for event in told_before_the_answer} == set(range(1, 20))
    assert (events[-1]["count"], events[-1]["code"]) == (10_000, "OK")


async def test_the_other_names_of_a_commit_are_told_too() -> None:
    """Names that were checked but not changed stand in the event after those that changed."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        made = call("Commit", "checked", "new")
        await record(store, made, created("new"), outcome="COMMITTED")
        audit.finished(made, "OK")
    (event,) = sink.events()
    assert event["names"] == ["new", "checked"]
    assert event["changes"] == [{"name": "new", "change": "CREATED"}]


async def test_the_watermark_follows_what_is_durable() -> None:
    """The watermark is stored only after a sync, and never beyond a revision whose event still waits for its call."""
    sink = FailingSink()
    async with started(sink) as (audit, store):
        slow, quick = call("Write", "a"), call("Write", "b")
        await record(store, slow, created("a"))
        await record(store, quick, created("b"))
        audit.finished(quick, "OK")
        await eventually(lambda: audit.stats.written == 1 and sink.syncs, "the quick call's event is synced")
        assert store.watermark("audit") == audit.watermark == 0
        audit.finished(slow, "OK")
        await eventually(lambda: store.watermark("audit") == 2, "the watermark is stored")
        assert audit.watermark == 2


async def test_closing_tells_all_and_keeps_the_watermark() -> None:
    """After a clean stop nothing is left to recover, though calls were under way."""
    sink = FailingSink()
    store = RamStore()
    await store.start()
    async with started(sink, store):
        await record(store, call("Write", "a"), created("a"))
    assert store.watermark("audit") == 1
    (event,) = sink.events()
    assert event["code"] == "UNKNOWN"


async def test_an_event_after_the_close_is_counted() -> None:
    """A call that ends after the trail was closed is counted as dropped, not lost without a trace."""
    async with started(FailingSink()) as (audit, _):
        await audit.close()
        audit.finished(call(), "OK")
        assert audit.stats.dropped == 1


async def test_a_trail_in_memory_keeps_the_last_events() -> None:
    """A ring in memory holds the newest lines."""
    sink = MemorySink(capacity=3)
    async with started(sink) as (audit, _):
        for number in range(5):
            audit.finished(call("Read", str(number)), "OK")
    assert [b'"names":["%d"]' % number in line for number, line in zip((2, 3, 4), sink.lines, strict=True)] == [
        True
    ] * 3


async def test_thousands_of_calls_at_once_leave_an_event_each() -> None:
    """Concurrent calls leave exactly one event each, numbered without gaps."""
    sink = FailingSink()

    async def one(audit: AuditLog, store: RamStore, number: int) -> str:
        await admitted(audit)
        made = call("Write" if number % 2 else "Read", f"s{number}")
        if number % 2:
            await record(store, made, created(f"s{number}"))
            await asyncio.sleep(0)
        audit.finished(made, "OK")
        return made.event_id

    store = RamStore()
    await store.start()
    async with started(sink, store, limit=50) as (audit, _):
        made = await asyncio.gather(*(one(audit, store, number) for number in range(3000)))
    assert sorted(operations_in(sink.events())) == sorted(made)


async def test_a_file_that_cannot_be_opened_stops_the_start(tmp_path: Path) -> None:
    """A wrong path is told at the start, with the path and what to do."""
    store = RamStore()
    audit = AuditLog(FileSink(tmp_path / "absent" / "audit.jsonl"), "block", 10, "a" * 32)
    with pytest.raises(StartupError, match=r"absent.*another --audit-file"):
        await audit.start(store)


def test_an_unknown_policy_is_refused() -> None:
    """A policy is block or drop."""
    with pytest.raises(ValueError, match="block or drop"):
        AuditLog(MemorySink(), "wait", 10, "a" * 32)
