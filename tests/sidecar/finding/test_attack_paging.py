"""Pages and limits: whatever is searched, hits neither repeat nor are left out, and a limit is filled."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import filter_pb2
from memslot.v1 import slot_service_pb2 as pb

WORDS = [f"w{index}" for index in range(40)]
SLOTS = 450


@pytest.fixture(scope="module")
def bodies() -> list[tuple[str, list[float]]]:
    """Texts of a few words, and vectors that have nothing to do with them."""
    chance = random.Random(1)
    return [(" ".join(chance.choices(WORDS, k=6)), [chance.gauss(0, 1) for _ in range(8)]) for _ in range(SLOTS)]


async def fill(m: Memory, bodies: list[tuple[str, list[float]]]) -> None:
    """Writes them all."""
    for start in range(0, len(bodies), 100):
        commit = pb.CommitRequest(namespace="acme/notes")
        for index, (text, vector) in enumerate(bodies[start : start + 100], start):
            tags = ["third"] if index % 3 == 0 else []
            commit.operations.add(
                write=pb.WriteRequest(name=f"n{index}", body=text.encode(), vector=vector, tags=tags, never=True)
            )
        await m.call("Commit", commit)


async def pages(m: Memory, **fields: Any) -> list[str]:
    """All hits of a search, page by page."""
    names: list[str] = []
    token = ""
    while True:
        reply = await m.search(page_token=token, **fields)
        names += [hit.name for hit in reply.hits]
        token = reply.next_page_token
        if not token:
            return names


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
@pytest.mark.parametrize("neighbor_weight", [None, 0.5])
@pytest.mark.parametrize("filtered", [False, True], ids=["all", "filtered"])
@pytest.mark.parametrize("size", [7, 50])
async def test_pages_of_a_hybrid_search_do_not_repeat(
    tmp_path: Path,
    kind: str,
    neighbor_weight: float | None,
    filtered: bool,
    size: int,
    bodies: list[tuple[str, list[float]]],
) -> None:
    """Every slot comes once, whichever pages are asked for, though scores depend on how deep the index looked."""
    condition = filter_pb2.Filter(tags_any=filter_pb2.StringSet(values=["third"])) if filtered else None
    async with memory(tmp_path, kind, index_mode="hybrid", embedder="none") as m:
        await fill(m, bodies)
        names = await pages(
            m, text="w1 w2 w3", vector=[1.0] * 8, limit=size, filter=condition, neighbor_weight=neighbor_weight
        )
    assert len(names) == len(set(names)) == (SLOTS // 3 if filtered else SLOTS)


async def test_a_slot_of_the_very_name_shifts_no_page(tmp_path: Path) -> None:
    """The slot whose name is the text comes first, on the first page only, and pushes nobody out."""
    async with memory(tmp_path) as m:
        for index in range(130):
            await m.write(f"n{index}", "the zebra")
        await m.write("zebra", "y" * 50_000)
        names = await pages(m, text="zebra", limit=10)
    assert names[0] == "zebra"
    assert len(names) == len(set(names)) == 131


async def test_pages_hold_while_others_write(tmp_path: Path, bodies: list[tuple[str, list[float]]]) -> None:
    """What does not change comes once each, though slots that match less are written, overwritten and forgotten between the pages."""
    async with memory(tmp_path, index_mode="hybrid", embedder="none") as m:
        for index in range(60):
            await m.write(f"zebra {index}", "zebra zebra zebra", vector=[1.0, index / 1000])
        names: list[str] = []
        token = ""
        for number in range(12):
            reply = await m.search("zebra", vector=[1.0, 0.0], limit=5, page_token=token)
            names += [hit.name for hit in reply.hits]
            token = reply.next_page_token
            await m.write(f"other {number % 3}", f"giraffe {number}", vector=[-1.0, 0.0])
            await m.forget(f"other {(number + 1) % 3}")
    assert sorted(names) == sorted(f"zebra {index}" for index in range(60))


@pytest.mark.parametrize("limit", [1, 33, 34, 99, 100])
async def test_a_limit_is_filled_to_the_last(tmp_path: Path, limit: int) -> None:
    """As many hits as were asked for, if there are so many; a page token exactly when there are more."""
    async with memory(tmp_path) as m:
        for index in range(limit):
            await m.write(f"n{index}", "zebra")
        reply = await m.search("zebra", limit=limit)
        assert len(reply.hits) == limit
        assert not reply.next_page_token
        await m.write("one more", "zebra")
        reply = await m.search("zebra", limit=limit)
        assert len(reply.hits) == limit
        rest = await m.search("zebra", limit=limit, page_token=reply.next_page_token)
        assert len(rest.hits) == 1


async def test_a_limit_is_filled_past_what_the_index_does_not_know_is_gone(tmp_path: Path) -> None:
    """Slots that expired unswept take no place of those that match."""
    now = [1_800_000_000_000]
    async with memory(tmp_path, clock=lambda: now[0], sweep_interval_s=3600.0) as m:
        for index in range(300):
            await m.write(f"short {index}", "zebra zebra zebra", ttl={"seconds": 1}, never=None)
        for index in range(40):
            await m.write(f"long {index}", "a zebra among many other words of a longer text")
        now[0] += 5_000
        assert len(await m.found("zebra", limit=40)) == 40


async def test_a_slot_of_the_very_name_comes_once_among_better_ones(
    tmp_path: Path, bodies: list[tuple[str, list[float]]]
) -> None:
    """Also where its own score would put it somewhere in the middle of a later page."""
    async with memory(tmp_path, index_mode="hybrid", embedder="none") as m:
        await fill(m, bodies)
        await m.write("w1", "y" * 5_000, vector=[-1.0] * 8)
        names = await pages(m, text="w1", vector=[1.0] * 8, limit=10)
    assert names[0] == "w1"
    assert len(names) == len(set(names)) == SLOTS + 1
