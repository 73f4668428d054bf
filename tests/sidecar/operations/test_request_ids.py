"""Request ids: a mutation that is repeated answers as it did the first time, and changes nothing."""

from __future__ import annotations

import asyncio

import pytest
from google.protobuf.message import Message
from tests.sidecar.operations.requests import (
    IF_ABSENT,
    commit,
    configure,
    forget,
    forget_matching,
    new_id,
    read,
    update,
    write,
)
from tests.sidecar.services.served import Clock, StoreMaker, served

from memslot.v1.namespace_service_pb2 import DeleteNamespaceRequest
from memslot.v1.slot_pb2 import AttributeValue, SlotInfo
from memslot.v1.slot_service_pb2 import WRITE_MODE_APPEND
from memslot_sidecar.errors import RequestIdReused, SlotExists, SlotNotFound

ID = new_id()
MUTATIONS: list[tuple[str, Message]] = [
    ("write", write(body=b"more", mode=WRITE_MODE_APPEND, request_id=ID)),
    ("update", update(mask=["pinned"], info=SlotInfo(pinned=True), request_id=ID)),
    ("forget", forget(request_id=ID)),
    ("forget what is absent", forget("absent", request_id=ID)),
    ("forget and erase", forget(erase=True, request_id=ID)),
    ("forget matching", forget_matching(request_id=ID)),
    ("commit", commit(write("new"), forget("a"), request_id=ID)),
    ("configure", configure(slot_limit=5, request_id=ID)),
    ("delete", DeleteNamespaceRequest(namespace="ns", force=True, request_id=ID)),
]


@pytest.mark.parametrize("request_", [row[1] for row in MUTATIONS], ids=[row[0] for row in MUTATIONS])
async def test_a_repeat_answers_as_the_first_time_and_changes_nothing(make: StoreMaker, request_: Message) -> None:
    """Each kind of mutation: three calls with one id give one reply and one change, whatever happened in between."""
    async with served(make) as run:
        await run(write("a", b"body"))
        await run(write("b", b"body"))
        first = await run(request_)
        revision = run.store.revision
        assert await run(request_) == first
        assert run.store.revision == revision
        await run(write("a", b"something else"))
        assert await run(request_) == first
        assert (await run(read("a"))).slot.body == b"something else"
        assert run.store.revision == revision + 1
        assert (run.calls[-2].repeated, run.calls[-2].outcome, run.calls[-2].recorded) == (True, "REPEATED", False)


@pytest.mark.parametrize("request_", [row[1] for row in MUTATIONS], ids=[row[0] for row in MUTATIONS])
async def test_a_concurrent_repeat_waits_for_the_first(make: StoreMaker, request_: Message) -> None:
    """Ten calls with one id at once: one reply for all, one change."""
    async with served(make) as run:
        await run(write("a", b"body"))
        before = run.store.revision
        first, *others = await asyncio.gather(*[run(request_) for _ in range(10)])
        assert others == [first] * 9
        assert sum(call.recorded for call in run.calls[1:]) == (run.store.revision > before)
        assert sum(call.repeated for call in run.calls[1:]) == 9


async def test_an_answer_is_kept_through_a_restart(durable: StoreMaker) -> None:
    """The repeat after a restart is a repeat."""
    clock = Clock()
    request = write(body=b"x", mode=WRITE_MODE_APPEND, request_id=ID)
    async with served(durable, clock=clock) as run:
        first = await run(request)
    async with served(durable, clock=clock) as run:
        assert await run(request) == first
        assert (await run(read())).slot.body == b"x"


async def test_an_answer_is_kept_for_ten_minutes(make: StoreMaker) -> None:
    """A repeat is one until ten minutes have passed; then the id is new."""
    request = write(body=b"x", mode=WRITE_MODE_APPEND, request_id=ID)
    async with served(make) as run:
        await run(request)
        run.clock.forward(599_999)
        await run(request)
        assert (await run(read())).slot.body == b"x"
        run.clock.forward(1)
        await run(request)
        assert (await run(read())).slot.body == b"xx"


@pytest.mark.parametrize(
    "other",
    [
        write(body=b"y", request_id=ID),
        write(tags=["t"], request_id=ID),
        write(attributes={"k": AttributeValue(int64_value=1)}, request_id=ID),
        write(namespace="ns/other", request_id=ID),
        forget(request_id=ID),
    ],
    ids=["body", "tags", "attributes", "namespace", "method"],
)
async def test_the_same_id_with_other_content_is_refused(make: StoreMaker, other: Message) -> None:
    """An id stands for one request: another body, another field or another method with it is REQUEST_ID_REUSED."""
    async with served(make) as run:
        await run(write(request_id=ID))
        with pytest.raises(RequestIdReused) as refused:
            await run(other)
        assert refused.value.field == "request_id"
        assert run.store.revision == 1


async def test_ids_of_callers_do_not_meet(make: StoreMaker) -> None:
    """An id belongs to its caller: the same one from somebody else is another request."""
    async with served(make) as run:
        await run(write(body=b"x", request_id=ID), caller="alice")
        await run(write(body=b"y", request_id=ID), caller="bob")
        assert (await run(read())).slot.body == b"y"


async def test_failures_are_not_kept(make: StoreMaker) -> None:
    """A refused call may be repeated with its id, and succeed."""
    request = write("b", precondition=IF_ABSENT, request_id=ID)
    async with served(make) as run:
        await run(write("b"))
        with pytest.raises(SlotExists):
            await run(request)
        await run(forget("b"))
        assert (await run(request)).receipt.revision == 3
        update_of_absent = update("c", ["pinned"], request_id=new_id())
        with pytest.raises(SlotNotFound):
            await run(update_of_absent)
        await run(write("c"))
        await run(update_of_absent)


async def test_a_map_in_another_order_is_the_same_content(make: StoreMaker) -> None:
    """Attributes have no order, so a retry that sends them in another one is a repeat."""
    values = {f"k{i}": AttributeValue(int64_value=i) for i in range(20)}
    async with served(make) as run:
        first = await run(write(attributes=values, request_id=ID))
        again = await run(write(attributes=dict(reversed(values.items())), request_id=ID))
        assert again == first


async def test_the_id_is_noted_for_the_audit(make: StoreMaker) -> None:
    """The feed and the call know the request id."""
    async with served(make) as run:
        await run(write(request_id=ID))
        assert run.calls[-1].request_id == ID
        assert [record.call.request_id for record in await run.store.feed(0, 10)] == [ID]
