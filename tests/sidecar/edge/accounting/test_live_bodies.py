"""Counts of live bodies: right after anything that happens, and no larger than what is live."""

from __future__ import annotations

from typing import Any

from google.protobuf.duration_pb2 import Duration
from tests.sidecar.operations.requests import forget, write
from tests.sidecar.services.served import served

from memslot_sidecar.edge.accounting.counters import counter_of
from memslot_sidecar.edge.accounting.live_bodies import BodyCounts, LiveBodies
from memslot_sidecar.edge.notes import Amount
from memslot_sidecar.model import EffectiveSettings

CHARS = counter_of("chars")


def _live(*sizes: int) -> LiveBodies:
    return LiveBodies(Amount(sum(sizes), sum(sizes)), len(sizes), sum(sizes))


async def test_expired_bodies_go_without_being_swept() -> None:
    """Each at its time, also where the time was set anew, and a slot that is written again afterwards counts again."""
    async with served() as run:
        counts = BodyCounts(run.store)
        for number in range(1, 6):
            await run(write(str(number), b"x" * number, ttl=Duration(seconds=10 * number)))
        await run(write("1", b"x", ttl=Duration(seconds=35)))
        assert await counts.of("ns", CHARS) == _live(1, 2, 3, 4, 5)
        await run(write("2", b"yy", ttl=Duration(seconds=100)))
        assert await counts.of("ns", CHARS) == _live(1, 2, 3, 4, 5)
        run.clock.forward(36_000)
        assert await counts.of("ns", CHARS) == _live(2, 4, 5)
        await run(write("3", b"zzz"))
        await run(forget("5"))
        assert await counts.of("ns", CHARS) == _live(2, 3, 4)
        run.clock.forward(10**9)
        assert await counts.of("ns", CHARS) == _live()


async def test_what_comes_and_goes_leaves_nothing() -> None:
    """A namespace that was counted once and then never again grows with its live slots alone, however many slots come and go."""
    async with served(defaults=EffectiveSettings(slot_limit=10_000)) as run:
        counts: Any = BodyCounts(run.store)
        await counts.of("ns", CHARS)
        for number in range(2_000):
            await run(write(f"s{number}", b"x"))
            await run(forget(f"s{number}"))
        [space] = counts._namespaces.values()
        assert not space.waiting
        for _ in range(3_000):
            await run(write("same", b"x", ttl=Duration(seconds=60)))
            await counts.of("ns", CHARS)
        assert len(space._expiring) < 1_100
        assert await counts.of("ns", CHARS) == _live(1)
