"""Stops while much is under way: nobody is left waiting, and nothing is waited for that can be made again."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.finding.memory import Memory, memory, until

from memslot.v1 import slot_service_pb2 as pb
from memslot_index.vectors.hnsw import HnswIndex
from memslot_sidecar import errors

SENT = {"index_mode": "hybrid", "embedder": "none", "vector_index": "hnsw"}


async def fill(m: Memory, count: int) -> None:
    """Slots with vectors."""
    chance = random.Random(1)
    for index in range(count):
        await m.write(f"n{index}", "x", vector=[chance.gauss(0, 1) for _ in range(8)])


async def test_who_waits_for_a_revision_or_for_vectors_is_told_of_the_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search without a deadline ends with the sidecar."""
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    down = {"openai_url": "http://127.0.0.1:9", "openai_model": "m", "openai_dimensions": 4}
    async with memory(tmp_path, index_mode="hybrid", embedder="openai", **down) as m:
        receipt = await m.write("a", "zebra")
        waiting = [
            asyncio.ensure_future(m.search("zebra", min_revision=10**9)),
            asyncio.ensure_future(m.search("zebra", mode=pb.SEARCH_MODE_VECTOR, min_revision=receipt.revision)),
        ]
        running = m.sidecar.finder._running
        assert running is not None
        await until(lambda: len(running.follower._waiters) == 1 and running.embedding._progress._waiters)
    for outcome in await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20):
        assert isinstance(outcome, errors.IndexUnavailable), outcome


async def test_a_stop_does_not_wait_until_a_graph_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The portion that is under way is the last one; the next start finds all."""
    async with memory(tmp_path, **SENT) as m:
        await fill(m, 100)
    for path in tmp_path.glob("vectors-*"):
        path.unlink()
    monkeypatch.setattr("memslot_index.database.vector_rows.PORTION", 10)
    portions: list[int] = []
    begun, going = threading.Event(), threading.Event()
    put = HnswIndex.put

    def slow(self: HnswIndex, *args: Any) -> None:
        portions.append(1)
        begun.set()
        going.wait(20)
        put(self, *args)

    with monkeypatch.context() as patch:
        patch.setattr(HnswIndex, "put", slow)
        async with memory(tmp_path, **SENT) as m:
            assert len(await m.found(vector=[1.0] * 8, limit=100)) == 100
            await asyncio.to_thread(begun.wait)
            asyncio.get_running_loop().call_later(0.5, going.set)
    assert len(portions) < 5
    async with memory(tmp_path, **SENT) as m:
        assert len(await m.found(vector=[1.0] * 8, limit=100)) == 100


async def test_a_large_graph_is_not_cleared_at_the_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an erasure a large graph is made anew at the next start, in the background, and not saved at the stop."""
    monkeypatch.setattr("memslot_index.followed._CLEARED_MOST", 20)
    monkeypatch.setattr(HnswIndex, "compact", _never)
    async with memory(tmp_path, **SENT) as m:
        await fill(m, 50)
        await m.found(vector=[1.0] * 8)
        # A graph that never had it would be saved.
        await until(lambda: not m.sidecar.finder.index.index.vectors._jobs)
        await m.forget("n7", erase=True)
    assert list(tmp_path.glob("vectors-*")) == []
    async with memory(tmp_path, **SENT) as m:
        assert len(await m.found(vector=[1.0] * 8, limit=100)) == 49


def _never(*_: Any) -> None:
    raise AssertionError("it is cleared")


async def test_a_reindex_under_way_ends_with_the_sidecar(tmp_path: Path) -> None:
    """Its watcher is answered or refused, and the next start finds all."""
    async with memory(tmp_path, index_mode="hybrid", embedder="hashing") as m:
        for index in range(200):
            await m.write(f"n{index}", "zebra")
        reindexing = asyncio.ensure_future(m.reindex(vectors=True))
        await until(lambda: m.sidecar.finder._kept)
    await asyncio.wait_for(asyncio.gather(reindexing, return_exceptions=True), 20)
    async with memory(tmp_path, index_mode="hybrid", embedder="hashing") as m:
        revision = (await m.search("zebra")).revision
        near = await m.search("zebra", mode=pb.SEARCH_MODE_VECTOR, limit=100, min_revision=revision)
        assert len(near.hits) == 100
        assert (await m.stats("acme/notes")).indexes[0].vectors == 200
