"""Summaries of bodies: made in the background or at once, of the present body and no other."""

from __future__ import annotations

import asyncio
import json
import math
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.sidecar.finding.summarised import EXTRACTIVE, SPACE, Slots, Summing, long_text, summarised, told
from tests.sidecar.services.served import Clock

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import SlotNotFound
from memslot_sidecar.finding.summary import SummarySource
from memslot_sidecar.model import EffectiveSettings, IndexMode, SummaryMode

DAY_MS = 86_400_000
NAMES = "uvwxyz"
OFF = replace(EXTRACTIVE, summary_mode=SummaryMode.OFF)
BELOW = replace(EXTRACTIVE, summary_below_rank=-1.0)


@pytest.fixture(params=["ram", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    """Every store."""
    kind: str = request.param
    return kind


@pytest.fixture(params=[IndexMode.KEYS, IndexMode.FULLTEXT])
def settings(request: pytest.FixtureRequest) -> EffectiveSettings:
    """Namespaces that are searched, and such that are not."""
    return replace(EXTRACTIVE, index_mode=request.param)


async def read(slots: Slots, name: str, **fields: object) -> pb.ReadResponse:
    """A reply in view SUMMARY."""
    request = pb.ReadRequest(namespace=SPACE, name=name, view=pb.READ_VIEW_SUMMARY, **fields)
    reply: pb.ReadResponse = await slots.served(request)
    return reply


async def test_made_in_the_background_of_large_texts(kind: str, settings: EffectiveSettings, tmp_path: Path) -> None:
    """A text from the size on has a summary soon after it was written; a smaller one, and what is no text, has none."""
    async with summarised(tmp_path, kind, defaults=settings) as slots:
        revision = await slots.write("large", "zebra", 1000)
        await slots.write("small", "heron", 999)
        await slots.write("no text", "", body=b"\xff" * 2000)
        await slots.write("blank", "", body=b" " * 2000)
        await slots.settled()
        large, *others = await slots.described("large", "small", "no text", "blank", "missing")
        assert large.summary == slot_pb2.Summary(
            text=told("zebra", 1000), source="SUMMARY_SOURCE_EXTRACTIVE", revision=revision
        )
        assert large.info.has_summary
        assert not any(result.HasField("summary") or result.info.has_summary for result in others)
        assert await slots.summaries.stats() == (1, len(told("zebra", 1000)))


async def test_only_those_who_ask_get_it(kind: str, tmp_path: Path) -> None:
    """Without being asked for summaries, Describe and Read tell none."""
    async with summarised(tmp_path, kind) as slots:
        await slots.write("x", "zebra")
        await slots.settled()
        (result,) = (await slots.served(pb.DescribeRequest(namespace=SPACE, names=["x"]))).results
        assert not result.HasField("summary")
        assert not (await slots.served(pb.ReadRequest(namespace=SPACE, name="x"))).HasField("summary")


async def test_metadata_change_keeps_the_summary(kind: str, settings: EffectiveSettings, tmp_path: Path) -> None:
    """A change that leaves the body alone takes the summary along to the new revision, and none is made anew."""
    making = Summing()
    async with summarised(tmp_path, kind, defaults=settings, makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("x", "zebra")
        await slots.settled()
        revision = await slots.write("x", "zebra", description="renamed")
        await slots.settled()
        assert (await slots.described("x"))[0].summary.revision == revision
        assert (await slots.summary("x")).revision == revision
        assert making.asked == ["zebra"]


async def test_another_body_has_another_summary(kind: str, settings: EffectiveSettings, tmp_path: Path) -> None:
    """From the answer of a write on, the summary of what was there before is told by nobody."""
    making = Summing()
    async with summarised(tmp_path, kind, defaults=settings, makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("x", "zebra")
        await slots.settled()
        making.open.clear()
        await slots.write("x", "heron")
        assert await slots.texts("x") == [""]
        making.open.set()
        assert (await slots.summary("x")).text == told("heron")
        await slots.settled()
        assert await slots.texts("x") == [told("heron")]
        await slots.write("x", "!", 1, mode=pb.WRITE_MODE_APPEND)
        assert (await slots.summary("x")).text == told("heron", 2001)


async def test_writers_summary_wins(kind: str, settings: EffectiveSettings, tmp_path: Path) -> None:
    """A summary that came with the body is told everywhere, takes the place of a made one, and goes with its body."""
    async with summarised(tmp_path, kind, defaults=settings) as slots:
        await slots.write("x", "zebra")
        await slots.settled()
        revision = await slots.write("x", "zebra", summary="About zebras.", origin="ORIGIN_USER")
        wanted = slot_pb2.Summary(
            text="About zebras.", source="SUMMARY_SOURCE_WRITER", origin="ORIGIN_USER", revision=revision
        )
        assert await slots.summary("x") == (await slots.described("x"))[0].summary == wanted
        await slots.settled()
        assert await slots.summaries.stats() == (0, 0)
        await slots.write("x", "heron")
        assert (await slots.summary("x")).text == told("heron")


async def test_read_makes_one_at_once(kind: str, tmp_path: Path) -> None:
    """View SUMMARY answers with a summary of any text, though none is kept: it counts no access, tells no body, and the audit none."""
    async with summarised(tmp_path, kind, defaults=OFF) as slots:
        assert slots.finder.index is None
        revision = await slots.write("x", "zebra")
        reply = await read(slots, "x")
        assert (reply.summary.text, reply.summary.revision) == (told("zebra"), revision)
        assert (reply.slot.info.name, reply.slot.info.has_summary) == ("x", True)
        assert (reply.slot.info.body_bytes, reply.slot.body) == (2000, b"")
        call = slots.served.calls[-1]
        assert (call.operation, call.outcome, call.body_bytes, call.names) == ("Read", "READ", 0, ("x",))
        await slots.served.store.flush_accesses()
        assert (await slots.described("x"))[0].info.access_count == 0
        assert await slots.texts("x") == [""]


async def test_short_text_stands_for_itself(kind: str, tmp_path: Path) -> None:
    """A text that is no longer than a summary is its own summary when it was asked for by name, but not in Describe."""
    making = Summing()
    async with summarised(tmp_path, kind, makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("text", "", body="räksmörgås 😀".encode())
        await slots.write("json", "", body=b'{"a": [1, "b"]}', content_type="application/json")
        await slots.write("bytes", "", body=b"\xff\xfe")
        await slots.write("empty", "", body=b"")
        found = [(await read(slots, name)).summary.text for name in ("text", "json", "bytes", "empty")]
        assert found == ["räksmörgås 😀", '{"a": [1, "b"]}', "", ""]
        assert not (await read(slots, "bytes")).HasField("summary")
        assert await slots.texts("text", "json", "bytes", "empty") == [""] * 4
        assert making.asked == []


async def test_json_is_summarised_by_what_it_says(kind: str, tmp_path: Path) -> None:
    """The summary of a JSON body is made of its keys, strings and numbers."""
    async with summarised(tmp_path, kind) as slots:
        body = json.dumps({"zebra": long_text("heron")}).encode()
        await slots.write("x", "", body=body, content_type="application/json")
        await slots.settled()
        assert (await slots.texts("x"))[0].startswith("zebra, ")


async def test_poll_of_a_summary(kind: str, tmp_path: Path) -> None:
    """Read in view SUMMARY answers not_modified at the same revision, and NOT_FOUND where there is no slot."""
    async with summarised(tmp_path, kind) as slots:
        revision = await slots.write("x", "zebra")
        assert (await read(slots, "x", if_revision_not=revision)).not_modified
        assert (await read(slots, "x", if_revision_not=revision - 1)).summary.text == told("zebra")
        with pytest.raises(SlotNotFound):
            await read(slots, "y")


async def test_many_readers_share_one_making(kind: str, tmp_path: Path) -> None:
    """Readers that want the same summary at the same time have it made once."""
    making = Summing()
    async with summarised(tmp_path, kind, defaults=OFF, makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("x", "zebra")
        found = await asyncio.gather(*(slots.summary("x") for _ in range(20)))
        assert {summary.text for summary in found} == {told("zebra")}
        assert making.asked == ["zebra"]


@pytest.mark.parametrize("change", ["forget", "expire", "overwrite"])
async def test_slot_that_changes_while_it_is_summarised(kind: str, change: str, tmp_path: Path) -> None:
    """A slot that goes while its summary is being made is not found, one that changes is summarised as it is, and nothing of the old body is
    kept."""
    making, clock = Summing(), Clock()
    making.open.clear()
    async with summarised(tmp_path, kind, makers={SummarySource.EXTRACTIVE: making}, clock=clock) as slots:
        await slots.write("x", "zebra", ttl={"seconds": 60})
        reading = asyncio.create_task(read(slots, "x"))
        await slots.until(lambda: asyncio.sleep(0, len(making.asked) > 1))
        if change == "forget":
            await slots.served(pb.ForgetRequest(namespace=SPACE, name="x"))
        elif change == "expire":
            clock.forward(61_000)
        else:
            await slots.write("x", "heron")
        making.open.set()
        if change == "overwrite":
            assert (await reading).summary.text == told("heron")
        else:
            with pytest.raises(SlotNotFound):
                await reading
        await slots.settled()
        assert await slots.texts("x") == [told("heron") if change == "overwrite" else ""]
        assert await slots.summaries.stats() == ((1, len(told("heron"))) if change == "overwrite" else (0, 0))


async def test_forgotten_slots_have_no_summary(kind: str, settings: EffectiveSettings, tmp_path: Path) -> None:
    """Forget, expiry and the end of a namespace take summaries along."""
    clock = Clock()
    async with summarised(tmp_path, kind, defaults=settings, clock=clock) as slots:
        for name in ("forgotten", "expired", "deleted"):
            await slots.write(name, "zebra", ttl={"seconds": 60 if name == "expired" else 600})
        await slots.settled()
        await slots.served(pb.ForgetRequest(namespace=SPACE, name="forgotten"))
        clock.forward(61_000)
        assert await slots.texts("forgotten", "expired", "deleted") == ["", "", told("zebra")]
        await slots.served(pb.ForgetMatchingRequest(namespace=SPACE, all=True))
        assert await slots.texts("deleted") == [""]
        await slots.settled()
        count, _ = await slots.summaries.stats()
        assert count <= 1, "the expired one, until it is swept"


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
        assert await slots.texts("x") == [""]
        assert (await slots.summary("x")).text == told("zebra")


async def _has(slots: Slots, count: int) -> bool:
    return slots.finder.index is not None and (await slots.summaries.stats())[0] == count


async def test_only_below_a_rank(kind: str, tmp_path: Path) -> None:
    """Where a rank is set, a text has its summary once its rank has fallen below, a read puts it off, and asking hastens it."""
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


@pytest.mark.parametrize(
    ("said", "by_model", "trusted"),
    [
        ("ORIGIN_OPERATOR", False, "ORIGIN_OPERATOR"),
        ("ORIGIN_USER", False, "ORIGIN_USER"),
        ("ORIGIN_MODEL", False, "ORIGIN_MODEL"),
        ("ORIGIN_TOOL", False, "ORIGIN_TOOL"),
        ("ORIGIN_UNSPECIFIED", False, "ORIGIN_UNSPECIFIED"),
        ("ORIGIN_OPERATOR", True, "ORIGIN_MODEL"),
        ("ORIGIN_USER", True, "ORIGIN_MODEL"),
        ("ORIGIN_MODEL", True, "ORIGIN_MODEL"),
        ("ORIGIN_TOOL", True, "ORIGIN_TOOL"),
        ("ORIGIN_UNSPECIFIED", True, "ORIGIN_UNSPECIFIED"),
    ],
)
async def test_as_trusted_as_the_least_trusted(said: str, by_model: bool, trusted: str, tmp_path: Path) -> None:
    """A summary is as trusted as the body, and one that a model wrote no more than the model."""
    mode = SummaryMode.MODEL if by_model else SummaryMode.EXTRACTIVE
    async with summarised(tmp_path, defaults=replace(EXTRACTIVE, summary_mode=mode)) as slots:
        await slots.write("x", "zebra", origin=said)
        await slots.settled()
        for summary in (await slots.summary("x"), (await slots.described("x"))[0].summary):
            assert slot_pb2.Origin.Name(summary.origin) == trusted
            assert summary.source == (3 if by_model else 2)


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
        await slots.until(lambda: _has(slots, 1))
        await slots.until(lambda: _told(slots, "y", told("otter")))


async def _told(slots: Slots, name: str, text: str) -> bool:
    return await slots.texts(name) == [text]


async def _asked(making: Summing, word: str) -> bool:
    return word in making.asked


async def test_large_reply_stays_in_its_bounds(tmp_path: Path) -> None:
    """A thousand slots with long summaries do not fit into one reply of Describe: what does not fit says so."""
    async with summarised(tmp_path, defaults=replace(OFF, slot_limit=1000)) as slots:
        names = [f"{number}" for number in range(1000)]
        for name in names:
            await slots.write(name, "", 1, summary="漢" * 2000)
        reply = await slots.served(pb.DescribeRequest(namespace=SPACE, names=names, summaries=True))
        fitting = [result.summary.text == "漢" * 2000 for result in reply.results if result.HasField("info")]
        assert all(fitting)
        assert 500 < len(fitting) < 1000
        assert reply.ByteSize() < 4_000_000


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
