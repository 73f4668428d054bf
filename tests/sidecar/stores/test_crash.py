"""Killed at any moment: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.contract.writing import write

from memslot_sidecar.stores.sqlite import SqliteStore

KILLS = 8


def _storm(directory: Path, seconds: float) -> dict[int, tuple[str, str]]:
    """Lets a process write for a while, kills it, and answers what it was acknowledged: name and body by revision."""
    acknowledged: dict[int, tuple[str, str]] = {}
    ready = threading.Event()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.sidecar.stores.storm", str(directory)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None

        def listen() -> None:
            for line in process.stdout or ():
                if line == "ready\n":
                    ready.set()
                elif line.endswith("\n"):
                    revision, name, body = line.split()
                    acknowledged[int(revision)] = (name, body)

        listener = threading.Thread(target=listen)
        listener.start()
        assert ready.wait(60)
        time.sleep(seconds)
        process.kill()
        listener.join()
    return acknowledged


@pytest.mark.slow
async def test_killed_during_a_storm_of_writes_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """After each of several kills every acknowledged write is in the feed and, if it was the slot's last, in the slot; revisions go
    on without a gap or a repetition, and the check is clean."""
    chance = random.Random(7)
    seen = 0
    for _ in range(KILLS):
        acknowledged = _storm(tmp_path, chance.uniform(0.05, 0.3))
        assert acknowledged
        assert all(abs(revision) > seen for revision in acknowledged)
        store = SqliteStore(tmp_path)
        await store.start()
        feed = await store.feed(0, 1_000_000)
        assert [record.revision for record in feed] == list(range(1, store.revision + 1))
        last = {record.changes[0].name: record for record in feed}
        for revision, (name, body) in acknowledged.items():
            record = feed[abs(revision) - 1]
            assert record.changes[0].name == name
            if last[name].revision != abs(revision):
                continue
            stored = store.read("storm", name)
            if revision < 0:
                assert stored is None
            else:
                assert stored is not None
                assert stored.record.revision == revision
                assert stored.body.startswith(f"{body};".encode())
        report = await store.check()
        assert report.problems == []
        assert (await write(store, "storm", "between")).revision == len(feed) + 1
        seen = store.revision
        await store.close()
