"""A folder of files that are never renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.sidecar.audit.harness import FailingSink, call, chosen, created, eventually, file_events, record, started

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.sinks.series import SeriesSink
from memslot_sidecar.config import Config
from memslot_sidecar.errors import StartupError
from memslot_sidecar.parts import AUDIT_FILE_NAME, audit_sink
from memslot_sidecar.stores.ram import RamStore

NOBODY = 65_534


def in_folder(folder: Path, *, file_limit_bytes: int = 2**20, file_limit_s: float = 3600) -> SeriesSink:
    """A folder whose files are not full so soon, unless a test wants them to be."""
    return SeriesSink(folder, file_limit_bytes=file_limit_bytes, file_limit_s=file_limit_s)


def series(folder: Path) -> list[Path]:
    """The files, oldest first."""
    return sorted(folder.iterdir())


async def test_full_files_are_left_and_never_touched_again(tmp_path: Path) -> None:
    """A file that is full is followed by one of another name; no file is renamed or grows later, and together they hold all lines in order."""
    seen: dict[tuple[int, str], int] = {}
    async with started(in_folder(tmp_path, file_limit_bytes=4096)) as (audit, _):
        for number in range(400):
            audit.finished(call("Read", f"{number}"), "OK")
            if number % 10 == 0:
                await audit.flush()
                *left, _newest = series(tmp_path)
                for path in left:
                    key = (path.stat().st_ino, path.name)
                    assert seen.setdefault(key, path.stat().st_size) == path.stat().st_size
    files = series(tmp_path)
    assert len(files) > 10
    assert {path.name for path in files} > {name for _, name in seen}
    assert [event["names"] for event in file_events(*files)] == [[f"{number}"] for number in range(400)]


async def test_a_file_that_is_old_is_followed_by_another(tmp_path: Path) -> None:
    """The first line after the time limit begins a file."""
    async with started(in_folder(tmp_path, file_limit_s=0)) as (audit, _):
        for number in range(3):
            audit.finished(call("Read", f"{number}"), "OK")
            await audit.flush()
    assert len(series(tmp_path)) == 3


async def test_a_hangup_begins_the_next_file(tmp_path: Path) -> None:
    """After a hangup the file is left at once, and the next line is in another; without lines no file is made."""
    async with started(in_folder(tmp_path)) as (audit, _):
        audit.reopen()
        await audit.flush()
        assert series(tmp_path) == []
        for number in range(3):
            audit.finished(call("Read", f"{number}"), "OK")
            await audit.flush()
            audit.reopen()
            audit.reopen()
    assert [[event["names"] for event in file_events(path, after=n)] for n, path in enumerate(series(tmp_path))] == [
        [["0"]],
        [["1"]],
        [["2"]],
    ]


async def test_a_file_that_was_deleted_is_followed_by_another(tmp_path: Path) -> None:
    """Whoever deletes old files may delete the newest too: the next line is in a new one."""
    async with started(in_folder(tmp_path)) as (audit, _):
        audit.finished(call("Read", "a"), "OK")
        await audit.flush()
        [gone] = series(tmp_path)
        gone.unlink()
        audit.finished(call("Read", "b"), "OK")
    [path] = series(tmp_path)
    assert [event["names"] for event in file_events(path, after=1)] == [["b"]]


async def test_a_folder_that_was_taken_away_is_made_again(tmp_path: Path) -> None:
    """A trail goes on in a new folder when an operator moved or deleted the old one; the new one has one writer as well."""
    folder, moved = tmp_path / "audit", tmp_path / "moved"
    async with started(in_folder(folder)) as (audit, _):
        audit.finished(call("Read", "before"), "OK")
        await audit.flush()
        folder.rename(moved)
        audit.finished(call("Read", "after"), "OK")
        await audit.flush()
        with pytest.raises(BlockingIOError):
            in_folder(folder).open()
    assert [event["names"] for event in file_events(*series(moved), *series(folder))] == [["before"], ["after"]]


async def test_a_start_reads_back_what_the_files_tell(tmp_path: Path) -> None:
    """What stands in the files is known after a start, in whichever of them it stands; what was in one that is gone is told again."""
    async with started(in_folder(tmp_path, file_limit_bytes=1)) as (audit, store):
        for number in range(5):
            made = call("Write", f"{number}")
            await record(store, made, created(f"{number}"))
            audit.finished(made, "OK")
            await audit.flush()
    files = series(tmp_path)
    assert len(files) == 5
    files[3].unlink()
    told = in_folder(tmp_path).told(1, 0)
    assert sorted(revision for _, revision in told.names) == [2, 3, 5]


async def test_a_line_that_a_full_disk_tore_is_whole_in_the_next_file(tmp_path: Path) -> None:
    """When a file is taken away in the middle of a line that could not be completed, the line is told whole in the next one."""
    sink = FailingSink(in_folder(tmp_path))
    sink.room = 700
    async with started(sink) as (audit, _):
        for name in "abc":
            audit.finished(call("Read", name), "OK")
        await eventually(lambda: audit.stats.failing, "the disk is full")
        [path] = series(tmp_path)
        torn = path.read_bytes()
        path.unlink()
        failures = audit.stats.failures
        await eventually(lambda: audit.stats.failures > failures + 1, "the line cannot be completed")
        sink.room = None
    whole = torn.count(b"\n")
    assert not torn.endswith(b"\n")
    [path] = series(tmp_path)
    assert [event["names"] for event in file_events(path, after=whole)] == [[name] for name in "abc"[whole:]]


async def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    """A second process that would write to the same folder does not start, and is told why; once it is free, it does."""
    async with started(in_folder(tmp_path)):
        second = AuditLog(in_folder(tmp_path), "block", 10, "a" * 32)
        with pytest.raises(StartupError, match="another process"):
            await second.start(RamStore())
    async with started(in_folder(tmp_path)) as (audit, _):
        audit.finished(call("Read", "a"), "OK")
    assert len(series(tmp_path)) == 1


async def test_a_folder_that_may_not_be_written_is_told_at_start() -> None:
    """A folder of somebody else stops the start, not the first event."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        with not_as_root(), pytest.raises(StartupError, match="may not make files"):
            await AuditLog(in_folder(folder), "block", 10, "a" * 32).start(RamStore())


@contextmanager
def not_as_root() -> Iterator[None]:
    """As a user who may not write everywhere."""
    if os.geteuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def test_the_limits_are_those_of_the_settings(tmp_path: Path) -> None:
    """Whichever setting led to the folder: that of the audit trail, or the data directory, where somebody made one of the trail's name."""
    (tmp_path / AUDIT_FILE_NAME).mkdir()
    for audit_file in ("", f"{tmp_path}/"):
        config = Config(data_dir=tmp_path, audit_file=audit_file, audit_file_limit_bytes=5000, audit_file_limit_s=7.0)
        sink = audit_sink(config)
        assert isinstance(sink, SeriesSink)
        assert (sink.file_limit_bytes, sink.file_limit_s) == (5000, 7.0)


def test_a_folder_is_chosen_by_its_slash_or_by_being_there(tmp_path: Path) -> None:
    """A folder that is there, or a path that ends with a slash, is a series; it is made for its owner and group only."""
    assert type(chosen(str(tmp_path))) is SeriesSink
    fresh = chosen(f"{tmp_path}/fresh/")
    assert type(fresh) is SeriesSink
    fresh.open()
    fresh.close()
    assert (tmp_path / "fresh").stat().st_mode & 0o007 == 0
