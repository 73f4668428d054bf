"""A sidecar that is killed while everybody writes and searches: the index ends with what the store holds."""

from __future__ import annotations

import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.finding_storm import Storm, check
from tests.system.process import Served

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
