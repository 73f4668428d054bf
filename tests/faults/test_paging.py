"""Pages: of the size that was asked for, each slot once though others come and go, and tokens for one query only."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.faults.asking import write
from tests.faults.in_process import STORES, InProcess, in_process

from memslot.v1 import namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidPageToken, StoreReplaced

ITEMS = 30
NAMES = [f"{number:02}" for number in range(ITEMS)]

pytestmark = pytest.mark.parametrize("store", STORES)


async def paged(run: InProcess, request: pb.LookupRequest) -> AsyncIterator[list[str]]:
    """The names of all pages."""
    while True:
        reply = await run(request)
        yield [info.name for info in reply.slots]
        if not reply.next_page_token:
            return
        request.page_token = reply.next_page_token


@pytest.mark.parametrize("reverse", [False, True])
async def test_thirty_by_five_are_six_pages_of_five(tmp_path: Path, store: str, *, reverse: bool) -> None:
    """In every order and view, paging through 30 slots by 5 gives six pages of five, all different, and the last has no token; also with
    a filter that all satisfy, and with many that do not in between."""
    async with in_process(store, tmp_path, slot_limit=1000) as run:
        for name in NAMES:
            await run(write(name, tags=["all"], importance=int(name) / ITEMS))
            await run(write(f"{name} other"))
        for order in pb.LookupOrder.values():
            for view in pb.LookupView.values():
                request = pb.LookupRequest(
                    namespace="acme/task",
                    page_size=5,
                    order_by=order,
                    view=view,
                    reverse=reverse,
                    filter={"tags_any": {"values": ["all"]}},
                )
                found = [page async for page in paged(run, request)]
                assert [len(page) for page in found] == [5] * 6
                assert sorted(name for page in found for name in page) == NAMES


async def test_versions_and_namespaces_page_too(tmp_path: Path, store: str) -> None:
    """Versions of a slot and namespaces come in full pages, each once."""
    async with in_process(store, tmp_path, versions_kept=30) as run:
        for name in NAMES:
            await run(write("slot", name.encode()))
            await run(write("x", namespace=f"many/{name}"))
        versions = pb.ListVersionsRequest(namespace="acme/task", name="slot", page_size=5)
        namespaces = namespace_service_pb2.ListNamespacesRequest(parent="many", page_size=5)
        numbers, paths = [], []
        for _ in range(6):
            reply = await run(versions)
            numbers.append([version.version for version in reply.versions])
            versions.page_token = reply.next_page_token
            listed = await run(namespaces)
            paths.append([namespace.name for namespace in listed.namespaces])
            namespaces.page_token = listed.next_page_token
        assert (versions.page_token, namespaces.page_token) == ("", "")
        assert numbers == [list(range(last, last - 5, -1)) for last in range(30, 0, -5)]
        assert paths == [[f"many/{name}" for name in NAMES[at : at + 5]] for at in range(0, 30, 5)]


@pytest.mark.parametrize("order", ["NAME", "CREATED"])
async def test_what_lived_throughout_comes_once_while_others_come_and_go(
    tmp_path: Path, store: str, order: str
) -> None:
    """Under writes, overwrites and forgets at full speed, paging by NAME or CREATED yields every slot that lived throughout exactly once."""
    async with in_process(store, tmp_path, slot_limit=10_000) as run:
        stable = [f"{number:03} stable" for number in range(0, 200, 2)]
        for name in stable:
            await run(write(name))

        async def disturb(seed: int) -> None:
            chance = random.Random(seed)
            while True:
                name = f"{chance.randrange(200):03} passing {chance.randrange(3)}"
                await run(write(name))
                await run(write(chance.choice(stable), b"%d" % chance.randrange(10**6)))
                await run(pb.ForgetRequest(namespace="acme/task", name=name))
                await asyncio.sleep(0)

        disturbers = [asyncio.create_task(disturb(seed)) for seed in range(4)]
        for size in (1, 7, 50):
            request = pb.LookupRequest(namespace="acme/task", order_by=f"LOOKUP_ORDER_{order}", page_size=size)
            found = []
            async for page in paged(run, request):
                found += page
                await asyncio.sleep(0.001)
            assert [name for name in found if name.endswith("stable")] == stable
            assert len(set(found)) == len(found)
        for disturber in disturbers:
            disturber.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await disturber


async def test_token_is_for_its_query_alone(tmp_path: Path, store: str) -> None:
    """A token of another query, another namespace, another method, or one that was tampered with is refused; a page size and a byte
    budget may change."""
    async with in_process(store, tmp_path) as run:
        for name in NAMES:
            await run(write(name))
            await run(write(name, namespace="other"))
        token = (await run(pb.LookupRequest(namespace="acme/task", page_size=5))).next_page_token
        others = [
            pb.LookupRequest(namespace="other"),
            pb.LookupRequest(namespace="acme", recursive=True),
            pb.LookupRequest(namespace="acme/task", recursive=True),
            pb.LookupRequest(namespace="acme/task", reverse=True),
            pb.LookupRequest(namespace="acme/task", order_by=pb.LOOKUP_ORDER_NAME),
            pb.LookupRequest(namespace="acme/task", name_prefix="0"),
            pb.LookupRequest(namespace="acme/task", filter={"name_prefix": "0"}),
            pb.ListVersionsRequest(namespace="acme/task", name="00"),
            namespace_service_pb2.ListNamespacesRequest(),
        ]
        for request in others:
            request.page_token = token
            with pytest.raises(InvalidPageToken) as caught:
                await run(request)
            assert caught.value.field == "page_token"
        for broken in ("x", token[:-1], token + "A", token.swapcase(), "😀", "A" * 10_000):
            with pytest.raises(InvalidPageToken):
                await run(pb.LookupRequest(namespace="acme/task", page_token=broken))
        again = await run(pb.LookupRequest(namespace="acme/task", page_size=100, max_bytes=50, page_token=token))
        assert 0 < len(again.slots) < ITEMS


async def test_token_is_for_its_store_alone(tmp_path: Path, store: str) -> None:
    """A token of another store, as after a restore, is refused as such."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    request = pb.LookupRequest(namespace="acme/task", page_size=1)
    async with in_process(store, tmp_path / "a") as first, in_process(store, tmp_path / "b") as second:
        for run in (first, second):
            for name in NAMES:
                await run(write(name))
        request.page_token = (await first(request)).next_page_token
        with pytest.raises(StoreReplaced):
            await second(request)
