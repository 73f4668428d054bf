"""Forget and ForgetMatching."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from tests.sidecar.operations.requests import (
    batch,
    commit,
    configure,
    describe,
    forget,
    forget_matching,
    lookup,
    new_id,
    read,
    versions,
    write,
)
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1.filter_pb2 import Filter, StringSet
from memslot.v1.namespace_service_pb2 import DeleteNamespaceRequest, GetNamespaceRequest
from memslot.v1.slot_service_pb2 import ReadVersionRequest
from memslot_sidecar.errors import ErasePending, NamespaceNotFound, SlotNotFound, TooManyMatches
from memslot_sidecar.model import EffectiveSettings

ROOMY = EffectiveSettings(slot_limit=100_000)
TAGGED = Filter(tags_any=StringSet(values=["t"]))


async def fill(run: Served, count: int, namespace: str = "ns", tags: tuple[str, ...] = ()) -> None:
    """Writes so many slots, in large commits."""
    names = [f"n{i:05}" for i in range(count)]
    for start in range(0, count, 128):
        request = commit(*[write(name, tags=tags) for name in names[start : start + 128]])
        request.namespace = namespace
        await run(request)


@pytest.mark.parametrize("erase", [False, True])
async def test_a_forgotten_slot_is_found_on_no_path(make: StoreMaker, erase: bool) -> None:
    """After the answer no read, description, listing or version returns it, and an emptied namespace is gone."""
    async with served(make, defaults=EffectiveSettings(versions_kept=3)) as run:
        first = (await run(write())).revision
        await run(write(body=b"y"))
        await run(forget(erase=erase))
        for request in (read(), versions(), ReadVersionRequest(namespace="ns", name="a", version_revision=first)):
            with pytest.raises(SlotNotFound):
                await run(request)
        assert (await run(describe("a"))).results[0].HasField("status")
        assert (await run(batch("a"))).results[0].HasField("status")
        assert len((await run(lookup())).slots) == 0
        with pytest.raises(NamespaceNotFound):
            await run(GetNamespaceRequest(namespace="ns"))
        assert not run.store.erase_pending


async def test_a_slot_written_again_is_a_new_one(make: StoreMaker) -> None:
    """After a forget the same name starts anew: version 1, its own creation time, no access counted, no earlier version."""
    async with served(make, defaults=EffectiveSettings(versions_kept=3)) as run:
        await run(write(tags=["t"]))
        await run(read())
        await run(forget())
        run.clock.forward(1_000)
        await run(write(body=b"y"))
        info = (await run(describe("a"))).results[0].info
        assert (info.version, info.access_count, list(info.tags)) == (1, 0, [])
        assert info.create_time == info.update_time
        assert len((await run(versions())).versions) == 1


async def test_forgetting_all_forgets_all_and_says_so(make: StoreMaker) -> None:
    """Of 10,000 slots none remains, the count is 10,000, and each portion of at most 500 has a revision of its own."""
    async with served(make, defaults=ROOMY) as run:
        await fill(run, 10_000)
        before = run.store.revision
        reply = await run(forget_matching())
        assert (reply.forgotten, reply.more_remain) == (10_000, False)
        records = await run.store.feed(before, 100)
        assert [len(record.changes) for record in records] == [500] * 20
        assert {name.name for record in records for name in record.changes} == {f"n{i:05}" for i in range(10_000)}
        assert len((await run(lookup())).slots) == 0
        assert run.calls[-2].count == 10_000


async def test_only_what_matches_is_forgotten(make: StoreMaker) -> None:
    """A filter spares the others, and without recursive the namespaces below."""
    async with served(make, defaults=ROOMY) as run:
        await fill(run, 600, tags=("t",))
        await fill(run, 3, "ns/below", tags=("t",))
        await run(write("other"))
        assert (await run(forget_matching(TAGGED))).forgotten == 600
        left = (await run(lookup(recursive=True))).slots
        assert min((slot.namespace, slot.name) for slot in left) == ("ns", "other")
        assert len(left) == 4
        assert (await run(forget_matching(TAGGED, recursive=True))).forgotten == 3


async def test_more_matches_than_max_are_refused(make: StoreMaker) -> None:
    """Without allow_partial nothing is forgotten, and the error tells how many match; a max that is enough is no hindrance."""
    async with served(make, defaults=ROOMY) as run:
        await fill(run, 20)
        with pytest.raises(TooManyMatches) as refused:
            await run(forget_matching(max=19))
        assert refused.value.metadata == {"max": "19", "matches": "20"}
        assert len((await run(lookup())).slots) == 20
        assert (await run(forget_matching(max=20))).forgotten == 20


async def test_a_partial_forget_takes_the_lowest_ranked(make: StoreMaker) -> None:
    """With allow_partial max slots of the lowest rank go, the reply says that more remain, and a repeat goes on."""
    async with served(make, defaults=ROOMY) as run:
        for i in range(10):
            await run(write(f"n{i}", importance=i / 10))
        reply = await run(forget_matching(max=4, allow_partial=True))
        assert (reply.forgotten, reply.more_remain) == (4, True)
        assert {slot.name for slot in (await run(lookup())).slots} == {f"n{i}" for i in range(4, 10)}
        reply = await run(forget_matching(max=6, allow_partial=True))
        assert (reply.forgotten, reply.more_remain) == (6, False)


async def test_forgetting_nothing_changes_nothing(make: StoreMaker) -> None:
    """Forgetting nothing answers 0 and takes no revision."""
    async with served(make) as run:
        await run(write())
        reply = await run(forget_matching(TAGGED))
        assert (reply.forgotten, reply.more_remain, reply.revision) == (0, False, 1)


def files_with(directory: Path, part: bytes) -> list[str]:
    """The files below a directory that hold some bytes."""
    return [path.name for path in directory.rglob("*") if path.is_file() and part in path.read_bytes()]


@pytest.mark.parametrize(
    "erase",
    [
        forget(erase=True, request_id=new_id()),
        forget_matching(erase=True, request_id=new_id()),
        commit(forget(erase=True), request_id=new_id()),
        DeleteNamespaceRequest(namespace="ns", force=True, request_id=new_id()),
    ],
)
async def test_a_repeat_of_what_could_not_be_erased_erases(
    durable: StoreMaker, erase: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ERASE_PENDING, the same call under the same id answers when the bytes are wiped, not before."""
    async with served(durable) as run:
        await run(configure(erase_on_forget=isinstance(erase, DeleteNamespaceRequest)))
        await run(write())
        with monkeypatch.context() as patch:
            patch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 0}))
            for _ in range(2):
                with pytest.raises(ErasePending):
                    await run(erase)
        await run(erase)
        assert not run.store.erase_pending


@pytest.mark.parametrize("erase", [forget(erase=True), forget_matching(erase=True), commit(forget(erase=True))])
async def test_erasing_an_expired_slot_erases_it(durable: StoreMaker, tmp_path: Path, erase: Message) -> None:
    """A forget that erases leaves no byte of a slot that expired before and was not swept yet, nor of one forgotten before."""
    secret = b"a body that must not stay, " * 20
    async with served(durable) as run:
        await run(write("stays", b"kept"))
        await run(write("a", secret))
        await run(forget("a"))
        await run(write("a", secret, ttl=Duration(seconds=1)))
        run.clock.forward(1_000)
        await run(erase)
        assert not run.store.erase_pending
        assert files_with(tmp_path, secret[:40]) == []
