"""A folder of audit files on a full disk, with clocks that are set, and among files of somebody else."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.sidecar.audit.harness import call, eventually, file_events, started

from memslot_sidecar.audit.event import rfc3339
from memslot_sidecar.audit.sinks import series as module
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.scan import Scan
from memslot_sidecar.audit.sinks.series import SeriesSink
from memslot_sidecar.audit.sinks.tail import lines_from_end

LINE = memoryview(b"{}\n")
NOON_MS = 1_800_014_400_000


def full(*_: object, **__: object) -> NoReturn:
    """A disk without room."""
    raise OSError(errno.ENOSPC, "no space left on device")


def line(number: int, at_ms: int, **fields: Any) -> bytes:
    """An event's line."""
    event = {"log": "audit", "time": rfc3339(at_ms), "instance_id": "i", "store_id": "s", "sequence": number}
    told = {"event_id": f"e{number}", "operation": "Write", "mutation": True, "revision": number, "names": ["x"]}
    return json.dumps(event | told | fields).encode() + b"\n"


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[SeriesSink]:
    """An open folder, whose files are old at once."""
    sink = SeriesSink(tmp_path / "audit", file_limit_bytes=2**20, file_limit_s=0)
    sink.open()
    yield sink
    sink.close()


def names(tmp_path: Path) -> list[str]:
    """The names of the files, in their order."""
    return sorted(path.name for path in (tmp_path / "audit").iterdir())


def test_files_that_cannot_be_begun_leave_nothing_behind(
    tmp_path: Path, sink: SeriesSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a full disk makes it try: no empty files, no open ones; and once there is room, one file."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", full)
        for _ in range(20):
            with pytest.raises(OSError, match="no space"):
                sink.write(LINE, line_start=True)
        assert names(tmp_path) == []
        assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert sink.write(LINE, line_start=True) == len(LINE)
    assert len(names(tmp_path)) == 1


def test_a_file_without_a_line_is_not_followed_by_another(
    tmp_path: Path, sink: SeriesSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the disk is full, neither the time nor hangups fill the folder with empty files."""
    with monkeypatch.context() as patched:
        patched.setattr(FileSink, "write", full)
        for _ in range(20):
            with pytest.raises(OSError, match="no space"):
                sink.write(LINE, line_start=True)
            sink.reopen()
    assert len(names(tmp_path)) == 1
    sink.write(LINE, line_start=True)
    assert [path.read_bytes() for path in (tmp_path / "audit").iterdir()] == [bytes(LINE)]


def test_names_keep_their_order_when_the_clock_is_set_back(
    tmp_path: Path, sink: SeriesSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads the files by their names reads the lines in their order."""
    for number, at_s in enumerate((1_800_000_000, 1_800_003_600, 1_799_990_000, 1_799_990_001, 1_800_003_601)):
        monkeypatch.setattr(time, "time_ns", lambda at_s=at_s: at_s * 10**9)
        sink.write(memoryview(b"%d\n" % number), line_start=True)
    assert [int((tmp_path / "audit" / name).read_text()) for name in names(tmp_path)] == list(range(5))


def test_nothing_is_written_through_a_link_that_waits_for_a_file(
    tmp_path: Path, sink: SeriesSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may write into the folder and guesses the next name leads no line elsewhere."""
    monkeypatch.setattr(time, "time_ns", lambda: NOON_MS * 10**6)
    link = tmp_path / "audit" / module._name(NOON_MS)
    link.symlink_to(tmp_path / "elsewhere")
    sink.write(LINE, line_start=True)
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    sink._named_ms = NOON_MS - 1
    with pytest.raises(FileExistsError):
        sink.write(LINE, line_start=True)
    assert not (tmp_path / "elsewhere").exists()
    assert link.is_symlink()


def test_a_folder_is_locked_only_where_that_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NFS locks no folder, since it cannot be opened for writing: the trail is written there all the same."""
    flock = fcntl.flock

    def as_on_nfs(fd: int, how: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EBADF, "bad file descriptor")
        flock(fd, how)

    monkeypatch.setattr(fcntl, "flock", as_on_nfs)
    sink = SeriesSink(tmp_path / "audit", file_limit_bytes=1, file_limit_s=1)
    sink.open()
    sink.write(LINE, line_start=True)
    sink.close()
    assert len(names(tmp_path)) == 1


def test_a_folder_that_is_made_survives_a_power_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is synced in it is of no use while its own name is not."""
    synced: list[Path] = []
    monkeypatch.setattr(module, "sync_directory", synced.append)
    for _ in range(2):
        sink = SeriesSink(tmp_path / "audit", file_limit_bytes=1, file_limit_s=1)
        sink.open()
        sink.close()
    assert synced == [tmp_path]


async def test_a_folder_with_something_else_in_its_place_is_waited_for(tmp_path: Path) -> None:
    """No line is lost and the process goes on, until the place is free again."""
    folder = tmp_path / "audit"
    async with started(SeriesSink(folder, file_limit_bytes=2**20, file_limit_s=60)) as (audit, _):
        audit.finished(call("Read", "before"), "OK")
        await audit.flush()
        folder.rename(tmp_path / "moved")
        folder.write_text("a file")
        audit.finished(call("Read", "after"), "OK")
        await eventually(lambda: audit.stats.failures > 1, "it is tried again")
        folder.unlink()
    told = file_events(*(tmp_path / "moved").iterdir(), *folder.iterdir())
    assert [event["names"] for event in told] == [["before"], ["after"]]


def test_a_start_finds_the_newest_lines_after_the_clock_was_set_back(tmp_path: Path, sink: SeriesSink) -> None:
    """Whichever file the file system calls the newest: what was told is not told again."""
    early, late = (
        tmp_path / "audit/audit-20270115T120000.000Z.jsonl",
        tmp_path / "audit/audit-20270115T110000.000Z.jsonl",
    )
    early.write_bytes(line(1, NOON_MS - 7_200_000) + line(2, NOON_MS))
    late.write_bytes(line(3, NOON_MS + 1) + line(4, NOON_MS + 1))
    os.utime(late, (1, 1))
    told = sink.told(2, NOON_MS - 3_600_000)
    assert sorted(revision for _, revision in told.names) == [3, 4]
    assert told.last_ms == NOON_MS + 1


@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "not yours"), FileNotFoundError(errno.ENOENT, "gone")])
def test_a_file_that_cannot_be_read_holds_up_no_start(
    tmp_path: Path, sink: SeriesSink, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: OSError
) -> None:
    """Given to auditors or deleted just now: the others are read, and people are told of what is there and cannot be read."""
    for revision in (2, 3, 4):
        (tmp_path / f"audit/audit-{revision}.jsonl").write_bytes(line(revision, NOON_MS))
    opened = os.open

    def open_most(path: Any, *rest: Any, **more: Any) -> int:
        if str(path).endswith("audit-3.jsonl"):
            raise error
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", open_most)
    assert sorted(revision for _, revision in sink.told(1, 0).names) == [2, 4]
    assert ("audit-3.jsonl cannot be read (not yours)" in caplog.text) is isinstance(error, PermissionError)


HOSTILE: list[bytes] = [
    b"{}\n",
    b"[1]\n",
    b'{"log":"audit"}\n',
    b"\0" * 5000 + b"\n",
    b'{"a":' * 5000 + b"\n",
    line(2, NOON_MS, time=5),
    line(2, NOON_MS, time="later"),
    line(2, NOON_MS, time="9999-99-99T00:00:00.000Z"),
    line(2, NOON_MS, revision="2"),
    line(2, NOON_MS, revision=None),
    line(2, NOON_MS, event_id=["e"]),
    line(2, NOON_MS, names=[["x"]]),
    line(2, NOON_MS, names=None),
    line(2, NOON_MS, part="1"),
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile[:60].decode())
def test_a_damaged_line_ends_no_start(hostile: bytes) -> None:
    """Whatever stands in a file in the place of an event, the events around it count."""
    scan = Scan(1, 0)
    scan.take([line(4, NOON_MS), hostile, line(3, NOON_MS)])
    assert sorted(revision for _, revision in scan.told().names) == [3, 4]


@pytest.mark.parametrize("made", [lambda size: b"x" * size, lambda size: b"\0" * size])
def test_a_file_without_lines_is_read_in_no_time(tmp_path: Path, made: Callable[[int], bytes]) -> None:
    """What is above a mebibyte without a newline is told as no line at all, and the lines around it as they are."""
    path = tmp_path / "file"
    path.write_bytes(b"first\n" + made(3 << 20) + b"\nlast\n")
    with path.open("rb") as file:
        last, long, first = lines_from_end(file.fileno(), path.stat().st_size)
    assert (last, first) == (b"last", b"first")
    assert len(long) < 2 << 20
    assert long.endswith(b"\0")
