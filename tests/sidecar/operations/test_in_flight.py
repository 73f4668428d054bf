"""Calls of one request id run one after the other."""

from __future__ import annotations

import asyncio

from tests.sidecar.operations.requests import new_id

from memslot_sidecar.call import Call
from memslot_sidecar.operations.once import InFlight, Once


async def test_calls_of_one_id_never_overlap() -> None:
    """Whoever arrives at the very moment when one leaves and another waits, waits too; nothing is kept afterwards."""
    in_flight = InFlight()
    once = Once(new_id(), b"", lambda _: b"")
    inside: list[int] = []
    most = 0

    async def enter(who: int) -> None:
        nonlocal most
        async with in_flight.alone(Call("Write"), once):
            inside.append(who)
            most = max(most, len(inside))
            for _ in range(9):
                await asyncio.sleep(0)
            inside.remove(who)

    first, second = asyncio.create_task(enter(1)), asyncio.create_task(enter(2))
    await first
    await asyncio.gather(second, enter(3), enter(4))
    assert most == 1
    assert not in_flight._entered
