"""Words are merged when it is quiet, and whoever wants something goes first. When that is, test_merging_times.py says."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.sidecar.finding.memory import Memory, memory, until

from memslot_index import merging as portions
from memslot_index.database.stopping import Stop
from memslot_index.merging import Merging
from memslot_sidecar.finding import merging
from memslot_sidecar.finding.desk import Desk

PORTION = Merging.portion
_WAIT_S = 20.0


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is quiet sooner, and a portion is small."""
    monkeypatch.setattr(merging, "_QUIET_S", 0.05)
    monkeypatch.setattr(portions, "_PAGES", 1)


def desk_of(m: Memory) -> Desk:
    """The index of a sidecar."""
    desk = m.sidecar.finder.index
    assert desk is not None
    return desk


def parts(m: Memory) -> int:
    """How many parts the words of the first root are in."""
    with desk_of(m).index._connections.reading() as connection:
        return int(connection.execute("SELECT count(DISTINCT segid) FROM words_1_idx").fetchall()[0][0])


async def fill(m: Memory, count: int = 30) -> None:
    """Slots, each indexed by itself."""
    for index in range(count):
        await m.write(f"n{index}", " ".join(f"w{index * 7 % 50 + word}x" for word in range(40)))
        await m.found("zebra")


def run_until_interrupted(portions: Merging, stop: Stop, going: threading.Event) -> None:
    """A portion that has no end of its own; ``going`` from the moment at which an interrupt reaches it."""
    writer = portions._connections.writer
    with portions._connections.writing(), stop.ends(writer):
        writer.set_progress_handler(lambda: bool(going.set()), 100)
        try:
            writer.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
            ).fetchall()
        finally:
            writer.set_progress_handler(None)


async def test_words_are_merged_when_it_is_quiet(tmp_path: Path) -> None:
    """Few parts are left, what is found stays, and what is written later is merged too."""
    async with memory(tmp_path) as m:
        await fill(m)
        found = await m.found("w20x", limit=100)
        await until(lambda: not desk_of(m).index.merging.waiting)
        assert parts(m) <= 5
        assert await m.found("w20x", limit=100) == found
        await m.write("again", "w20x")
        assert len(await m.found("w20x", limit=100)) == len(found) + 1
        await until(lambda: not desk_of(m).index.merging.waiting)


async def test_a_write_ends_the_portion_that_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is indexed, and found, before the portion would have ended; what is left is merged later."""
    going, ended = threading.Event(), threading.Event()

    def endless(self: Merging, stop: Stop) -> None:
        if ended.is_set():
            return PORTION(self, stop)
        try:
            run_until_interrupted(self, stop, going)
        except apsw.InterruptError:
            ended.set()
            raise

    async with memory(tmp_path) as m:
        await fill(m, 10)
        monkeypatch.setattr(Merging, "portion", endless)
        await m.write("wakes", "it")
        await until(going.is_set)
        await m.write("zebra", "zebra")
        assert await asyncio.wait_for(m.found("zebra"), _WAIT_S) == ["zebra"]
        assert ended.is_set()
        await until(lambda: not desk_of(m).index.merging.waiting)


async def test_a_stop_ends_the_portion_that_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sidecar that merges stops at once."""
    going = threading.Event()

    async with memory(tmp_path) as m:
        monkeypatch.setattr(Merging, "portion", lambda self, stop: run_until_interrupted(self, stop, going))
        await m.write("zebra", "zebra")
        await until(going.is_set)
        stopping = asyncio.ensure_future(m.sidecar.stop())
        await asyncio.wait_for(stopping, _WAIT_S)
    async with memory(tmp_path) as m:
        monkeypatch.setattr(Merging, "portion", PORTION)
        assert await m.found("zebra") == ["zebra"]


async def test_a_disk_that_is_full_is_told_once_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Slots are written and found all the same, and once there is room the parts are merged."""
    tried: list[int] = []

    def full(*_: Any) -> None:
        tried.append(1)
        raise apsw.FullError("database or disk is full")

    async with memory(tmp_path) as m:
        monkeypatch.setattr(Merging, "portion", full)
        await fill(m)
        for turn in range(3):
            await m.write("zebra", f"zebra {turn}")
            assert await m.found("zebra") == ["zebra"]
            await until(lambda turn=turn: len(tried) > turn)
        assert caplog.text.count("cannot be merged") == 1
        monkeypatch.setattr(Merging, "portion", PORTION)
        await m.write("more", "zebra")
        await until(lambda: "are merged again" in caplog.text)
        assert parts(m) <= 5
