"""Lookup replies within their byte budget."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sidecar.services.served import Served, served

from memslot.v1.slot_pb2 import AttributeValue
from memslot.v1.slot_service_pb2 import (
    LOOKUP_ORDER_NAME,
    LOOKUP_VIEW_INFO,
    LOOKUP_VIEW_NAMES,
    LookupRequest,
    WriteRequest,
)
from memslot_sidecar.model import EffectiveSettings

ROOMY = EffectiveSettings(slot_limit=10_000)


async def pages(run: Served, **fields: Any) -> list[Any]:
    """All pages of a lookup by name."""
    found, token = [], ""
    while True:
        request = LookupRequest(namespace="ns", order_by=LOOKUP_ORDER_NAME, page_token=token, **fields)
        reply = await run(request)
        found.append(reply)
        token = reply.next_page_token
        if not token:
            return found


@pytest.mark.parametrize("view", [LOOKUP_VIEW_NAMES, LOOKUP_VIEW_INFO])
@pytest.mark.parametrize("max_bytes", [1, 300, 1000, 5000])
async def test_a_reply_keeps_its_byte_budget(view: int, max_bytes: int) -> None:
    """No reply of more than one slot exceeds max_bytes, and the pages give each name once, in order."""
    async with served(defaults=ROOMY) as run:
        names = [f"slot-{i:03}" for i in range(60)]
        for name in names:
            await run(WriteRequest(namespace="ns", name=name, description="d" * 100))
        found = await pages(run, view=view, max_bytes=max_bytes, page_size=25)
        assert run.calls[-1].count == len(found[-1].slots)
    assert [slot.name for page in found for slot in page.slots] == names
    assert all(page.ByteSize() <= max_bytes or len(page.slots) == 1 for page in found)
    assert max_bytes > 1 or len(found) == 60


async def test_a_reply_stays_below_four_million_bytes() -> None:
    """A thousand slots with all the metadata they may have come in several replies below 4,000,000 bytes."""
    heavy = {f"k{i:02}": AttributeValue(string_value="v" * 1024) for i in range(32)}
    async with served(defaults=ROOMY) as run:
        for i in range(150):
            await run(WriteRequest(namespace="ns", name=f"{i:03}", attributes=heavy))
        found = await pages(run, view=LOOKUP_VIEW_INFO, page_size=1000)
    assert len(found) > 1
    assert all(page.ByteSize() <= 4_000_000 for page in found)
    assert sum(len(page.slots) for page in found) == 150


async def test_names_come_alone() -> None:
    """View NAMES fills the name and nothing else, and with recursive the namespace too."""
    async with served() as run:
        await run(WriteRequest(namespace="ns/below", name="a", description="d"))
        deep = await run(LookupRequest(namespace="ns", recursive=True))
        flat = await run(LookupRequest(namespace="ns/below"))
    assert [field.name for field, _ in deep.slots[0].ListFields()] == ["name", "namespace"]
    assert [field.name for field, _ in flat.slots[0].ListFields()] == ["name"]


async def test_scores_of_a_page_are_of_one_moment() -> None:
    """Two slots that were written and never read since differ in score by what their writing differs, at any page's time."""
    async with served() as run:
        for name in "ab":
            await run(WriteRequest(namespace="ns", name=name))
        run.clock.forward(86_400_000 // 2)
        page = await run(LookupRequest(namespace="ns", view=LOOKUP_VIEW_INFO))
    first, second = (slot.rank_score for slot in page.slots)
    assert first == second < 0
