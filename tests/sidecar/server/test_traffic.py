"""When a server that drains has become quiet."""

from __future__ import annotations

import asyncio

from memslot_sidecar.traffic import PATIENCE_S, Traffic


async def test_settled_at_once_when_nobody_asks() -> None:
    """Without calls a drain takes a moment, and nearly all of the grace is left."""
    assert await asyncio.wait_for(Traffic().settle(600, asyncio.Event()), 10) > 590


async def test_call_under_way_is_waited_for() -> None:
    """As long as a call is under way it is not settled, until the grace is over."""
    traffic = Traffic()
    traffic.begin()
    assert await traffic.settle(0.2, asyncio.Event()) == 0.0
    settling = asyncio.ensure_future(traffic.settle(600, asyncio.Event()))
    await asyncio.sleep(0.2)
    assert not settling.done()
    traffic.end()
    assert await asyncio.wait_for(settling, 10) < 600


async def test_second_thoughts_cut_it_short() -> None:
    """Once cut, nothing is waited for."""
    traffic, cut = Traffic(), asyncio.Event()
    traffic.begin()
    settling = asyncio.ensure_future(traffic.settle(600, cut))
    await asyncio.sleep(0)
    cut.set()
    assert await asyncio.wait_for(settling, 10) > 590


async def test_callers_without_end_are_not_waited_for() -> None:
    """Callers who ask again and again, though they are refused, do not hold up the end for long."""
    traffic = Traffic()

    async def ask() -> None:
        while True:
            traffic.begin()
            traffic.end()
            await asyncio.sleep(0.01)

    asking = asyncio.ensure_future(ask())
    left_s = await asyncio.wait_for(traffic.settle(600, asyncio.Event()), PATIENCE_S + 10)
    assert left_s <= 600 - PATIENCE_S
    asking.cancel()
