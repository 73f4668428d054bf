"""A sidecar that is killed while everybody writes."""

from __future__ import annotations

import itertools
import random
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.storm import Writer, bulk, mixed, passing
from tests.faults.trail import read_trail, reconcile, revisions_told
from tests.system.process import Served, eventually

from memslot.v1 import admin_service_pb2

KILLS = 20
FLAGS = ("--listen", "127.0.0.1:0", "--slot-limit", 10_000, "--body-limit-bytes", 200_000, "--sweep-interval", "50ms")


@pytest.mark.slow
def test_kill_during_a_write_storm_loses_nothing(tmp_path: Path) -> None:
    """kill -9, twenty times over one data directory: each time every acknowledged change is there and none is half done, a repeated
    request is not done twice, each revision has its one audit event, and the store is sound."""
    chance = random.Random()
    seed = chance.random()
    plans = [mixed] * 4 + [bulk, passing]
    writers = [Writer(f"acme/{number}", plan, f"{seed}/{number}") for number, plan in enumerate(plans)]
    for _ in range(KILLS):
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            _check(served.ready(), writers, tmp_path)
            _storm(served, writers, chance.randrange(20, 400))
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        _check(served.ready(), writers, tmp_path)
        assert served.stop() == 0
    assert reconcile(tmp_path) == ""


def _storm(served: Served, writers: Sequence[Writer], steps: int) -> None:
    """Lets all write, and kills the server after some steps."""
    until = steps + _acknowledged(writers)
    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(writer.run, served.slots()) for writer in writers]
        eventually(lambda: _acknowledged(writers) >= until or any(r.done() for r in running), "it storms")
        served.signal(signal.SIGKILL)
    for outcome in running:
        outcome.result()
    served.exit_code()


def _acknowledged(writers: Sequence[Writer]) -> int:
    return sum(len(writer.acknowledged) for writer in writers)


def _check(served: Served, writers: Sequence[Writer], directory: Path) -> None:
    slots, admin = served.slots(), served.admin()
    for writer in writers:
        writer.check(slots)
    for writer in writers:
        writer.repeat(slots)
    assert list(admin.CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []
    # Who forgets what is not there before anything was written is told revision 0, which is nobody's.
    acknowledged = set(itertools.chain.from_iterable(writer.acknowledged for writer in writers)) - {0}

    def untold() -> set[int]:
        told = revisions_told(read_trail(directory / "audit.jsonl"))
        assert told == list(range(1, len(told) + 1))
        return acknowledged.difference(told)

    eventually(lambda: not untold(), "every acknowledged revision is told")
