"""Many at once: what was answered is found, what was forgotten is not, whatever else happens."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.finding.memory import SPACE, Memory, memory

from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors

CALLERS = 20
ROUNDS = 12
STORES = pytest.mark.parametrize("kind", ["ram", "sqlite"])
REFUSALS = (errors.IndexNotEnabled, errors.IndexOutdated, errors.DimensionMismatch, errors.IndexUnavailable)
VECTORS = {"index_mode": "hybrid", "embedder": "none"}


def unit(place: int, size: int = 32) -> list[float]:
    """A direction of its own."""
    return [1.0 if index == place else 0.0 for index in range(size)]


async def together(*callers: Coroutine[Any, Any, None]) -> None:
    """All at once, with some time to come to an end."""
    await asyncio.wait_for(asyncio.gather(*callers), 60)


@STORES
@pytest.mark.parametrize("index", ["auto", "hnsw"])
async def test_what_was_answered_is_found_and_what_was_forgotten_is_not(kind: str, index: str, tmp_path: Path) -> None:
    """Twenty callers write, overwrite, forget and search at once: each finds its own words and vectors with the answer in hand, and never
    what it forgot or overwrote."""
    async with memory(tmp_path, kind, vector_index=index, **VECTORS) as m:

        async def caller(number: int) -> None:
            name, word = f"slot {number}", f"wordof{number}x"
            for turn in range(ROUNDS):
                await m.write(name, f"{word} turn{turn}x", vector=unit(number))
                assert await m.found(f"{word}", mode=pb.SEARCH_MODE_FULLTEXT) == [name]
                assert (await m.found(vector=unit(number)))[0] == name
                assert name in await m.found(f"turn{turn}x", limit=100, mode=pb.SEARCH_MODE_FULLTEXT)
                await m.write(name, f"{word} other", vector=unit(31))
                assert name not in await m.found(f'"{word} turn{turn}x"', limit=100, mode=pb.SEARCH_MODE_FULLTEXT)
                await m.forget(name)
                assert name not in await m.found(word, limit=100)
                assert name not in await m.found(vector=unit(number), limit=100)

        await together(*map(caller, range(CALLERS)))


@STORES
async def test_a_namespace_deleted_and_recreated_is_found_as_it_is(kind: str, tmp_path: Path) -> None:
    """Old slots of the same names are never found in the new namespace."""
    async with memory(tmp_path, kind, **VECTORS) as m:

        async def caller(number: int) -> None:
            space = f"acme/{number}"
            for turn in range(6):
                for index in range(3):
                    await m.write(f"n{index}", f"zebra turn{turn}x", namespace=space, vector=unit(turn, 8 + turn))
                assert len(await m.found(f"turn{turn}x", space)) == 3
                assert await m.found(f"turn{turn - 1}x", space, mode=pb.SEARCH_MODE_FULLTEXT) == []
                assert len(await m.found(vector=unit(turn, 8 + turn), namespace=space)) == 3
                request = spaces.DeleteNamespaceRequest(namespace=space, force=True)
                await m.call("NamespaceService/DeleteNamespace", request)
                assert await m.found("zebra", space) == []

        await together(*map(caller, range(8)))


class Flux:
    """Callers that write and forget in a namespace, while others change how it is indexed, and search it."""

    def __init__(self, m: Memory) -> None:
        self.m = m
        self.held: dict[str, str] = {}
        self.busy = True

    async def caller(self, number: int) -> None:
        """Writes and forgets, now and then with a vector of a size that no embedder makes."""
        chance = random.Random(number)
        for turn in range(40):
            name = f"slot {number} {chance.randrange(4)}"
            if chance.random() < 0.3:
                await self.m.forget(name)
                self.held.pop(name, None)
                continue
            word = chance.choice(["zebra", "heron"])
            vector = unit(1, 5) if chance.random() < 0.3 else ()
            try:
                await self.m.write(name, f"{word} {turn}", vector=vector)
            except errors.IndexNotEnabled:
                await self.m.write(name, f"{word} {turn}")
            self.held[name] = word

    async def switcher(self) -> None:
        """Changes the settings."""
        chance = random.Random(7)
        while self.busy:
            mode = chance.choice(["KEYS", "FULLTEXT", "HYBRID", "HYBRID"])
            await self.m.configure(index_mode=f"INDEX_MODE_{mode}", embedder=chance.choice(["none", "hashing"]))
            await asyncio.sleep(chance.random() * 0.02)

    async def reindexer(self) -> None:
        """Makes the index anew."""
        chance = random.Random(8)
        while self.busy:
            with suppress(errors.IndexNotEnabled):
                await self.m.reindex(vectors=chance.random() < 0.5)
            await asyncio.sleep(0.005)

    async def searcher(self, number: int) -> None:
        """Searches by words, by a vector and by text."""
        chance = random.Random(number)
        while self.busy:
            fields = chance.choice([{}, {"vector": unit(1, 5)}, {"mode": pb.SEARCH_MODE_VECTOR}])
            with suppress(*REFUSALS):
                await self.m.search("zebra", limit=50, **fields)
            await asyncio.sleep(0.001)


@STORES
async def test_settings_that_change_while_everybody_writes(kind: str, tmp_path: Path) -> None:
    """Modes and embedders change again and again among writes, forgets, searches and reindexes: no call fails but those that are refused with
    a reason, and in the end all is as the store has it."""
    async with memory(tmp_path, kind, index_mode="fulltext", embedder="hashing") as m:
        flux = Flux(m)
        others = [flux.switcher(), flux.reindexer(), flux.searcher(1), flux.searcher(2)]
        running = [asyncio.ensure_future(one) for one in others]
        await together(*map(flux.caller, range(10)))
        flux.busy = False
        await together(*map(_joined, running))
        await m.configure(index_mode="INDEX_MODE_HYBRID", embedder="hashing")
        for word in ("zebra", "heron"):
            found = await complete(m, word, mode=pb.SEARCH_MODE_FULLTEXT)
            assert found == {name for name, said in flux.held.items() if said == word}
        revision = m.sidecar.store.revision
        assert await complete(m, "zebra", mode=pb.SEARCH_MODE_VECTOR, min_revision=revision) == set(flux.held)


async def _joined(future: asyncio.Future[None]) -> None:
    await future


async def complete(m: Memory, text: str, **fields: Any) -> set[str]:
    """What is found once nothing is missing."""
    while True:
        reply = await m.search(text, limit=100, **fields)
        if not reply.degraded:
            return {hit.name for hit in reply.hits}
        await asyncio.sleep(0.05)


async def test_a_graph_that_grows_while_everybody_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From exact to a graph and on: what is written and forgotten meanwhile is found, or not."""
    for module in ("vectors.choice", "vector_spaces"):
        monkeypatch.setattr(f"memslot_index.{module}.AUTO_THRESHOLD", 60)
    built: list[int] = []
    monkeypatch.setattr("memslot_index.vectors.hnsw.HnswIndex.__init__", _counted(built))
    async with memory(tmp_path, **VECTORS) as m:

        async def caller(number: int) -> None:
            chance = random.Random(number)
            for turn in range(30):
                vector = [chance.gauss(0, 1) for _ in range(16)]
                name = f"n{number} {turn}"
                await m.write(name, "x", vector=vector)
                assert (await m.found(vector=vector))[0] == name
                if turn % 3 == 0:
                    await m.forget(name)
                    assert name not in await m.found(vector=vector)

        await together(*map(caller, range(8)))
        (stats,) = (await m.stats(SPACE)).indexes
        assert (stats.vectors, stats.vector_index) == (160, "hnsw")
        assert len(set(await m.found(vector=unit(1, 16), limit=100))) == 100
    assert len(built) == 1


def _counted(built: list[int]) -> Callable[..., None]:
    from memslot_index.vectors.hnsw import HnswIndex

    begin = HnswIndex.__init__

    def init(self: HnswIndex, *args: Any) -> None:
        built.append(1)
        begin(self, *args)

    return init


@STORES
async def test_the_first_search_of_vectors_meets_writers(kind: str, tmp_path: Path) -> None:
    """Many namespaces are searched for the first time while they are written: nobody waits for somebody who waits for them."""
    async with memory(tmp_path, kind, **VECTORS) as m:

        async def caller(number: int) -> None:
            for turn in range(15):
                space = f"acme/{turn}"
                await m.write(f"n{number}", "x", namespace=space, vector=unit(number))
                assert f"n{number}" in await m.found(vector=unit(number), namespace=space, limit=100)

        await together(*map(caller, range(16)))
