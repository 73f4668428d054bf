"""Summaries over time: they follow settings, ranks, restarts and whatever happens to their slots, and take no more room than they may."""

from __future__ import annotations

import math
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.sidecar.finding.summarised import EXTRACTIVE, SPACE, Slots, Summing, summarised, told
from tests.sidecar.services.served import Clock

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.finding.summary import SummarySource
from memslot_sidecar.model import EffectiveSettings, IndexMode, SummaryMode

DAY_MS = 86_400_000
NAMES = "uvwxyz"
OFF = replace(EXTRACTIVE, summary_mode=SummaryMode.OFF)
BELOW = replace(EXTRACTIVE, summary_below_rank=-1.0, summary_above_bytes=1_000_000)


@pytest.fixture(params=["ram", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    """Every store."""
    kind: str = request.param
    return kind


@pytest.fixture(params=[IndexMode.KEYS, IndexMode.FULLTEXT])
def settings(request: pytest.FixtureRequest) -> EffectiveSettings:
    """Namespaces that are searched, and such that are not."""
    return replace(EXTRACTIVE, index_mode=request.param)


async def test_settings_of_a_namespace(kind: str, tmp_path: Path) -> None:
    """Turning summaries on makes those of slots that are there, and opens the index for them; turning them off drops them."""
    async with summarised(tmp_path, kind, defaults=OFF) as slots:
        await slots.write("x", "zebra")
        await slots.write("x", "heron", namespace="acme/other")
        await slots.configure(summary_mode="SUMMARY_MODE_EXTRACTIVE")
        await slots.until(lambda: _has(slots, 1))
        assert await slots.texts("x") == [told("zebra")]
        assert await slots.texts("x", namespace="acme/other") == [""]
        await slots.configure(summary_above_bytes=3000)
        await slots.until(lambda: _has(slots, 0))
        assert await slots.texts("x") == [""]
        await slots.configure(summary_above_bytes=100)
        await slots.until(lambda: _has(slots, 1))
        await slots.configure(summary_mode="SUMMARY_MODE_OFF")
        await slots.until(lambda: _has(slots, 0))
        assert (await slots.summary("x")).text == told("zebra")
        assert await slots.texts("x") == [""]
        assert await _has(slots, 0)


async def _has(slots: Slots, count: int) -> bool:
    return slots.finder.index is not None and (await slots.summaries.stats())[0] == count


async def test_below_a_rank(kind: str, tmp_path: Path) -> None:
    """Where a rank is set, a text that is not long has its summary once its rank has fallen below, a read puts it off, and asking hastens it."""
    clock, making = Clock(), Summing()
    async with summarised(
        tmp_path, kind, defaults=BELOW, clock=clock, makers={SummarySource.EXTRACTIVE: making}
    ) as slots:
        await slots.write("x", "zebra")
        await slots.write("often", "heron")
        await slots.write("asked", "otter", importance=1.0)
        await slots.settled()
        assert making.asked == []
        desk = slots.finder.index
        assert desk is not None
        _, next_ms = await desk.read(lambda index: index.summaries.due(2, clock.now_ms, 1))
        assert next_ms == pytest.approx(clock.now_ms + DAY_MS / math.log(2), abs=5)
        clock.forward(DAY_MS)
        await slots.served(pb.ReadRequest(namespace=SPACE, name="often"))
        await slots.served.store.flush_accesses()
        clock.forward(DAY_MS // 2)
        await slots.write("wakes", "lynx")
        await slots.until(lambda: _has(slots, 1))
        await slots.settled()
        assert making.asked == ["zebra"]
        await slots.described("asked")
        await slots.until(lambda: _has(slots, 2))
        assert making.asked == ["zebra", "otter"]
        clock.forward(2 * DAY_MS)
        await slots.write("wakes", "mole")
        await slots.until(lambda: _has(slots, 3))
        assert making.asked == ["zebra", "otter", "heron"]


async def test_room_is_bounded(kind: str, tmp_path: Path) -> None:
    """Summaries of the slots of the lowest rank go first, over all namespaces; writing on makes none that would not stay."""
    size = len(told("w00"))
    making = Summing()
    async with summarised(tmp_path, kind, limit_bytes=10 * size, makers={SummarySource.EXTRACTIVE: making}) as slots:
        chance = random.Random(5)
        worth = {f"w{number:02}": number / 40 for number in chance.sample(range(30), 30)}
        for word, importance in worth.items():
            await slots.write(word, word, namespace=f"acme/{word[-1]}", importance=importance)
            await slots.settled()
            assert (await slots.summaries.stats())[1] <= 10 * size
        kept = [word for word in worth if (await slots.texts(word, namespace=f"acme/{word[-1]}")) != [""]]
        assert sorted(kept) == sorted(worth)[-10:]
        assert len(making.asked) < 30


async def test_what_is_kept_survives_a_restart(tmp_path: Path) -> None:
    """Summaries are there after a restart, those that waited are made, and a smaller room holds at once."""
    first = Summing()
    async with summarised(tmp_path, "sqlite", makers={SummarySource.EXTRACTIVE: first}) as slots:
        await slots.write("x", "zebra")
        await slots.settled()
        first.refused = {"heron"}
        await slots.write("y", "heron")
        await slots.until(lambda: _asked(first, "heron"))
    second, clock = Summing(), Clock()
    clock.forward(DAY_MS)
    async with summarised(tmp_path, "sqlite", makers={SummarySource.EXTRACTIVE: second}, clock=clock) as slots:
        assert (await slots.texts("x")) == [told("zebra")]
        await slots.until(lambda: _has(slots, 2))
        assert second.asked == ["heron"]
    async with summarised(tmp_path, "sqlite", limit_bytes=0, clock=clock) as slots:
        await slots.until(lambda: _has(slots, 0))


async def test_index_that_is_older_than_the_store(settings: EffectiveSettings, tmp_path: Path) -> None:
    """Summaries of slots that went while the index looked away, and whose going the feed no longer tells, go too."""
    data, old = tmp_path / "data", tmp_path / "old"
    async with summarised(tmp_path, "sqlite", defaults=settings) as slots:
        await slots.write("x", "zebra")
        await slots.write("y", "heron")
        await slots.settled()
    old.mkdir()
    for path in data.glob("index.db*"):
        shutil.copy(path, old / path.name)
    async with summarised(tmp_path, "sqlite", defaults=settings) as slots:
        await slots.served(pb.ForgetRequest(namespace=SPACE, name="x"))
        await slots.write("y", "otter")
        store = slots.served.store
        await store.trim_feed(0, store.now_ms() + DAY_MS, store.revision - 1)
    for path in old.iterdir():
        shutil.copy(path, data / path.name)
    async with summarised(tmp_path, "sqlite", defaults=settings) as slots:
        await slots.until(lambda: _told(slots, "y", told("otter")))
        await slots.until(lambda: _has(slots, 1))


async def _told(slots: Slots, name: str, text: str) -> bool:
    return await slots.texts(name) == [text]


async def _asked(making: Summing, word: str) -> bool:
    return word in making.asked


@pytest.mark.parametrize("seed", range(8))
async def test_summary_is_of_the_present_body(kind: str, seed: int, tmp_path: Path) -> None:
    """Whatever was written, forgotten, expired and configured, a summary is that of the body which is there, and in the end each has one."""
    story = Story(seed)
    async with summarised(tmp_path, kind, clock=story.clock) as slots:
        for number in range(120):
            await story.step(slots, number)
        await slots.configure(summary_mode="SUMMARY_MODE_EXTRACTIVE")
        wanted = [story.summary(name) for name in NAMES]
        await slots.until(lambda: _equal(slots, wanted))


class Story:
    """A random sequence of all that changes what a summary should be, beside a model of what is there."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.clock = Clock()
        self.present: dict[str, tuple[str, int, int | None]] = {}

    async def step(self, slots: Slots, number: int) -> None:
        """One thing that happens."""
        name = self.chance.choice(NAMES)
        match self.chance.randrange(10):
            case 0 | 1 | 2 | 3:
                await self.write(slots, name, f"w{number}", 1500 + number, number, ends=self.chance.random() < 0.3)
            case 4 if self.summary(name):
                word, size, until_ms = self.present[name]
                await self.write(slots, name, word, size, number, ends=until_ms is not None)
            case 5:
                self.present.pop(name, None)
                await slots.served(pb.ForgetRequest(namespace=SPACE, name=name))
            case 6:
                self.clock.forward(self.chance.choice([1000, 6000]))
            case 7:
                await slots.configure(summary_mode=self.chance.choice(["SUMMARY_MODE_OFF", "SUMMARY_MODE_EXTRACTIVE"]))
            case 8 if self.summary(name):
                assert (await slots.summary(name)).text == self.summary(name)
            case _:
                for at, text in zip(NAMES, await slots.texts(*NAMES), strict=True):
                    assert text in ("", self.summary(at))

    async def write(self, slots: Slots, name: str, word: str, size: int, number: int, *, ends: bool) -> None:
        """Writes a slot, for a while or for ever."""
        self.present[name] = word, size, self.clock.now_ms + 5000 if ends else None
        expiry = {"ttl": {"seconds": 5}} if ends else {}
        await slots.write(name, word, size, description=f"{number}", **expiry)

    def summary(self, name: str) -> str:
        """The summary that a slot should have; empty when it is not there."""
        word, size, until_ms = self.present.get(name, ("", 0, 0))
        return told(word, size) if until_ms is None or until_ms > self.clock.now_ms else ""


async def _equal(slots: Slots, wanted: list[str]) -> bool:
    return await slots.texts(*NAMES) == wanted
