"""What counts as an access."""

from __future__ import annotations

import pytest
from tests.sidecar.operations.requests import batch, describe, lookup, read, update, write
from tests.sidecar.services.served import START_MS, Served, StoreMaker, served

from memslot.v1.slot_pb2 import SlotInfo
from memslot.v1.slot_service_pb2 import ReadVersionRequest
from memslot_sidecar.errors import SlotNotFound, VersionNotFound


async def count(run: Served, name: str = "a") -> int:
    """How often the slot was accessed, all accesses flushed."""
    await run.store.flush_accesses()
    info: SlotInfo = (await run(describe(name))).results[0].info
    return info.access_count


async def test_a_returned_body_is_an_access(make: StoreMaker) -> None:
    """Read, BatchRead and ReadVersion count once each body; access_time is that of the last one."""
    async with served(make) as run:
        revision = (await run(write())).revision
        assert await count(run) == 0
        assert not (await run(describe("a"))).results[0].info.HasField("access_time")
        run.clock.forward(5)
        await run(read())
        await run(batch("a", "absent"))
        run.clock.forward(5)
        await run(ReadVersionRequest(namespace="ns", name="a", version_revision=revision))
        assert await count(run) == 3
        info = (await run(describe("a"))).results[0].info
        assert info.access_time.ToMilliseconds() == START_MS + 10


async def test_nothing_else_is_an_access(make: StoreMaker) -> None:
    """Lookup, Describe, a poll that finds the slot unmodified, writes and failures count nothing."""
    async with served(make) as run:
        receipt = (await run(write())).receipt
        await run(lookup())
        await run(lookup(view="LOOKUP_VIEW_INFO"))
        await run(describe("a"))
        reply = await run(read(if_revision_not=receipt.revision))
        assert (reply.not_modified, reply.HasField("slot")) == (True, False)
        await run(write(body=b"y"))
        await run(update(mask=["pinned"], info=SlotInfo(pinned=True)))
        with pytest.raises(VersionNotFound):
            await run(ReadVersionRequest(namespace="ns", name="a", version_revision=99))
        with pytest.raises(SlotNotFound):
            await run(read("absent"))
        assert await count(run) == 0


async def test_accesses_have_no_revision(make: StoreMaker) -> None:
    """A thousand reads and their flush move neither the store's revision nor the slot's."""
    async with served(make) as run:
        await run(write())
        for _ in range(1000):
            await run(read())
        assert await count(run) == 1000
        assert run.store.revision == 1
        assert (await run(read())).slot.info.revision == 1


async def test_accesses_raise_the_rank(make: StoreMaker) -> None:
    """Of slots of one age the one that is read more ranks higher, by the logarithm of its count."""
    async with served(make) as run:
        for name in "abc":
            await run(write(name))
        for name, times in (("c", 2), ("b", 1)):
            for _ in range(times):
                await run(read(name))
        await run.store.flush_accesses()
        found = (await run(lookup(view="LOOKUP_VIEW_INFO"))).slots
        assert [slot.name for slot in found] == ["c", "b", "a"]
        assert [slot.rank_score for slot in found] == pytest.approx([1.0986, 0.6931, 0.0], abs=1e-3)
