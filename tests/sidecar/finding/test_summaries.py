"""Summaries of bodies: made in the background or at once, of the present body and no other."""

from __future__ import annotations

import asyncio
import json
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

OFF = replace(EXTRACTIVE, summary_mode=SummaryMode.OFF)


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
