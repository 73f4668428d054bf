"""No mutation is without its event, whatever crashed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.sidecar.audit.harness import (
    Event,
    FailingSink,
    call,
    commit,
    crash,
    created,
    events_in,
    expiry,
    file_events,
    forgotten,
    operations_in,
    record,
    started,
)

from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.memory import MemorySink
from memslot_sidecar.stores.ram import RamStore


@asynccontextmanager
async def storing() -> AsyncIterator[RamStore]:
    """A store that survives crashes of the audit log."""
    store = RamStore()
    await store.start()
    yield store
    await store.close()


async def write(store: RamStore, audit, *names: str) -> None:  # type: ignore[no-untyped-def]
    """Writes slots, a call each, all answered."""
    for name in names:
        made = call("Write", name)
        await record(store, made, created(name))
        audit.finished(made, "OK")


def revisions(events: list[Event]) -> list[int]:
    """The revisions that are told, in order of the lines."""
    return [event["revision"] for event in events]


async def test_what_a_crash_left_untold_is_told_at_the_next_start(tmp_path: Path) -> None:
    """Revisions that are in the store but not in the file are told once more is told, marked as recovered."""
    path = tmp_path / "audit.jsonl"
    async with storing() as store:
        sink = FailingSink(FileSink(path))
        async with started(sink, store) as (audit, _):
            await write(store, audit, "a", "b")
            await audit.flush()
            sink.down = True
            await write(store, audit, "c")
            await record(store, call("Write", "d"), created("d"))
            await commit(store, expiry(), forgotten(["a"]), "EXPIRED")
            await crash(audit, sink)
        async with started(FileSink(path), store) as (audit, _):
            assert store.watermark("audit") <= 5
            await write(store, audit, "e")
        assert store.watermark("audit") == 6
    events = file_events(path)
    by_revision = sorted(events, key=lambda event: event["revision"])
    assert revisions(by_revision) == [1, 2, 3, 4, 5, 6]
    assert [event.get("recovered", False) for event in by_revision] == [False, False, True, True, True, False]
    assert [event["code"] for event in by_revision] == ["OK", "OK", "UNKNOWN", "UNKNOWN", "OK", "OK"]
    assert by_revision[2]["names"] == ["c"]
    assert by_revision[2]["caller"]["id"] == "alice"


async def test_what_is_in_the_file_is_not_told_again(tmp_path: Path) -> None:
    """Events that were written, but whose watermark was not stored before the crash, stand in the file once."""
    path = tmp_path / "audit.jsonl"
    async with storing() as store:
        async with started(FileSink(path), store) as (audit, _):
            await write(store, audit, *"abcdef")
        await store.set_watermark("audit", 2)
        async with started(FileSink(path), store):
            pass
        assert store.watermark("audit") == 6
    assert revisions(file_events(path)) == [1, 2, 3, 4, 5, 6]


async def test_a_torn_last_line_is_cut_off_and_told_again(tmp_path: Path) -> None:
    """A line that was half written when the process died is replaced by a whole one."""
    path = tmp_path / "audit.jsonl"
    async with storing() as store:
        async with started(FileSink(path), store) as (audit, _):
            await write(store, audit, "a", "b")
        whole = path.read_bytes()
        for cut in (1, 30, len(whole.splitlines()[-1])):
            path.write_bytes(whole[:-cut])
            await store.set_watermark("audit", 0)
            async with started(FileSink(path), store):
                pass
            assert revisions(file_events(path)) == [1, 2]


async def test_events_in_rotated_files_are_found(tmp_path: Path) -> None:
    """Lines that went to a file before it was rotated are not told again."""
    path = tmp_path / "audit.jsonl"
    async with storing() as store:
        async with started(FileSink(path), store) as (audit, _):
            await write(store, audit, "a", "b")
            await audit.flush()
            path.rename(tmp_path / "audit.jsonl.1")
            await write(store, audit, "c")
        path.rename(tmp_path / "audit.jsonl-20261130")
        await store.set_watermark("audit", 0)
        async with started(FileSink(path), store):
            pass
    assert revisions(file_events(tmp_path / "audit.jsonl.1", tmp_path / "audit.jsonl-20261130")) == [1, 2, 3]
    assert path.read_bytes() == b""


async def test_only_as_much_of_the_trail_is_read_as_is_needed(tmp_path: Path) -> None:
    """A start reads back to the first untold revision's time, not the whole file."""
    path = tmp_path / "audit.jsonl"
    now_ms = 1_000_000
    store = RamStore(lambda: now_ms)
    await store.start()
    async with started(FileSink(path), store) as (audit, _):
        for number in range(100):
            now_ms += 1000
            made = call("Write", f"s{number}", started_ms=now_ms)
            await record(store, made, created(f"s{number}"))
            audit.finished(made, "OK")
        await audit.flush()
    path.write_bytes(b"\x00" + path.read_bytes()[1:])
    told = FileSink(path)
    told.open()
    assert len(told.told(95, (await store.feed(95, 1))[0].time_ms).names) == 5
    told.close()
    await store.close()


async def test_an_operation_of_many_revisions_ends_once_though_it_crashed(tmp_path: Path) -> None:
    """Portions that were told before a crash and those told after it are one event with numbered parts and one end."""
    path = tmp_path / "audit.jsonl"
    names = [f"s{number}" for number in range(3000)]
    async with storing() as store:
        sink = FailingSink(FileSink(path))
        async with started(sink, store) as (audit, _):
            made = call("ForgetMatching")
            for start in range(0, 3000, 500):
                await record(store, made, *forgotten(names[start : start + 500]), outcome="FORGOTTEN")
                if start == 1500:
                    await audit.flush()
                    sink.down = True
            await crash(audit, sink)
        before = len(path.read_bytes().splitlines())
        async with started(FileSink(path), store):
            pass
    events = file_events(path)
    assert 0 < before < len(events)
    assert operations_in(events) == [made.event_id]
    assert [event["part"] for event in events] == list(range(1, len(events) + 1))
    assert [name for event in events for name in event["names"]] == names
    assert "recovered" in events[-1]


@pytest.mark.parametrize("kept_lines", [1, 2, 3, 4, 5])
async def test_a_revision_that_was_told_in_part_is_told_to_its_end(tmp_path: Path, kept_lines: int) -> None:
    """When some lines of a long event are there, only the names that are missing are told."""
    path = tmp_path / "audit.jsonl"
    names = [f"{number:0100}" for number in range(700)]
    async with storing() as store:
        async with started(FileSink(path), store) as (audit, _):
            made = call("DeleteNamespace")
            await record(store, made, *forgotten(names), outcome="FORGOTTEN")
            audit.finished(made, "OK")
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:kept_lines]))
        await store.set_watermark("audit", 0)
        async with started(FileSink(path), store):
            pass
    events = file_events(path)
    assert [name for event in events for name in event["names"]] == names
    assert [event["part"] for event in events] == list(range(1, len(events) + 1))
    assert operations_in(events) == [made.event_id]


async def test_a_stream_is_told_again_under_the_same_event_id() -> None:
    """What cannot be read back is told at least once; a repeated event keeps its id."""
    async with storing() as store:
        first, second = FailingSink(), FailingSink()
        async with started(first, store) as (audit, _):
            await write(store, audit, "a", "b")
        await store.set_watermark("audit", 1)
        async with started(second, store):
            pass
    assert [event["event_id"] for event in second.events()] == [first.events()[1]["event_id"]]
    assert first.events()[0]["instance_id"] != second.events()[0]["instance_id"]


async def test_a_place_that_takes_nothing_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    """A full disk at the start delays the events, not the service."""
    async with storing() as store:
        await record(store, call("Write", "a"), created("a"))
        sink = FailingSink(MemorySink())
        sink.down = True
        async with started(sink, store) as (audit, _):
            await write(store, audit, "b")
            sink.down = False
            await audit.flush()
    assert sorted(revisions(sink.events())) == [1, 2]


async def test_what_the_feed_no_longer_holds_is_owned_up_to(caplog: pytest.LogCaptureFixture) -> None:
    """A revision that was trimmed before it was told is logged as lost, and the trail goes on."""
    async with storing() as store:
        for name in "abc":
            await record(store, call("Write", name), created(name))
        await store.trim_feed(1, 2**62, 2**62)
        sink = FailingSink()
        async with started(sink, store):
            pass
    assert revisions(sink.events()) == [3]
    assert "revisions 1 to 2" in caplog.text


async def test_a_file_that_may_only_grow_gets_no_torn_line_into_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a torn line cannot be cut off, it is ended, so that the next line starts at its own."""
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"log":"aud')

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "ftruncate", refuse)
    async with storing() as store, started(FileSink(path), store) as (audit, _):
        await write(store, audit, "a")
    torn, rest = path.read_bytes().split(b"\n", 1)
    assert torn == b'{"log":"aud'
    assert revisions(events_in(rest)) == [1]
