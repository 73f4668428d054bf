"""Disks that fail while they write what was written to a file: the sync says so once, and what was lost is lost."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.audit.harness import call, created, eventually, file_events, record, started

from memslot_sidecar.audit.sinks import unsynced
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.series import SeriesSink

real_sync = os.fdatasync


class Disk:
    """A disk that fails when it is told to: the next sync of what was written since the last one loses it."""

    def __init__(self) -> None:
        self.fails = 0
        self._good: dict[int, int] = {}

    def sync(self, fd: int) -> None:
        """In place of os.fdatasync."""
        here = os.fstat(fd)
        good = self._good.get(here.st_ino, 0)
        if self.fails and here.st_size > good:
            self.fails -= 1
            with Path(f"/proc/self/fd/{fd}").open("r+b") as file:
                file.seek(good)
                file.write(bytes(here.st_size - good))
            raise OSError(errno.EIO, "input/output error")
        real_sync(fd)
        self._good[here.st_ino] = here.st_size


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """The disk of all files."""
    disk = Disk()
    monkeypatch.setattr(os, "fdatasync", disk.sync)
    return disk


@given(st.lists(st.one_of(st.binary(min_size=1, max_size=30), st.just("sync"), st.just("fail"), st.just("move"))))
def test_what_is_synced_is_whole(tmp_path_factory: pytest.TempPathFactory, steps: list[bytes | str]) -> None:
    """After a sync that succeeds the files hold what was written, byte for byte, whichever syncs failed before and whoever renamed them."""
    folder, disk, written, moved = tmp_path_factory.mktemp("lost"), Disk(), b"", 0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fdatasync", disk.sync)
        sink = FileSink(path := folder / "audit.jsonl")
        sink.open()
        for step in steps:
            if isinstance(step, bytes):
                _again_and_again(lambda step=step: sink.write(memoryview(step), True))
                written += step
            elif step == "fail":
                disk.fails = 2
            elif step == "move" and path.exists():
                path.rename(folder / f"audit.jsonl.{(moved := moved + 1)}")
            elif step == "sync":
                _again_and_again(sink.sync)
                assert _read(folder, moved) == written
        _again_and_again(sink.sync)
        sink.close()
    assert _read(folder, moved) == written


def _again_and_again(act: Callable[[], object]) -> None:
    for _ in range(3):
        try:
            act()
        except OSError:
            continue
        return
    raise AssertionError("it fails three times")


def _read(folder: Path, moved: int) -> bytes:
    files = [*(folder / f"audit.jsonl.{number}" for number in range(1, moved + 1)), folder / "audit.jsonl"]
    return b"".join(file.read_bytes() for file in files if file.exists())


@pytest.mark.parametrize("series", [False, True])
async def test_the_watermark_trusts_no_sync_that_lost_something(tmp_path: Path, disk: Disk, series: bool) -> None:
    """Events of mutations whose lines a failing disk lost are in the file when the watermark has passed them."""
    folder = tmp_path / "audit"
    sink = SeriesSink(folder, file_limit_bytes=10**6, file_limit_s=60) if series else FileSink(tmp_path / "audit.jsonl")
    async with started(sink) as (audit, store):
        for name in ("a", "b"):
            made = call("Write", name)
            await record(store, made, created(name))
            audit.finished(made, "OK")
            if name == "a":
                await audit.flush()
                disk.fails = 1
        await eventually(lambda: audit.watermark == 2, "the watermark is kept")
        paths = sorted(folder.iterdir()) if series else [tmp_path / "audit.jsonl"]
        assert [event["names"] for event in file_events(*paths)] == [["a"], ["b"]]


def test_what_is_kept_is_bounded(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads alone are synced by nobody: before too much is kept for the case that a sync fails, it is synced."""
    monkeypatch.setattr(unsynced, "_KEPT_BYTES", 1000)
    sink = FileSink(tmp_path / "audit.jsonl")
    sink.open()
    for _ in range(100):
        sink.write(memoryview(b"0123456789" * 9 + b"012345678\n"), True)
        assert sink._unsynced._size <= 1000
    disk.fails = 1
    with pytest.raises(OSError, match="input/output"):
        sink.sync()
    sink.sync()
    assert (tmp_path / "audit.jsonl").read_bytes() == (b"0123456789" * 9 + b"012345678\n") * 100
    sink.close()


def test_a_file_that_somebody_cut_stays_cut(tmp_path: Path, disk: Disk) -> None:
    """What was taken out of a file from outside is not written into it again, and no hole is made."""
    sink = FileSink(path := tmp_path / "audit.jsonl")
    sink.open()
    sink.write(memoryview(b"first\n"), True)
    disk.fails = 1
    with pytest.raises(OSError, match="input/output"):
        sink.sync()
    os.truncate(path, 0)
    sink.sync()
    sink.write(memoryview(b"second\n"), True)
    sink.sync()
    assert path.read_bytes() == b"second\n"
    sink.close()


@pytest.mark.parametrize("left", [0, 3, 6, 9])
def test_a_file_that_was_cut_and_written_on_is_whole_again(tmp_path: Path, disk: Disk, left: int) -> None:
    """Whatever was cut off a file that is not synced yet, what was written behind it is written again, and nothing else."""
    sink = FileSink(path := tmp_path / "audit.jsonl")
    path.write_bytes(b"old\n")
    sink.open()
    sink.write(memoryview(b"first\n"), True)
    os.truncate(path, left)
    disk._good.clear()
    sink.write(memoryview(b"second\n"), True)
    whole = path.read_bytes()
    disk._good[path.stat().st_ino] = left
    disk.fails = 1
    with pytest.raises(OSError, match="input/output"):
        sink.sync()
    sink.sync()
    assert path.read_bytes() == whole
    sink.close()


def test_what_others_append_stops_nothing(tmp_path: Path, disk: Disk) -> None:
    """What somebody else has put behind it does not keep what was lost from being written again."""
    sink = FileSink(path := tmp_path / "audit.jsonl")
    sink.open()
    sink.write(memoryview(b"first\n"), True)
    disk.fails = 1
    with pytest.raises(OSError, match="input/output"):
        sink.sync()
    with path.open("ab") as file:
        file.write(b"other\n")
    sink.sync()
    assert path.read_bytes() == b"first\nother\n"
    sink.close()


@pytest.mark.parametrize("end", [b"", b"third"])
def test_a_file_that_may_only_grow_is_told_again_what_was_lost(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    """Where nothing can be written in place (chattr +a) what may be lost is appended in whole lines, and the trail goes on."""
    real = fcntl.fcntl

    def append_only(fd: int, command: int, flags: int = 0) -> int:
        if command == fcntl.F_SETFL and not flags & os.O_APPEND:
            raise PermissionError(errno.EPERM, "operation not permitted")
        return real(fd, command, flags)

    sink = FileSink(path := tmp_path / "audit.jsonl")
    sink.open()
    sink.write(memoryview(b"first\n"), True)
    sink.sync()
    sink.write(memoryview(b"second\n" + end), True)
    monkeypatch.setattr(fcntl, "fcntl", append_only)
    disk.fails = 2
    for _ in range(2):
        with pytest.raises(OSError, match="input/output"):
            sink.sync()
    sink.sync()
    sink.write(memoryview(b"...\n"), not end)
    sink.sync()
    lines = path.read_bytes().split(b"\n")
    assert lines[0] == b"first"
    assert lines[-3:] == [b"second", end + b"...", b""]
    sink.close()
