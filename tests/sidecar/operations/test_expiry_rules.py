"""When slots expire, and that an expired slot is invisible on every path at once."""

from __future__ import annotations

import asyncio

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from tests.sidecar.operations.requests import (
    IF_ABSENT,
    at,
    batch,
    check,
    commit,
    configure,
    describe,
    forget,
    forget_matching,
    lookup,
    read,
    update,
    versions,
    write,
)
from tests.sidecar.services.served import START_MS, Served, StoreMaker, served

from memslot.v1.filter_pb2 import Filter, TimeRange
from memslot.v1.namespace_service_pb2 import GetNamespaceRequest, ListNamespacesRequest
from memslot.v1.slot_pb2 import Outcome, SlotInfo, Warning  # noqa: A004 - the contract's word
from memslot.v1.slot_service_pb2 import WRITE_MODE_APPEND, ReadVersionRequest
from memslot_sidecar.errors import NamespaceNotFound, RevisionMismatch, SlotExists, SlotLimitReached, SlotNotFound
from memslot_sidecar.model import Change, EffectiveSettings
from memslot_sidecar.operations.sweep import sweep

DAY_MS = 86_400_000
SECOND = Duration(seconds=1)


async def expires(run: Served, request: Message) -> int | None:
    """When the slot expires after a mutation, in milliseconds from the start."""
    receipt = (await run(request)).receipt
    return receipt.expire_time.ToMilliseconds() - START_MS if receipt.HasField("expire_time") else None


def after(ms: int) -> Timestamp:
    """A point in time, from the start."""
    moment = Timestamp()
    moment.FromMilliseconds(START_MS + ms)
    return moment


async def test_a_new_slot_lives_as_its_namespace_says(make: StoreMaker) -> None:
    """Without a word on expiry a new slot lives for the namespace's ttl_default."""
    async with served(make) as run:
        assert await expires(run, write("a")) == DAY_MS
        await run(configure(ttl_default=Duration(seconds=60)))
        assert await expires(run, write("b")) == 60_000


async def test_an_overwrite_renews_the_slots_own_choice(make: StoreMaker) -> None:
    """An overwrite that says nothing renews ttl and default from now, and keeps a fixed time and never."""
    async with served(make) as run:
        await run(write("default"))
        await run(write("ttl", ttl=Duration(seconds=5)))
        await run(write("fixed", expire_time=after(9_000)))
        await run(write("never", never=True))
        run.clock.forward(1_000)
        assert await expires(run, write("default", b"y")) == DAY_MS + 1_000
        assert await expires(run, write("ttl", b"y")) == 6_000
        assert await expires(run, write("fixed", b"y")) == 9_000
        assert await expires(run, write("never", b"y")) is None
        assert await expires(run, write("never", b"z", ttl=SECOND)) == 2_000


async def test_a_sub_millisecond_ttl_is_a_millisecond(make: StoreMaker) -> None:
    """A positive time to live is never rounded to none."""
    async with served(make) as run:
        assert await expires(run, write(ttl=Duration(nanos=1))) == 1


async def test_beyond_ttl_max_is_clamped_with_a_warning(make: StoreMaker) -> None:
    """ttl, expire_time and never beyond ttl_max are clamped to it, with a warning; the default is clamped without."""
    clamped = [Warning.Value("WARNING_TTL_CLAMPED")]
    async with served(make) as run:
        await run(configure(ttl_max=Duration(seconds=10)))
        for name, chosen in (
            ("ttl", {"ttl": Duration(seconds=11)}),
            ("far", {"ttl": Duration(seconds=315_576_000_000)}),
            ("fixed", {"expire_time": after(10_001)}),
            ("never", {"never": True}),
        ):
            receipt = (await run(write(name, **chosen))).receipt
            assert receipt.expire_time == after(10_000), name
            assert list(receipt.warnings) == clamped, name
        receipt = (await run(write("default"))).receipt
        assert (receipt.expire_time, list(receipt.warnings)) == (after(10_000), [])
        receipt = (await run(update("default", never=True))).receipt
        assert (receipt.expire_time, list(receipt.warnings)) == (after(10_000), clamped)
        receipt = (await run(write("short", ttl=SECOND))).receipt
        assert (receipt.expire_time, list(receipt.warnings)) == (after(1_000), [])


async def test_an_expired_slot_is_invisible_on_every_path(make: StoreMaker) -> None:
    """At its very millisecond, without any sweep, a slot is gone from each method."""
    async with served(make) as run:
        await run(write(ttl=SECOND))
        revision = run.store.revision
        run.clock.forward(999)
        assert (await run(read())).slot.info.name == "a"
        run.clock.forward(1)
        for request in (read(), versions(), ReadVersionRequest(namespace="ns", name="a", version_revision=revision)):
            with pytest.raises(SlotNotFound):
                await run(request)
        assert (await run(describe("a"))).results[0].status.code == 5
        assert (await run(batch("a"))).results[0].status.code == 5
        for query in (lookup(total=True), lookup(Filter(expires=TimeRange(until=after(DAY_MS))), total=True)):
            found = await run(query)
            assert (len(found.slots), found.total) == (0, 0)
        assert (await run(forget_matching())).forgotten == 0
        with pytest.raises(NamespaceNotFound):
            await run(GetNamespaceRequest(namespace="ns"))
        assert len((await run(ListNamespacesRequest())).namespaces) == 0
        assert run.store.revision == revision


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (update(mask=["pinned"], info=SlotInfo(pinned=True)), SlotNotFound),
        (write(precondition=at(1)), RevisionMismatch),
        (forget(precondition=at(1)), RevisionMismatch),
        (commit(check("a", at(1))), RevisionMismatch),
    ],
    ids=["update", "write", "forget", "check"],
)
async def test_an_expired_slot_meets_no_precondition(
    make: StoreMaker, request_: Message, error: type[Exception]
) -> None:
    """For a mutation an expired slot is absent."""
    async with served(make) as run:
        await run(write(ttl=SECOND))
        run.clock.forward(1_000)
        with pytest.raises(error):
            await run(request_)


async def test_a_write_over_an_expired_slot_creates_a_new_one(make: StoreMaker) -> None:
    """It is CREATED with version 1, a new creation time and none of the old metadata, after an EXPIRED revision of its own."""
    async with served(make) as run:
        await run(write(ttl=SECOND, tags=["old"], description="old"))
        run.clock.forward(1_000)
        receipt = (await run(write(body=b"more", mode=WRITE_MODE_APPEND, precondition=IF_ABSENT))).receipt
        assert (receipt.outcome, receipt.version, receipt.previous_revision) == (Outcome.Value("OUTCOME_CREATED"), 1, 0)
        assert receipt.revision == 3
        slot = (await run(read())).slot
        assert (slot.body, list(slot.info.tags), slot.info.description) == (b"more", [], "")
        assert slot.info.create_time == after(1_000)
        changes = [change.change for record in await run.store.feed(0, 10) for change in record.changes]
        assert changes == [Change.CREATED, Change.EXPIRED, Change.CREATED]


async def test_forgetting_an_expired_slot_finds_it_absent(make: StoreMaker) -> None:
    """The forget answers ABSENT, and the slot takes its EXPIRED revision."""
    async with served(make) as run:
        await run(write(ttl=SECOND))
        run.clock.forward(1_000)
        reply = await run(forget())
        assert reply.receipt.outcome == Outcome.Value("OUTCOME_ABSENT")
        assert [record.outcome for record in await run.store.feed(1, 10)] == ["EXPIRED"]
        assert reply.revision >= 2


async def test_expired_slots_do_not_count_towards_limits(make: StoreMaker) -> None:
    """A namespace that is full of expired slots takes as many new ones as if it were empty."""
    async with served(make, defaults=EffectiveSettings(slot_limit=3)) as run:
        for name in "abc":
            await run(write(name, ttl=SECOND))
        with pytest.raises(SlotLimitReached):
            await run(write("d"))
        run.clock.forward(1_000)
        for name in "def":
            await run(write(name))
        with pytest.raises(SlotLimitReached):
            await run(write("g"))


async def test_the_sweeper_gives_expired_slots_their_revision(make: StoreMaker) -> None:
    """Swept slots have one EXPIRED revision a namespace and portion, and free their bytes."""
    async with served(make, defaults=EffectiveSettings(slot_limit=1_000)) as run:
        await run(commit(*[write(f"n{i}", ttl=SECOND) for i in range(128)]))
        await run(write("other", namespace="ns/2", ttl=SECOND))
        await run(write("stays"))
        assert await sweep(run.ctx) == 0
        run.clock.forward(1_000)
        assert await sweep(run.ctx) == 129
        assert await sweep(run.ctx) == 0
        swept = await run.store.feed(3, 10)
        assert [(record.outcome, len(record.changes)) for record in swept] == [("EXPIRED", 128), ("EXPIRED", 1)]
        assert {record.call.caller.id for record in swept} == {"system"}
        assert (run.store.usage().slots, run.store.usage().stored_bytes) == (1, 1)


async def test_the_expiry_can_be_changed_alone(make: StoreMaker) -> None:
    """UpdateInfo with nothing but an expiry keeps revision, version and update_time, and is a RENEWED change of the feed."""
    async with served(make) as run:
        first = (await run(write())).receipt
        run.clock.forward(10)
        receipt = (await run(update(ttl=SECOND))).receipt
        assert (receipt.revision, receipt.version) == (first.revision, 1)
        assert receipt.expire_time == after(1_010)
        assert (await run(describe("a"))).results[0].info.update_time == after(0)
        assert [record.changes[0].change for record in await run.store.feed(1, 9)] == [Change.RENEWED]


async def test_a_read_renews_where_the_namespace_wants_it(make: StoreMaker) -> None:
    """With ttl_refresh_on_read every returned body renews a ttl, durably; fixed times, lookups and describes renew nothing."""
    settings = EffectiveSettings(ttl_refresh_on_read=True, ttl_default_ms=1_000)
    async with served(make, defaults=settings) as run:
        await run(write("a"))
        await run(write("fixed", expire_time=after(1_000)))
        run.clock.forward(600)
        await run(lookup())
        await run(describe("a"))
        assert (await run(read("a"))).slot.info.expire_time == after(1_600)
        assert (await run(batch("fixed"))).results[0].slot.info.expire_time == after(1_000)
        run.clock.forward(600)
        assert (await run(batch("a"))).results[0].slot.info.expire_time == after(2_200)
        with pytest.raises(SlotNotFound):
            await run(read("fixed"))
        run.clock.forward(600)
        version = await run(ReadVersionRequest(namespace="ns", name="a", version_revision=1))
        assert version.slot.info.expire_time == after(2_800)


async def test_readers_at_once_share_a_renewal(make: StoreMaker) -> None:
    """Of many reads of one slot at one moment, one takes a revision to renew it."""
    async with served(make, defaults=EffectiveSettings(ttl_refresh_on_read=True)) as run:
        await run(write())
        run.clock.forward(DAY_MS // 2)
        replies = await asyncio.gather(*[run(read()) for _ in range(20)])
        assert {reply.slot.info.expire_time.seconds for reply in replies} == {after(DAY_MS * 3 // 2).seconds}
        assert run.store.revision == 2


async def test_reads_renew_nothing_by_default(make: StoreMaker) -> None:
    """Where the namespace does not ask for it, a read leaves the expiry and the feed alone."""
    async with served(make) as run:
        await run(write())
        run.clock.forward(5_000)
        assert (await run(read())).slot.info.expire_time == after(DAY_MS)
        assert run.store.revision == 1


async def test_a_slot_that_exists_again_is_not_absent(make: StoreMaker) -> None:
    """if_absent holds for an expired slot once, and not for the one that took its place."""
    async with served(make) as run:
        await run(write(ttl=SECOND))
        run.clock.forward(1_000)
        await run(write(precondition=IF_ABSENT))
        with pytest.raises(SlotExists):
            await run(write(precondition=IF_ABSENT))
