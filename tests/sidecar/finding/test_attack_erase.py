"""Erasing: what was forgotten is in no file that the index, or what compares its vectors, keeps."""

from __future__ import annotations

import asyncio
import platform
import random
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest
from tests.faults.canaries import Canary
from tests.sidecar.finding.memory import SPACE, Memory, memory

from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb

DIMENSIONS = 24
BACKENDS = ["exact", "hnsw", "chroma", "sqlite-vss"]
ENUM = {
    "auto": "VECTOR_INDEX_KIND_AUTO",
    "exact": "VECTOR_INDEX_KIND_EXACT",
    "hnsw": "VECTOR_INDEX_KIND_HNSW",
    "chroma": "VECTOR_INDEX_KIND_CHROMA",
    "sqlite-vss": "VECTOR_INDEX_KIND_SQLITE_VSS",
}


class Secret:
    """What must go: words, a name, tags, a description and a vector that nothing else has."""

    def __init__(self) -> None:
        self.canary, self.named = Canary(), Canary()
        self.word = self.canary.word
        chance = random.Random()
        self.vector = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]

    async def write(self, m: Memory, name: str = "") -> str:
        """A slot that holds it everywhere, twice overwritten; returns its name."""
        name = name or f"name {self.named.word}"
        fields = {"description": f"about {self.word}", "tags": [self.word], "task_type": self.word}
        for text in (f"old {self.word} " * 20, f"{self.word}s " * 200, f"the {self.word} itself"):
            await m.write(name, text, vector=self.vector, **fields)
        return name

    def places(self, directory: Path) -> list[str]:
        """The files that still hold a trace; of the name, those but the audit's and the store's, whose feed tells who was forgotten."""
        found = []
        for path in directory.rglob("*"):
            data = path.read_bytes() if path.is_file() else b""
            named = not path.name.startswith(("audit.jsonl", "memslot.db"))
            traces = [*self._traces(), *([self.named.word[-14:].encode()] if named else [])]
            if any(trace in data for trace in traces) or self.canary.is_in(data):
                found.append(path.name)
        return found

    def _traces(self) -> list[bytes]:
        length = sum(number * number for number in self.vector) ** 0.5
        unit = [number / length for number in self.vector]
        # Four numbers in a row are a vector's own; the full text keeps words in pieces, behind what they share with others.
        return [
            self.word[-14:].encode(),
            struct.pack("<4f", *unit[4:8]),
            struct.pack("<6e", *unit[4:10]),
        ]


async def others(m: Memory, count: int = 60) -> None:
    """Slots beside it, before and after."""
    chance = random.Random(1)
    for index in range(count):
        await m.write(f"n{index}", f"zebra {index}", vector=[chance.gauss(0, 1) for _ in range(DIMENSIONS)])


async def settled(m: Memory) -> None:
    """Until what compares vectors has followed."""
    await m.found(vector=[1.0] * DIMENSIONS)
    while m.sidecar.finder.index.index.vectors._jobs:
        await asyncio.sleep(0.01)


def settings(backend: str) -> dict[str, Any]:
    """A sidecar whose vectors are compared so; skips where that is not installed."""
    if backend == "chroma":
        pytest.importorskip("chromadb")
        if platform.libc_ver()[0] != "glibc":
            pytest.skip("only glibc fills the memory that Chroma writes to its files")
    if backend == "sqlite-vss":
        pytest.importorskip("sqlite_vss")
    return {"index_mode": "hybrid", "embedder": "none", "vector_index": backend}


@pytest.mark.parametrize("backend", BACKENDS)
async def test_an_erased_slot_is_in_no_file(tmp_path: Path, backend: str) -> None:
    """Words, names, tags, description and vector are gone with the answer, after the searches that follow, the stop, and the next start."""
    secret = Secret()
    kept = settings(backend)
    async with memory(tmp_path, **kept) as m:
        await others(m)
        name = await secret.write(m)
        assert await m.found(secret.word, vector=secret.vector, limit=1) == [name]
        await settled(m)
    async with memory(tmp_path, **kept) as m:
        assert await m.found(secret.word, vector=secret.vector, limit=1) == [name]
        await settled(m)
        assert secret.places(tmp_path)
        await m.forget(name, erase=True)
        assert secret.places(tmp_path) == []
        await settled(m)
        assert secret.places(tmp_path) == []
        assert len(await m.found(vector=[1.0] * DIMENSIONS, limit=100)) == 60
    assert secret.places(tmp_path) == []
    async with memory(tmp_path, **kept) as m:
        await settled(m)
        assert len(await m.found(vector=[1.0] * DIMENSIONS, limit=100)) == 60
    assert secret.places(tmp_path) == []


@pytest.mark.parametrize("backend", BACKENDS)
async def test_erasing_again_and_again_while_others_search(
    tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every erasure ends, and every search is answered, though what compares vectors is removed and made anew all the time."""
    monkeypatch.setattr("memslot_index.vector_failures._RETRY_S", 0.0)
    chance = random.Random(2)
    async with memory(tmp_path, **settings(backend)) as m:
        await others(m, 20)
        erasing = True

        async def searcher() -> None:
            while erasing:
                assert await m.found(vector=[chance.gauss(0, 1) for _ in range(DIMENSIONS)], limit=100)

        async def eraser(of: str) -> None:
            for number in range(15):
                name = f"{of} {number}"
                await m.write(name, "zebra", vector=[chance.gauss(0, 1) for _ in range(DIMENSIONS)])
                await m.forget(name, erase=True)

        searching = [asyncio.ensure_future(searcher()) for _ in range(3)]
        await asyncio.gather(eraser("one"), eraser("other"))
        erasing = False
        await asyncio.gather(*searching)


@pytest.mark.parametrize("backend", ["hnsw", "chroma", "sqlite-vss"])
async def test_what_another_backend_kept_is_erased_too(tmp_path: Path, backend: str) -> None:
    """The vectors were compared otherwise before: nothing of that is left behind, or loaded, and still it is wiped."""
    secret = Secret()
    async with memory(tmp_path, **settings(backend)) as m:
        await others(m, 10)
        name = await secret.write(m)
        await settled(m)
    async with memory(tmp_path, **settings("exact")) as m:
        await m.forget(name, erase=True)
        assert secret.places(tmp_path) == []
    assert secret.places(tmp_path) == []


async def test_erasing_while_a_graph_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that was begun with the vector in it is not saved with it."""
    for module in ("vectors.choice", "vector_spaces"):
        monkeypatch.setattr(f"memslot_index.{module}.AUTO_THRESHOLD", 50)
    secret = Secret()
    async with memory(tmp_path, **settings("auto")) as m:
        name = await secret.write(m)
        await others(m, 49)
        await settled(m)
        index = m.sidecar.finder.index.index
        opened, going = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        grown_put = _slow_put(loop, opened, going)
        monkeypatch.setattr("memslot_index.vectors.hnsw.HnswIndex.put", grown_put)
        await m.write("one more", "x", vector=[1.0] * DIMENSIONS)
        await opened.wait()
        await m.forget(name, erase=True)
        assert secret.places(tmp_path) == []
        going.set()
        await settled(m)
        (stats,) = (await m.stats(SPACE)).indexes
        assert stats.vector_index == "hnsw"
        assert len(await m.found(vector=[1.0] * DIMENSIONS, limit=100)) == 50
        assert index.vectors.kind(index.space(SPACE)) == "hnsw"
    assert list(tmp_path.glob("vectors-*"))
    assert secret.places(tmp_path) == []


def _slow_put(loop: asyncio.AbstractEventLoop, opened: asyncio.Event, going: asyncio.Event) -> Any:
    from memslot_index.vectors.hnsw import HnswIndex

    put = HnswIndex.put

    def slow(self: HnswIndex, *args: Any) -> None:
        put(self, *args)
        loop.call_soon_threadsafe(opened.set)
        asyncio.run_coroutine_threadsafe(going.wait(), loop).result(30)

    return slow


@pytest.mark.parametrize("way", ["matching", "delete", "commit", "expiry", "overwrite", "keys"])
async def test_every_way_out_is_erased(tmp_path: Path, way: str) -> None:
    """Whichever way a slot goes from a namespace with erase_on_forget, the index keeps nothing of it."""
    secret = Secret()
    now = [1_800_000_000_000]
    kept = settings("hnsw") | {"erase_on_forget": True}
    async with memory(tmp_path, clock=lambda: now[0], sweep_interval_s=0.05, **kept) as m:
        await others(m, 10)
        name = await secret.write(m)
        await settled(m)
        if way == "matching":
            await m.call("ForgetMatching", pb.ForgetMatchingRequest(namespace=SPACE, all=True))
        elif way == "delete":
            request = spaces.DeleteNamespaceRequest(namespace=SPACE, force=True)
            await m.call("NamespaceService/DeleteNamespace", request)
        elif way == "commit":
            commit = pb.CommitRequest(namespace=SPACE)
            commit.operations.add(forget=pb.ForgetRequest(name=name))
            await m.call("Commit", commit)
        elif way == "expiry":
            await m.call("UpdateInfo", _expiring(name))
            now[0] += 10_000
            while (await m.stats()).slots > 10:
                await asyncio.sleep(0.02)
            await m.write("other", "x")
            await m.forget("other")
        elif way == "overwrite":
            await m.write(name, "other", description="-", tags=["other"], task_type="-")
            await m.forget("n1")
            await m.forget(name)
        else:
            await m.configure(index_mode="INDEX_MODE_KEYS")
            await m.forget(name)
        assert secret.places(tmp_path) == []
    assert secret.places(tmp_path) == []


def _expiring(name: str) -> pb.UpdateInfoRequest:
    return pb.UpdateInfoRequest(namespace=SPACE, name=name, ttl={"seconds": 5})


async def test_erasing_while_everybody_searches(tmp_path: Path) -> None:
    """Searches go on while bytes are wiped, and the answer holds what it promises."""
    kept = settings("hnsw")
    async with memory(tmp_path, **kept) as m:
        await others(m)
        done = asyncio.Event()

        async def searching() -> None:
            while not done.is_set():
                await m.search("zebra", vector=[1.0] * DIMENSIONS, limit=20)

        tasks = [asyncio.ensure_future(searching()) for _ in range(6)]
        for _ in range(6):
            secret = Secret()
            name = await secret.write(m)
            assert name in await m.found(secret.word, vector=secret.vector)
            await m.forget(name, erase=True)
            assert secret.places(tmp_path) == []
            assert name not in await m.found(secret.word, vector=secret.vector)
        done.set()
        await asyncio.gather(*tasks)


async def test_an_erasure_that_the_index_could_not_do_is_done_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the index cannot be written, the answer is ERASE_PENDING, and after a crash it is done by itself."""
    secret = Secret()
    async with memory(tmp_path / "a", **settings("hnsw")) as m:
        await others(m, 10)
        name = await secret.write(m)
        await settled(m)
        monkeypatch.setattr("memslot_index.index.Index.wipe", _full)
        with pytest.raises(Exception, match="wiping their bytes goes on"):
            await m.forget(name, erase=True)
        shutil.copytree(tmp_path / "a", tmp_path / "b", ignore=shutil.ignore_patterns("*-shm"))
    monkeypatch.undo()
    assert secret.places(tmp_path / "b")
    async with memory(tmp_path / "b", **settings("hnsw")) as m:
        while (await m.stats()).erase_pending:
            await asyncio.sleep(0.05)
        assert secret.places(tmp_path / "b") == []


def _full(*_: object) -> None:
    raise OSError("no space left on device")


async def test_a_large_index_is_written_anew_through_a_file_that_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in memory, as a small one is; and what lies beside it in the meantime leaves nothing."""
    monkeypatch.setattr("memslot_index.database.connections._SMALL_BYTES", 0)
    secret = Secret()
    async with memory(tmp_path, **settings("hnsw")) as m:
        await others(m)
        name = await secret.write(m)
        await settled(m)
        before = {path.name for path in tmp_path.iterdir()}
        await m.forget(name, erase=True)
        assert secret.places(tmp_path) == []
        assert {path.name for path in tmp_path.iterdir()} <= before
        assert len(await m.found(vector=[1.0] * DIMENSIONS, limit=100)) == 60
