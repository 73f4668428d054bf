"""What search can return equals what the store holds, whatever happened before."""

from __future__ import annotations

import random
import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import slot_service_pb2 as pb
from memslot_index.database import words

NAMESPACES = ("acme/a", "acme/ab", "acmeo", "other/a")
WORDS = ("zebra", "heron", "otter")
NAMES = [f"slot {index}" for index in range(12)]
EVERY = ("INDEX_MODE_KEYS", "INDEX_MODE_FULLTEXT", "INDEX_MODE_HYBRID")
START_MS = 1_800_000_000_000
INDEX_FILES = ("index.db", "index.db-wal", "index.db-shm")


class Story:
    """A random sequence of everything that changes what can be found, beside a model of what should be."""

    def __init__(self, seed: int, directory: Path) -> None:
        self.chance = random.Random(seed)
        self.directory = directory
        self.kept = directory / "kept"
        self.now_ms = START_MS
        self.slots: dict[tuple[str, str], tuple[str, float | None]] = {}
        self.modes = dict.fromkeys(NAMESPACES, "INDEX_MODE_HYBRID")

    async def step(self, m: Memory) -> None:
        """One thing that happens while the sidecar runs."""
        namespace, name = self.chance.choice(NAMESPACES), self.chance.choice(NAMES)
        match self.chance.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                word = self.chance.choice(WORDS)
                short = self.chance.random() < 0.2
                expiry = {"ttl": {"seconds": 5}, "never": None} if short else {"never": True}
                await m.write(name, f"about the {word}", namespace, **expiry)
                self.slots[namespace, name] = word, self.now_ms + 5_000 if short else None
            case 5 | 6:
                await m.forget(name, namespace)
                self.slots.pop((namespace, name), None)
            case 7:
                self.now_ms += self.chance.choice([1_000, 6_000])
            case 8:
                await m.call(
                    "ForgetMatching", pb.ForgetMatchingRequest(namespace=namespace, filter={"name_prefix": "slot 1"})
                )
                self.slots = {
                    key: value for key, value in self.slots.items() if key[0] != namespace or key[1][:6] != "slot 1"
                }
            case 9:
                self.modes[namespace] = self.chance.choice(EVERY)
                await m.configure(namespace, index_mode=self.modes[namespace])
            case 10 if self.holding(namespace) and self.modes[namespace] != "INDEX_MODE_KEYS":
                await m.reindex(namespace, vectors=self.chance.random() < 0.5)
            case _:
                await self.check(m)

    async def check(self, m: Memory) -> None:
        """Every word finds the slots that hold it, and no other; so does every vector once it is made."""
        for namespace in NAMESPACES:
            if self.modes[namespace] == "INDEX_MODE_KEYS":
                continue
            for word in WORDS:
                found = await m.found(word, namespace, limit=100, mode=pb.SEARCH_MODE_FULLTEXT)
                assert set(found) == self.holding(namespace, word)
            if self.modes[namespace] == "INDEX_MODE_HYBRID":
                revision = (await m.search("x", namespace)).revision
                near = await m.search("zebra", namespace, mode=pb.SEARCH_MODE_VECTOR, limit=100, min_revision=revision)
                assert {hit.name for hit in near.hits} == self.holding(namespace)

    def holding(self, namespace: str, word: str | None = None) -> set[str]:
        """Names of the live slots of a namespace, with a word or all."""
        return {
            name
            for (at, name), (said, until_ms) in self.slots.items()
            if at == namespace and word in (None, said) and (until_ms is None or until_ms > self.now_ms)
        }

    def crash(self) -> None:
        """What a crash, or somebody who deletes files, may leave of the index."""
        match self.chance.randrange(4):
            case 0:
                for name in INDEX_FILES:
                    (self.directory / name).unlink(missing_ok=True)
            case 1:
                self.kept.mkdir(exist_ok=True)
                for name in INDEX_FILES:
                    if (self.directory / name).exists():
                        shutil.copy(self.directory / name, self.kept / name)
            case 2:
                for name in INDEX_FILES:
                    (self.directory / name).unlink(missing_ok=True)
                    if (self.kept / name).exists():
                        shutil.copy(self.kept / name, self.directory / name)


@pytest.mark.parametrize("seed", range(12))
async def test_search_equals_the_store_sqlite(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes, overwrites, forgets, expiries, settings, reindexes, and indexes that are lost or older than the store; in roots that have
    tables of their own, and in some that share one."""
    monkeypatch.setattr(words, "OWN_LIMIT", seed % 3)
    story = Story(seed, tmp_path)
    settings = {"index_mode": "hybrid", "embedder": "hashing", "sweep_interval_s": 0.05}
    for _ in range(5):
        async with memory(tmp_path, clock=lambda: story.now_ms, **settings) as m:
            await story.check(m)
            for _ in range(25):
                await story.step(m)
            await story.check(m)
        story.crash()


@pytest.mark.parametrize("seed", range(6))
async def test_search_equals_the_store_ram(seed: int, tmp_path: Path) -> None:
    """The same over a store without files."""
    story = Story(seed, tmp_path)
    async with AsyncExitStack() as stack:
        m = await stack.enter_async_context(
            memory(tmp_path, "ram", clock=lambda: story.now_ms, index_mode="hybrid", embedder="hashing")
        )
        for _ in range(100):
            await story.step(m)
        await story.check(m)
