"""A sidecar that is killed while everybody writes and searches: the index ends with what the store holds."""

from __future__ import annotations

import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, read, write
from tests.faults.canaries import Canary
from tests.faults.finding_storm import Storm, check
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import slot_service_pb2 as pb

KILLS = 15
WRITERS = 4
FLAGS = (
    *("--listen", "127.0.0.1:0", "--slot-limit", 10_000, "--sweep-interval", "50ms"),
    *("--index-mode", "fulltext", "--embedder", "hashing"),
)


@pytest.mark.slow
def test_search_equals_the_store_after_every_kill(tmp_path: Path) -> None:
    """kill -9, fifteen times over one data directory, in a storm of writes, overwrites, forgets, expiries, changes of settings, reindexes and
    erasures: each time words find at once what the store holds, and vectors once they are made."""
    chance = random.Random()
    for number in range(KILLS):
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            check(served.ready())
            storm = Storm(served, f"{chance.random()}/{number}")
            with ThreadPoolExecutor(WRITERS + 2) as pool:
                running = [pool.submit(storm.writer, index) for index in range(WRITERS)]
                running += [pool.submit(storm.configurer), pool.submit(storm.searcher)]
                time.sleep(chance.uniform(0.05, 1.5))
                served.signal(signal.SIGKILL)
            served.exit_code()
            assert sum(outcome.result() for outcome in running) > 0
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        check(served.ready())
        assert served.stop() == 0
        assert "Traceback" not in served.stderr
        assert "never retrieved" not in served.stderr


@pytest.mark.slow
def test_erasing_is_resumed_in_the_index_after_a_kill(tmp_path: Path) -> None:
    """kill -9 at any moment of an erasure: what was forgotten by then is erased from the index by itself after the next start."""
    chance = random.Random()
    for number in range(6):
        canary = Canary()
        request = pb.ForgetRequest(namespace=NAMESPACE, name=f"{number}", erase=True)
        with Served("--data-dir", tmp_path, *FLAGS, "--index-mode", "hybrid") as served:
            slots = served.ready().slots()
            about = {"description": canary.word, "tags": [canary.word]}
            slots.Write(write(f"{number}", canary.text * 20, **about), timeout=PATIENCE_S)
            slots.Search(pb.SearchRequest(namespace=NAMESPACE, text=canary.word), timeout=PATIENCE_S)
            erasing = slots.Forget.future(request, timeout=PATIENCE_S)
            time.sleep(chance.random() * 0.05)
            served.signal(signal.SIGKILL)
            acknowledged = erasing.exception() is None
            served.exit_code()
        assert not acknowledged or not _with(canary, tmp_path)
        with Served("--data-dir", tmp_path, *FLAGS, "--index-mode", "hybrid") as served:
            slots = served.ready().slots()
            if not isinstance(attempt(slots.Read, read(f"{number}")), Failure):
                slots.Forget(request, timeout=PATIENCE_S)
            eventually(lambda: not _with(canary, tmp_path), "it is erased by itself")  # noqa: B023


def _with(canary: Canary, directory: Path) -> list[str]:
    """The files, but the audit's, in which it stands; also without its first letters, which the full text may keep elsewhere."""
    found = []
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError):
            data = path.read_bytes() if path.is_file() else b""
            if canary.is_in(data) or canary.word[-14:].encode() in data:
                found.append(path.name)
    return found
