"""Lookup, Describe, BatchRead and versions."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.sidecar.operations.requests import batch, commit, describe, forget, lookup, read, update, versions, write
from tests.sidecar.services.served import START_MS, Served, StoreMaker, served

from memslot.v1.filter_pb2 import (
    AttributeCondition,
    AttributeValueList,
    DoubleRange,
    Filter,
    FilterList,
    Int64Range,
    OriginSet,
    StringSet,
    TimeRange,
)
from memslot.v1.slot_pb2 import AttributeValue, SlotInfo
from memslot.v1.slot_service_pb2 import LookupOrder, ReadVersionRequest
from memslot_sidecar.errors import InvalidPageToken, VersionNotFound
from memslot_sidecar.model import EffectiveSettings

ROOMY = EffectiveSettings(slot_limit=100_000, body_limit_bytes=3_900_000)
ORDERS = [name for name in LookupOrder.keys() if not name.endswith("UNSPECIFIED")]  # noqa: SIM118 - no mapping


def number(value: float) -> AttributeValue:
    """A number, as an int64 or a double."""
    return AttributeValue(int64_value=value) if isinstance(value, int) else AttributeValue(double_value=value)


def attribute(**fields: Any) -> Filter:
    """A filter on the attribute `k`."""
    return Filter(attribute=AttributeCondition(key="k", **fields))


def moment(ms: int) -> Timestamp:
    """A point in time, from the start."""
    found = Timestamp()
    found.FromMilliseconds(START_MS + ms)
    return found


def strings(*values: str) -> StringSet:
    """A set of strings."""
    return StringSet(values=values)


async def names(run: Served, filter: Filter | None = None, **fields: Any) -> list[str]:  # noqa: A002 - the field
    """The names that a lookup finds."""
    return [slot.name for slot in (await run(lookup(filter, **fields))).slots]


async def some_slots(run: Served) -> None:
    """Slots a to e, a second apart, each with something of its own."""
    await run(write("a", b"1", tags=["x", "y"], origin="ORIGIN_USER", attributes={"k": number(2)}))
    run.clock.forward(1_000)
    await run(write("b", b"22", tags=["x"], task_type="plan", importance=0.5, attributes={"k": number(2.0)}))
    run.clock.forward(1_000)
    await run(write("c", b"333", tags=["50%_x"], never=True, attributes={"k": AttributeValue(string_value="2")}))
    run.clock.forward(1_000)
    await run(write("d", b"4444", task_type="plan", attributes={"k": AttributeValue(bool_value=True)}))
    run.clock.forward(1_000)
    await run(write("e", b"55555", tags=["y"]))
    await run(read("b"))
    await run.store.flush_accesses()


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        (Filter(name_prefix="a"), "a"),
        (Filter(name_prefix="%"), ""),
        (Filter(task_type_in=strings("plan", "other")), "bd"),
        (Filter(task_type_in=strings("")), "ace"),
        (Filter(tags_any=strings("x", "y")), "abe"),
        (Filter(tags_all=strings("x", "y")), "a"),
        (Filter(tags_none=strings("x", "y")), "cd"),
        (Filter(tags_any=strings("50%_x")), "c"),
        (Filter(tags_any=strings("50__x")), ""),
        (Filter(created=TimeRange(**{"from": moment(1_000)}, until=moment(3_000))), "bc"),
        (Filter(updated=TimeRange(**{"from": moment(4_000)})), "e"),
        (Filter(accessed=TimeRange(until=moment(9_000))), "b"),
        (Filter(expires=TimeRange(**{"from": moment(0)})), "abde"),
        (Filter(importance=DoubleRange(min=0.5, max=0.5)), "b"),
        (Filter(body_bytes=Int64Range(min=2, max=4)), "bcd"),
        (Filter(origin_in=OriginSet(values=[1])), "a"),
        (Filter(origin_in=OriginSet(values=[0])), "bcde"),
        (attribute(eq=number(2)), "ab"),
        (attribute(eq=number(2.0)), "ab"),
        (attribute(ne=number(2)), "cde"),
        (attribute(gt=number(1.5)), "ab"),
        (attribute(le=number(2)), "ab"),
        (attribute(lt=number(2)), ""),
        (attribute(ge=AttributeValue(string_value="")), "c"),
        (attribute(eq=AttributeValue(bool_value=True)), "d"),
        (attribute(eq=number(1)), ""),
        (attribute(**{"in": AttributeValueList(values=[number(2), AttributeValue(bool_value=True)])}), "abd"),
        (attribute(exists=True), "abcd"),
        (attribute(exists=False), "e"),
        (Filter(all_of=FilterList(filters=[Filter(tags_any=strings("y")), Filter(name_prefix="e")])), "e"),
        (Filter(any_of=FilterList(filters=[Filter(name_prefix="a"), Filter(name_prefix="c")])), "ac"),
        (Filter(none_of=FilterList(filters=[Filter(name_prefix="a"), Filter(name_prefix="c")])), "bde"),
    ],
)
async def test_a_filter_finds_what_it_says(make: StoreMaker, filter_: Filter, found: str) -> None:
    """Each leaf and each combination finds the same slots on every store, and counts them."""
    async with served(make) as run:
        await some_slots(run)
        reply = await run(lookup(filter_, order_by="LOOKUP_ORDER_NAME", total=True))
        assert ("".join(slot.name for slot in reply.slots), reply.total) == (found, len(found))


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("RANK", "bedca"),
        ("NAME", "abcde"),
        ("UPDATED", "edcba"),
        ("CREATED", "abcde"),
        ("ACCESSED", "bacde"),
        ("EXPIRES", "abdec"),
        ("SIZE", "edcba"),
    ],
)
async def test_slots_come_in_order(make: StoreMaker, order: str, found: str) -> None:
    """Each order lists as the contract says; never-read and never-expiring slots last."""
    async with served(make) as run:
        await some_slots(run)
        assert "".join(await names(run, order_by=f"LOOKUP_ORDER_{order}")) == found
        back = "".join(await names(run, order_by=f"LOOKUP_ORDER_{order}", reverse=True))
        assert sorted(back) == sorted(found)
        if order != "ACCESSED":
            assert back == found[::-1]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("order", ORDERS)
async def test_paging_yields_each_slot_once(make: StoreMaker, order: str, reverse: bool) -> None:
    """30 slots by 5 come as 5, 5, 5, 5, 5, 5 in each order, with ties, filters and namespaces below."""
    async with served(make) as run:
        for i in range(30):
            await run(write(f"n{i % 10}", b"x" * (i % 3), f"ns/{i // 10}", tags=["t"], importance=(i % 4) / 4))
        sizes, found, token = [], [], ""
        while not sizes or token:
            reply = await run(
                lookup(
                    Filter(tags_any=strings("t")),
                    recursive=True,
                    order_by=order,
                    reverse=reverse,
                    page_size=5,
                    page_token=token,
                )
            )
            sizes.append(len(reply.slots))
            found += [(slot.namespace, slot.name) for slot in reply.slots]
            token = reply.next_page_token
        assert sizes == [5] * 6
        assert len(set(found)) == 30


@pytest.mark.parametrize("order", ["LOOKUP_ORDER_NAME", "LOOKUP_ORDER_CREATED"])
async def test_paging_is_stable_under_changes(make: StoreMaker, order: str) -> None:
    """By NAME and CREATED each slot that lived throughout comes exactly once, whatever is written, updated and forgotten meanwhile."""
    async with served(make) as run:
        for i in range(20):
            await run(write(f"n{i:02}"))
        found, token, step = [], "", 0
        while not step or token:
            reply = await run(lookup(order_by=order, page_size=3, page_token=token))
            found += [slot.name for slot in reply.slots]
            token = reply.next_page_token
            await run(write(f"n{(step * 7) % 20:02}", b"%d" % step))
            await run(write(f"new{step}"))
            if step == 1:
                await run(forget("n10"))
            step += 1
        assert [name for name in found if name.startswith("n") and name != "n10" and not name.startswith("new")] == [
            f"n{i:02}" for i in range(20) if i != 10
        ]


@pytest.mark.parametrize(
    "other",
    [
        {"namespace": "ns/b"},
        {"name_prefix": "n"},
        {"recursive": True},
        {"order_by": "LOOKUP_ORDER_NAME"},
        {"reverse": True},
        {"filter": Filter(name_prefix="n")},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_a_token_is_bound_to_its_query(make: StoreMaker, other: dict[str, Any]) -> None:
    """A token with another namespace, prefix, filter or order is refused; with another page_size, view or budget it is good."""
    async with served(make) as run:
        for i in range(9):
            await run(write(f"n{i}"))
        token = (await run(lookup(page_size=2))).next_page_token
        fields = {"page_size": 5, "view": "LOOKUP_VIEW_INFO", "max_bytes": 100_000, "total": True}
        assert len(await names(run, page_token=token, **fields)) == 5
        with pytest.raises(InvalidPageToken):
            await run(lookup(**{"page_token": token} | other))


async def test_totals_are_counted_to_ten_thousand(make: StoreMaker) -> None:
    """Beyond 10,000 matches the total is 10,000 and said to be a lower bound; unasked there is none; the page does not matter."""
    async with served(make, defaults=ROOMY) as run:
        for start in range(0, 10_001, 128):
            await run(commit(*[write(f"n{i:05}") for i in range(start, min(start + 128, 10_001))]))
        reply = await run(lookup(total=True))
        assert (reply.total, reply.total_is_lower_bound, len(reply.slots)) == (10_000, True, 50)
        reply = await run(lookup(total=True, page_token=reply.next_page_token))
        assert (reply.total, reply.total_is_lower_bound) == (10_000, True)
        await run(forget("n00000"))
        reply = await run(lookup(total=True, page_size=5_000))
        assert (reply.total, reply.total_is_lower_bound, len(reply.slots)) == (10_000, False, 1_000)
        assert not (await run(lookup())).HasField("total")


async def test_an_info_lookup_tells_what_describe_tells(make: StoreMaker) -> None:
    """View INFO and Describe give the same SlotInfo, that of a read with its access counted."""
    async with served(make) as run:
        await some_slots(run)
        listed = {slot.name: slot for slot in (await run(lookup(view="LOOKUP_VIEW_INFO"))).slots}
        described = (await run(describe(*"abcde"))).results
        assert [listed[name] for name in "abcde"] == [result.info for result in described]
        assert (await run(read("b"))).slot.info == listed["b"]


async def test_results_are_aligned_with_the_names(make: StoreMaker) -> None:
    """Describe and BatchRead answer in the order asked, absent and repeated names included."""
    async with served(make) as run:
        await run(write("a"))
        await run(write("b"))
        asked = ["b", "absent", "a", "b"]
        told = (await run(describe(*asked))).results
        assert [result.info.name or result.status.code for result in told] == ["b", 5, "a", "b"]
        told = (await run(batch(*asked))).results
        assert [result.slot.info.name or result.status.code for result in told] == ["b", 5, "a", "b"]


async def test_a_batch_keeps_its_byte_budget(make: StoreMaker) -> None:
    """Bodies that do not fit are REPLY_BUDGET and no access, smaller ones after them come; no reply reaches 4,000,000 bytes."""
    async with served(make, defaults=ROOMY) as run:
        for name in "ab":
            await run(write(name, b"x" * 3_000_000))
        await run(write("c", b"small"))
        reply = await run(batch(*"abc"))
        assert [result.status.code for result in reply.results] == [0, 8, 0]
        assert reply.ByteSize() < 4_000_000
        await run.store.flush_accesses()
        assert [result.info.access_count for result in (await run(describe(*"abc"))).results] == [1, 0, 1]
        reply = await run(batch(*"abc", max_bytes=10_000))
        assert [result.status.code for result in reply.results] == [8, 8, 0]
        assert reply.ByteSize() < 10_000


async def test_the_largest_body_fits_into_a_reply(make: StoreMaker) -> None:
    """A body of body_limit_bytes' ceiling is written and read in replies below 4,000,000 bytes."""
    body = b"x" * 3_900_000
    attributes = {f"k{i}": AttributeValue(string_value="v" * 1024) for i in range(32)}
    async with served(make, defaults=ROOMY) as run:
        await run(write("big", body, attributes=attributes))
        reply = await run(read("big"))
        assert reply.slot.body == body
        assert reply.ByteSize() < 4_000_000
        assert (await run(batch("big"))).results[0].slot.body == body


async def test_a_thousand_names_fit_into_a_reply(make: StoreMaker) -> None:
    """1000 absent names of 128 bytes are answered one by one, below 4,000,000 bytes."""
    async with served(make) as run:
        asked = [f"{i:03}" + "n" * 125 for i in range(1000)]
        for request in (describe(*asked), batch(*asked)):
            reply = await run(request)
            assert len(reply.results) == 1000
            assert reply.ByteSize() < 4_000_000


async def test_a_large_body_among_a_thousand_names_keeps_the_bound(make: StoreMaker) -> None:
    """A body that leaves no room for the statuses of the other names is REPLY_BUDGET, and comes when it is asked for alone."""
    async with served(make, defaults=ROOMY) as run:
        await run(write("big", b"x" * 3_900_000))
        reply = await run(batch("big", *[f"{i:03}" + "n" * 125 for i in range(999)]))
        assert reply.ByteSize() < 4_000_000
        assert reply.results[0].status.code == 8
        assert (await run(batch("big"))).results[0].slot.info.body_bytes == 3_900_000


async def test_versions_are_kept_and_read(make: StoreMaker) -> None:
    """The newest bodies are kept with what was said of them then; the current one is a version; metadata of today goes with each."""
    async with served(make, defaults=EffectiveSettings(versions_kept=3)) as run:
        revisions = []
        for i in range(5):
            revisions.append((await run(write(body=b"%d" % i, description=f"d{i}"), caller=f"c{i}")).revision)
            run.clock.forward(1_000)
        await run(update(mask=["tags"], info=SlotInfo(tags=["today"])))
        kept = (await run(versions())).versions
        assert [version.body_bytes for version in kept] == [1, 1, 1]
        assert [version.written_by for version in kept[1:]] == ["c3", "c2"]
        slot = (await run(ReadVersionRequest(namespace="ns", name="a", version_revision=revisions[2]))).slot
        assert (slot.body, slot.info.description, list(slot.info.tags)) == (b"2", "d2", ["today"])
        assert (slot.info.version, slot.info.written_by, slot.info.revision) == (3, "c2", revisions[2])
        with pytest.raises(VersionNotFound):
            await run(ReadVersionRequest(namespace="ns", name="a", version_revision=revisions[1]))


async def test_versions_come_in_pages(make: StoreMaker) -> None:
    """Pages of versions hold each once, newest first."""
    async with served(make, defaults=EffectiveSettings(versions_kept=10)) as run:
        for i in range(10):
            await run(write(body=b"%d" % i))
        found, token = [], ""
        while not found or token:
            reply = await run(versions(page_size=3, page_token=token))
            found += [version.version for version in reply.versions]
            token = reply.next_page_token
        assert found == list(range(10, 0, -1))
        await run(write("b"))
        token = (await run(versions(page_size=3))).next_page_token
        with pytest.raises(InvalidPageToken):
            await run(versions("b", page_token=token))
