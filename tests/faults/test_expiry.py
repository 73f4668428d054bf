"""Expiry: an expired slot is on no path, whether or not the sweeper ran, and time steps do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.message import Message
from tests.faults.asking import append, read, write
from tests.faults.in_process import START_MS, STORES, InProcess, in_process
from tests.faults.trail import revisions_told

from memslot.v1 import admin_service_pb2, namespace_service_pb2, slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidField, MemslotError, RevisionMismatch, SlotNotFound

TTL_MS = 1000
TEN_YEARS_S = 315_360_000

pytestmark = pytest.mark.parametrize("store", STORES)


def short_lived(name: str, body: bytes = b"old", ttl_ms: int = TTL_MS) -> pb.WriteRequest:
    """A write of a slot that expires soon."""
    request = write(name, body, tags=["t"])
    request.ttl.FromMilliseconds(ttl_ms)
    return request


async def expired_world(run: InProcess) -> list[int]:
    """Two versions of `gone`, read and so in every cache, both expired by now; `kept` is alive. Returns the revisions of `gone`."""
    revisions = [(await run(short_lived("gone", body))).receipt.revision for body in (b"older", b"old")]
    await run(write("kept"))
    for _ in range(3):
        await run(read("gone"))
        await run(pb.BatchReadRequest(namespace="acme/task", names=["gone", "kept"]))
        await run(pb.LookupRequest(namespace="acme/task"))
    run.clock.now_ms += TTL_MS
    return revisions


async def test_slot_expires_at_its_time_and_not_before(tmp_path: Path, store: str) -> None:
    """A slot is there until the millisecond before its expire_time, and not at it."""
    async with in_process(store, tmp_path) as run:
        receipt = (await run(short_lived("a"))).receipt
        assert receipt.expire_time.ToMilliseconds() == START_MS + TTL_MS
        run.clock.now_ms += TTL_MS - 1
        assert (await run(read("a"))).slot.body == b"old"
        run.clock.now_ms += 1
        with pytest.raises(SlotNotFound):
            await run(read("a"))


async def test_expired_slot_is_on_no_path_that_reads(tmp_path: Path, store: str) -> None:
    """At once, without a sweep, no read, batch, description, version, lookup in any order, total or count holds an expired slot."""
    async with in_process(store, tmp_path, versions_kept=3) as run:
        revisions = await expired_world(run)
        name = {"namespace": "acme/task", "name": "gone"}
        requests: list[Message] = [read("gone"), pb.ReadRequest(**name, if_revision_not=revisions[1])]
        requests += [pb.ReadVersionRequest(**name, version_revision=revision) for revision in revisions]
        for request in [*requests, pb.ListVersionsRequest(**name)]:
            with pytest.raises(SlotNotFound):
                await run(request)
        batch = (await run(pb.BatchReadRequest(namespace="acme/task", names=["gone", "kept"]))).results
        described = (await run(pb.DescribeRequest(namespace="acme/task", names=["gone", "kept"]))).results
        assert [r.WhichOneof("result") for r in batch] == ["status", "slot"]
        assert [r.WhichOneof("result") for r in described] == ["status", "info"]
        for order in pb.LookupOrder.values():
            for view in pb.LookupView.values():
                for recursive in (False, True):
                    lookup = pb.LookupRequest(
                        namespace="acme" if recursive else "acme/task",
                        order_by=order,
                        view=view,
                        recursive=recursive,
                        total=True,
                    )
                    found = await run(lookup)
                    assert ([info.name for info in found.slots], found.total) == (["kept"], 1)
        for narrow in ({"name_prefix": "g"}, {"filter": {"tags_any": {"values": ["t"]}}}):
            assert list((await run(pb.LookupRequest(namespace="acme/task", **narrow))).slots) == []
        got = await run(namespace_service_pb2.GetNamespaceRequest(namespace="acme/task"))
        assert got.namespace.slot_count == 1


async def test_expired_slot_is_absent_for_every_mutation(tmp_path: Path, store: str) -> None:
    """Appending, patching, updating, checking, forgetting and conditional writing find nothing of an expired slot, not even metadata."""
    async with in_process(store, tmp_path) as run:
        for name in ("append", "patch", "update", "check", "forget", "absent", "revision"):
            await run(short_lived(name, b"{}" if name == "patch" else b"old"))
        run.clock.now_ms += TTL_MS
        appended = (await run(append("append", b"new"))).receipt
        assert (appended.outcome, appended.version, appended.previous_revision) == (slot_pb2.OUTCOME_CREATED, 1, 0)
        slot = (await run(read("append"))).slot
        assert (slot.body, list(slot.info.tags), slot.info.create_time.ToMilliseconds()) == (
            b"new",
            [],
            START_MS + TTL_MS,
        )
        await run(write("patch", b'{"b":1}', mode=pb.WRITE_MODE_MERGE_PATCH))
        assert (await run(read("patch"))).slot.body == b'{"b":1}'
        update = pb.UpdateInfoRequest(namespace="acme/task", name="update", info=slot_pb2.SlotInfo(description="x"))
        update.update_mask.paths.append("description")
        with pytest.raises(SlotNotFound):
            await run(update)
        check = pb.CommitRequest(namespace="acme/task")
        check.operations.add(check=pb.CommitCheck(name="check", precondition=slot_pb2.Precondition(if_absent=True)))
        check.operations.add(write=pb.WriteRequest(name="other"))
        await run(check)
        forgotten = (await run(pb.ForgetRequest(namespace="acme/task", name="forget"))).receipt
        assert forgotten.outcome == slot_pb2.OUTCOME_ABSENT
        await run(write("absent", precondition=slot_pb2.Precondition(if_absent=True)))
        with pytest.raises(RevisionMismatch) as caught:
            await run(write("revision", precondition=slot_pb2.Precondition(if_revision=7)))
        assert caught.value.metadata["current_revision"] == "0"


async def test_expired_slots_take_no_room_and_are_not_forgotten_twice(tmp_path: Path, store: str) -> None:
    """A namespace that is full of expired slots is empty: it takes as many new ones, and forgetting all of it forgets those alone."""
    async with in_process(store, tmp_path, slot_limit=4, store_limit_bytes=40) as run:
        for number in range(4):
            await run(short_lived(f"old {number}", b"1234567890"))
        run.clock.now_ms += TTL_MS
        listed = await run(namespace_service_pb2.ListNamespacesRequest())
        assert list(listed.namespaces) == []
        for number in range(4):
            await run(write(f"new {number}", b"1234567890"))
        assert (await run(pb.ForgetMatchingRequest(namespace="acme/task", all=True))).forgotten == 4


async def test_each_expiry_is_told_once(tmp_path: Path, store: str) -> None:
    """Slots that expire leave one revision each or together, whether a write found them or the sweeper did, and the audit names each once."""
    async with in_process(store, tmp_path, sweep_interval_s=0.05) as run:
        for number in range(20):
            await run(short_lived(f"{number}"))
        run.clock.now_ms += TTL_MS
        for number in range(5):
            await run(write(f"{number}", b"new"))
        stats = admin_service_pb2.StatsRequest()
        while (await run(stats)).slots > 5:
            pass
        events = await run.events()
    expired = [n["name"] for e in events for n in e.get("changes", []) if n["change"] == "EXPIRED"]
    expired += [name for e in events if e["outcome"] == "EXPIRED" and "changes" not in e for name in e["names"]]
    assert sorted(expired, key=int) == [f"{number}" for number in range(20)]
    told = revisions_told(events)
    assert told == list(range(1, len(told) + 1))


async def test_creation_time_survives_overwrites(tmp_path: Path, store: str) -> None:
    """Overwriting, appending, updating and committing keep create_time; forgetting ends it."""
    async with in_process(store, tmp_path) as run:
        await run(write("a"))
        for request in (write("a", b"new"), append("a", b"more"), write("a", b"newer", importance=1.0)):
            run.clock.now_ms += 10
            await run(request)
            assert (await run(read("a"))).slot.info.create_time.ToMilliseconds() == START_MS
        await run(pb.ForgetRequest(namespace="acme/task", name="a"))
        await run(write("a"))
        assert (await run(read("a"))).slot.info.create_time.ToMilliseconds() == START_MS + 30


@pytest.mark.parametrize("nanos", [0, -1])
async def test_time_to_live_must_be_positive(tmp_path: Path, store: str, nanos: int) -> None:
    """A time to live of zero or less, and a time that is not in the future, are refused and change nothing; a nanosecond is a
    millisecond."""
    async with in_process(store, tmp_path) as run:
        request = write("a")
        request.ttl.nanos = nanos
        with pytest.raises(InvalidField) as caught:
            await run(request)
        assert caught.value.field == "ttl"
        request.expire_time.FromMilliseconds(START_MS)
        with pytest.raises(InvalidField):
            await run(request)
        with pytest.raises(SlotNotFound):
            await run(read("a"))
        request.ttl.nanos = 1
        assert (await run(request)).receipt.expire_time.ToMilliseconds() == START_MS + 1


@pytest.mark.parametrize("bounded", [False, True])
async def test_far_future_is_defined(tmp_path: Path, store: str, *, bounded: bool) -> None:
    """The farthest times that a request can hold are clamped to what the namespace allows, with a warning, and never overflow."""
    async with in_process(store, tmp_path, ttl_max_s=60.0 if bounded else None) as run:
        never, long, late = write("never", never=True), write("long"), write("late")
        long.ttl.seconds = 315_576_000_000
        late.expire_time.FromJsonString("9999-12-31T23:59:59.999Z")
        for request in (never, long, late):
            receipt = (await run(request)).receipt
            if bounded:
                assert receipt.expire_time.ToMilliseconds() == START_MS + 60_000
                assert list(receipt.warnings) == [slot_pb2.WARNING_TTL_CLAMPED]
            else:
                assert not receipt.HasField("expire_time") or receipt.expire_time.seconds > TEN_YEARS_S
            assert (await run(read(request.name))).slot.body == b"body"


async def test_clock_steps_are_survived(tmp_path: Path, store: str) -> None:
    """A clock that steps back never makes time run backwards: what was swept stays gone, revisions and update times still rise, and
    slots go on expiring."""
    async with in_process(store, tmp_path) as run:
        await run(write("first"))
        run.clock.now_ms += 3_600_000
        before = (await run(write("second"))).receipt
        run.clock.now_ms -= 7_200_000
        after = (await run(short_lived("third"))).receipt
        assert after.revision == before.revision + 1
        times = [
            (await run(read(name))).slot.info.update_time.ToMilliseconds() for name in ("first", "second", "third")
        ]
        assert times == sorted(times)
        run.clock.now_ms += 7_200_000 + TTL_MS
        with pytest.raises(SlotNotFound):
            await run(read("third"))
        assert (await run(read("first"))).slot.body == b"body"
        events = await run.events()
    stamps = [event["time"] for event in events]
    assert stamps == sorted(stamps)


async def test_refresh_on_read_keeps_what_is_read_and_nothing_else(tmp_path: Path, store: str) -> None:
    """With ttl_refresh_on_read a slot that is read lives on by its own time to live, one that is only listed does not, and one that has
    expired is not revived by reading it."""
    async with in_process(store, tmp_path, ttl_refresh_on_read=True) as run:
        for name in ("read", "listed"):
            await run(short_lived(name))
        run.clock.now_ms += TTL_MS // 2
        await run(read("read"))
        await run(pb.LookupRequest(namespace="acme/task", view=pb.LOOKUP_VIEW_INFO))
        await run(pb.DescribeRequest(namespace="acme/task", names=["listed"]))
        run.clock.now_ms += TTL_MS // 2
        found = await run(pb.LookupRequest(namespace="acme/task"))
        assert [info.name for info in found.slots] == ["read"]
        run.clock.now_ms += TTL_MS
        for name in ("read", "listed"):
            with pytest.raises(MemslotError):
                await run(read(name))
