"""Rotation of the audit trail while everybody writes."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.asking import read, write
from tests.faults.trail import operations_told, read_trail, reconcile, revisions_told
from tests.system.process import PATIENCE_S, Served, eventually

WRITERS = 4
ROTATIONS = 8


@pytest.mark.parametrize("hang_up", [True, False], ids=["told", "untold"])
def test_rotation_under_load_loses_no_line(tmp_path: Path, *, hang_up: bool) -> None:
    """The file is renamed again and again under writers, with and without SIGHUP: each event stands in exactly one of the files, in the
    order of its number, and the files together are complete."""
    data, trail = tmp_path / "data", tmp_path / "audit.jsonl"
    done = threading.Event()
    with Served("--data-dir", data, "--audit-file", trail, "--listen", "127.0.0.1:0") as served:
        served.ready()

        def work(number: int) -> int:
            slots, count = served.slots(), 0
            while not done.is_set():
                slots.Write(write(f"{number}", b"%d" % count), timeout=PATIENCE_S)
                slots.Read(read(f"{number}"), timeout=PATIENCE_S)
                count += 1
            return count

        with ThreadPoolExecutor(WRITERS) as pool:
            counts = [pool.submit(work, number) for number in range(WRITERS)]
            rotated = [_rotate(served, trail, number, hang_up) for number in range(ROTATIONS)]
            done.set()
        calls = sum(count.result() for count in counts)
        assert served.stop() == 0
    events = read_trail(*rotated, trail)
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    told = operations_told(events)
    assert told.count(("Write", "OK")) == told.count(("Read", "OK")) == calls
    assert revisions_told(events) == list(range(1, calls + 1))
    assert reconcile(data, *rotated, trail) == ""


def _rotate(served: Served, trail: Path, number: int, hang_up: bool) -> Path:
    """Renames the file once there is something in it, and waits for the next one; returns where it is now."""
    eventually(lambda: trail.exists() and trail.stat().st_size > 0, "the file has lines")
    rotated = trail.with_name(f"{trail.name}.{number}")
    trail.rename(rotated)
    if hang_up:
        served.signal(signal.SIGHUP)
    return rotated
