"""Files that are rotated, shared, or taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.audit.harness import FailingSink, call, chosen, eventually, file_events, started

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.stream import StreamSink
from memslot_sidecar.audit.sinks.tail import lines_from_end, whole_lines_end
from memslot_sidecar.errors import StartupError
from memslot_sidecar.stores.ram import RamStore


async def test_rotation_by_renaming_loses_nothing(tmp_path: Path) -> None:
    """However often the file is renamed away while events come, all of them are in one of the files, in order."""
    path = tmp_path / "audit.jsonl"
    async with started(FileSink(path)) as (audit, _):
        for turn in range(20):
            for number in range(50):
                audit.finished(call("Read", f"{turn}-{number}"), "OK")
                if number % 10 == 0:
                    await audit.flush()
            path.rename(tmp_path / f"audit.jsonl.{turn:02}")
        audit.finished(call("Read", "last"), "OK")
    files = [tmp_path / f"audit.jsonl.{turn:02}" for turn in range(20)]
    events = file_events(*files, path)
    assert len(events) == 1001
    assert [event["sequence"] for event in events] == list(range(1, 1002))
    assert b'"names":["last"]' in path.read_bytes()


async def test_rotation_by_renaming_and_creating_goes_on_in_the_new_file(tmp_path: Path) -> None:
    """A file that the rotation made itself is used, with its permissions."""
    path = tmp_path / "audit.jsonl"
    async with started(FileSink(path)) as (audit, _):
        audit.finished(call("Read", "a"), "OK")
        await audit.flush()
        path.rename(tmp_path / "audit.jsonl.1")
        path.touch(mode=0o600)
        audit.finished(call("Read", "b"), "OK")
    assert [event["names"] for event in file_events(path, after=1)] == [["b"]]
    assert path.stat().st_mode & 0o777 == 0o600


async def test_reopening_lets_go_of_a_renamed_file_at_once(tmp_path: Path) -> None:
    """After a hangup the new file is there without waiting for an event, so that the old one may be compressed."""
    path = tmp_path / "audit.jsonl"
    async with started(FileSink(path)) as (audit, _):
        path.rename(tmp_path / "audit.jsonl.1")
        audit.reopen()
        await eventually(path.exists, "the new file is there")


async def test_a_line_that_a_full_disk_tore_is_whole_in_the_next_file(tmp_path: Path) -> None:
    """When a file is taken away in the middle of a line that could not be completed, the line is told whole in the new one."""
    path = tmp_path / "audit.jsonl"
    sink = FailingSink(FileSink(path))
    sink.room = 700
    async with started(sink) as (audit, _):
        for name in "abc":
            audit.finished(call("Read", name), "OK")
        await eventually(lambda: audit.stats.failing, "the disk is full")
        path.rename(tmp_path / "audit.jsonl.1")
        failures = audit.stats.failures
        await eventually(lambda: audit.stats.failures > failures + 1, "the line cannot be completed")
        sink.room = None
    *whole, torn = (tmp_path / "audit.jsonl.1").read_bytes().split(b"\n")
    assert torn
    rest = file_events(path, after=len(whole))
    assert [event["names"] for event in rest] == [[name] for name in "abc"[len(whole) :]]


async def test_a_file_has_one_writer(tmp_path: Path) -> None:
    """A second process that would write to the same file does not start, and is told why."""
    path = tmp_path / "audit.jsonl"
    async with started(FileSink(path)):
        second = AuditLog(FileSink(path), "block", 10, "a" * 32)
        with pytest.raises(StartupError, match="another process"):
            await second.start(RamStore())


async def test_a_closed_file_may_be_opened_by_another(tmp_path: Path) -> None:
    """Closing lets go of the file."""
    path = tmp_path / "audit.jsonl"
    async with started(FileSink(path)) as (audit, _):
        audit.finished(call("Read", "a"), "OK")
    async with started(FileSink(path)) as (audit, _):
        audit.finished(call("Read", "b"), "OK")
    assert [event["names"] for event in file_events(path)] == [["a"], ["b"]]


def test_the_setting_chooses_the_sink(tmp_path: Path) -> None:
    """A dash is standard output; a path is a file, whether or not it exists."""
    assert type(chosen("-")) is StreamSink
    assert type(chosen(str(tmp_path / "audit.jsonl"))) is FileSink


@pytest.mark.parametrize("length", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_files_are_read_from_their_end(tmp_path: Path, length: int) -> None:
    """Lines come last one first, however they lie across blocks, and a torn line ends where the last newline is."""
    path = tmp_path / "lines"
    lines = [b"a" * length, b"b" * 10, b"c" * 70_000]
    path.write_bytes(b"".join(line + b"\n" for line in lines) + b"torn")
    with path.open("rb") as file:
        size = path.stat().st_size
        assert whole_lines_end(file.fileno(), size) == size - 4
        assert list(lines_from_end(file.fileno(), size - 4)) == [line for line in reversed(lines) if line]
