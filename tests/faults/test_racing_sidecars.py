"""Several sidecars that want one data directory at the same moment."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.faults.asking import read, write
from tests.faults.trail import reconcile
from tests.system.process import PATIENCE_S, Served, eventually

RACERS = 5

pytestmark = pytest.mark.slow


def started(stack: ExitStack, directory: Path, *flags: object) -> list[Served]:
    """Sidecars that were started at once."""
    return [
        stack.enter_context(Served("--data-dir", directory, "--listen", "127.0.0.1:0", *flags)) for _ in range(RACERS)
    ]


def serving(racers: list[Served]) -> list[Served]:
    """Those of them that serve."""
    return [racer for racer in racers if "whole store" in racer.stderr]


def test_one_of_many_gets_the_directory(tmp_path: Path) -> None:
    """Of sidecars started at once over an empty directory one serves, and each other ends with exit code 3 and says why."""
    with ExitStack() as stack:
        racers = started(stack, tmp_path)
        eventually(lambda: serving(racers), "one serves")
        (winner,) = serving(racers)
        losers = [racer for racer in racers if racer is not winner]
        assert [loser.exit_code() for loser in losers] == [3] * (RACERS - 1)
        assert all("is in use by" in loser.stderr for loser in losers)
        winner.slots().Write(write("a"))
        assert winner.stop() == 0
    assert reconcile(tmp_path) == ""


def test_those_who_wait_take_over_one_after_the_other(tmp_path: Path) -> None:
    """With --lock-wait each serves in its turn, whenever the one before is killed, and finds everything that was written."""
    with ExitStack() as stack:
        waiting = started(stack, tmp_path, "--lock-wait", "300s")
        written: list[str] = []
        while waiting:
            eventually(lambda: serving(waiting), "one serves")
            (active,) = serving(waiting)
            slots = active.slots()
            for name in written:
                assert slots.Read(read(name), timeout=PATIENCE_S).slot.body == b"body"
            written.append(f"written by {len(written)}")
            slots.Write(write(written[-1]), timeout=PATIENCE_S)
            active.signal(signal.SIGKILL)
            active.exit_code()
            waiting.remove(active)
    assert len(written) == RACERS
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as last:
        assert last.ready().stop() == 0
    assert reconcile(tmp_path) == ""
