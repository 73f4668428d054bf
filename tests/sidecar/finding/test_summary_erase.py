"""A summary that was erased with its slot is in no file, as somebody who has the disk would look for it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from tests.faults.canaries import Canary
from tests.sidecar.finding.summarised import EXTRACTIVE, SPACE, Slots, Summing, summarised, told

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import SlotNotFound
from memslot_sidecar.finding.summary import SummarySource
from memslot_sidecar.model import EffectiveSettings, IndexMode


@pytest.fixture(params=[IndexMode.KEYS, IndexMode.FULLTEXT])
def settings(request: pytest.FixtureRequest) -> EffectiveSettings:
    """Namespaces that are searched, and such that are not."""
    return replace(EXTRACTIVE, index_mode=request.param)


def files_with(canary: Canary, directory: Path) -> set[str]:
    """Names of the files in which it stands."""
    return {path.name for path in directory.rglob("*") if path.is_file() and canary.is_in(path.read_bytes())}


async def erase(slots: Slots, name: str) -> None:
    """Forgets a slot for good."""
    await slots.served(pb.ForgetRequest(namespace=SPACE, name=name, erase=True))


async def test_erased_summary_is_in_no_file(settings: EffectiveSettings, tmp_path: Path) -> None:
    """When Forget with `erase` has answered, the summary is in no file, nor is one that it had before, and the others are whole."""
    async with summarised(tmp_path, "sqlite", defaults=settings) as slots:
        canary, before = Canary(), Canary()
        for number in range(50):
            await slots.write(f"beside {number}", f"kept{number}")
        await slots.write("x", before.word)
        await slots.settled()
        await slots.write("x", canary.word)
        await slots.settled()
        assert files_with(canary, tmp_path) & {"index.db", "index.db-wal"}
        await erase(slots, "x")
        assert (files_with(canary, tmp_path), files_with(before, tmp_path)) == (set(), set())
        assert await slots.texts("x", "beside 49") == ["", told("kept49")]


async def test_summary_that_is_made_while_its_slot_is_erased(tmp_path: Path) -> None:
    """Summaries that were under way when the slot was erased, in the background and for a reader, are not kept afterwards."""
    making, canary = Summing(), Canary()
    making.open.clear()
    async with summarised(tmp_path, "sqlite", makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("x", canary.word)
        reading = asyncio.create_task(slots.summary("x"))
        await slots.until(lambda: asyncio.sleep(0, len(making.asked) > 1))
        await erase(slots, "x")
        making.open.set()
        with pytest.raises(SlotNotFound):
            await reading
        await slots.write("y", "heron")
        await slots.settled()
        assert files_with(canary, tmp_path) == set()
        assert await slots.summaries.stats() == (1, len(told("heron")))


async def test_summaries_that_are_turned_off_can_be_erased(settings: EffectiveSettings, tmp_path: Path) -> None:
    """Turning summaries off and forgetting at once leaves nothing either."""
    canary = Canary()
    async with summarised(tmp_path, "sqlite", defaults=settings) as slots:
        for number in range(20):
            await slots.write(f"{number}", canary.word)
        await slots.settled()
        await slots.configure(summary_mode="SUMMARY_MODE_OFF", index_mode="INDEX_MODE_KEYS")
        await slots.served(pb.ForgetMatchingRequest(namespace=SPACE, all=True, erase=True))
        assert files_with(canary, tmp_path) == set()
