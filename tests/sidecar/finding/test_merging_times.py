"""When words are merged, by a clock of the test: no time passes but what it lets pass."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.sidecar.finding.memory import until

from memslot_index.changes import Entry
from memslot_index.database.stopping import Stop
from memslot_index.merging import Merging as Portions
from memslot_index.vectors.choice import VectorSettings
from memslot_sidecar.finding import merging
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.merging import Merging

PORTION = Portions.portion
QUIET_S, REST_S = merging._QUIET_S, merging._REST_LEAST_S


class Pauses:
    """Pauses that end when the test says so, and a clock that only portions move."""

    def __init__(self) -> None:
        self._asked: asyncio.Queue[tuple[float, asyncio.Event]] = asyncio.Queue()
        self._over = asyncio.Event()
        self.now_s = 0.0

    async def __call__(self, seconds: float) -> None:
        """Waits for the test."""
        over = asyncio.Event()
        self._asked.put_nowait((seconds, over))
        await over.wait()

    def clock(self) -> float:
        """Seconds, as portions spent them."""
        return self.now_s

    async def begun(self) -> float:
        """Waits until a pause is asked for; how many seconds it is to last."""
        seconds, self._over = await asyncio.wait_for(self._asked.get(), 20)
        return seconds

    def over(self) -> None:
        """Ends the pause that has begun."""
        self._over.set()

    @property
    def none_begun(self) -> bool:
        """Whether nobody pauses."""
        return self._asked.empty() and self._over.is_set()


class Quiet:
    """Words and who merges them. Whether all is indexed, how many portions were merged, and how long each takes by the clock."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.pauses = Pauses()
        self.settled = True
        self.portions = 0
        self.portion_s = 0.0
        self._revisions = itertools.count(1)
        self.merging = Merging(desk, lambda: self.settled, _raised, pause=self.pauses, clock=self.pauses.clock)
        desk.changed = self.merging.wake

    async def write(self, count: int = 1) -> None:
        """Slots, each a part by itself."""
        for revision in itertools.islice(self._revisions, count):
            words = " ".join(f"w{revision * 7 % 50 + word}x" for word in range(40))
            await self.desk.apply([Entry("a", f"n{revision}", revision, 1, "", (), "", words)])

    async def passes(self) -> float:
        """Ends the pause that has begun, and waits for the next one; how many seconds that is to last."""
        self.pauses.over()
        return await self.pauses.begun()


def _raised(error: Exception) -> None:
    raise error


@asynccontextmanager
async def quiet_desk(directory: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Quiet]:
    """Thirty slots were written, and it begins to look whether it is quiet."""
    desk = await Desk.open(directory, VectorSettings())
    quiet = Quiet(desk)

    def portion(self: Portions, stop: Stop) -> None:
        quiet.portions += 1
        quiet.pauses.now_s += quiet.portion_s
        PORTION(self, stop)

    monkeypatch.setattr("memslot_index.merging._PAGES", 1)
    monkeypatch.setattr(Portions, "portion", portion)
    await quiet.write(30)
    quiet.merging.start()
    assert await quiet.pauses.begun() == QUIET_S
    yield quiet
    await quiet.merging.stop()
    await desk.close()


async def test_without_a_write_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After one time of quiet the first portion is merged."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        assert await quiet.passes() == REST_S
        assert quiet.portions == 1


async def test_nothing_is_merged_while_slots_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as each write comes sooner than it is quiet, no portion is begun."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        for _ in range(5):
            await quiet.write()
            assert await quiet.passes() == QUIET_S
        assert quiet.portions == 0
        await quiet.passes()
        assert quiet.portions == 1


async def test_nothing_is_merged_while_something_is_still_to_be_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long nothing is written meanwhile."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        quiet.settled = False
        for _ in range(3):
            assert await quiet.passes() == QUIET_S
        assert quiet.portions == 0
        quiet.settled = True
        await quiet.passes()
        assert quiet.portions == 1


async def test_a_write_between_two_portions_begins_all_of_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is merged when it has been quiet once more."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        assert await quiet.passes() == REST_S
        written = threading.Event()
        writing = quiet.desk.write(lambda _: written.wait(20))
        quiet.pauses.over()
        written.set()
        assert await writing
        assert await quiet.pauses.begun() == QUIET_S
        assert quiet.portions == 1
        await quiet.passes()
        assert quiet.portions == 2


async def test_no_portion_is_begun_while_somebody_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks again after a short rest, and goes on once the search has ended."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        held, free = threading.Event(), threading.Event()

        def search(*_: object) -> bool:
            held.set()
            return free.wait(20)

        searching = asyncio.ensure_future(quiet.desk.search(search, 20))
        await asyncio.get_running_loop().run_in_executor(None, held.wait)
        for _ in range(3):
            assert await quiet.passes() == REST_S
        assert quiet.portions == 0
        free.set()
        assert await searching
        await quiet.passes()
        assert quiet.portions == 1


async def test_it_works_a_fifth_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a portion it rests four times as long as that took."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        for portion_s in (1.0, 0.25):
            quiet.portion_s = portion_s
            assert await quiet.passes() == 4 * portion_s


async def test_when_nothing_is_left_it_sleeps_until_something_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The debug log tells of it, and no pause is begun before the next write."""
    async with quiet_desk(tmp_path, monkeypatch) as quiet:
        caplog.set_level(logging.DEBUG, merging.__name__)
        while quiet.desk.index.merging.waiting:
            await quiet.passes()
        quiet.pauses.over()
        await until(lambda: "words merged in" in caplog.text)
        # In the step that told it so, it came to where it sleeps, or began another pause.
        assert quiet.pauses.none_begun
        await quiet.write()
        assert await quiet.pauses.begun() == QUIET_S
