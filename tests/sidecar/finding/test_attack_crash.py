"""Crashes between two steps of the index: what a restart finds is what the store holds."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors
from memslot_sidecar.finding.models import Models

VECTORS = {"index_mode": "hybrid", "embedder": "hashing"}


def crash(directory: Path, into: Path) -> Path:
    """What the files would be if the process died now."""
    shutil.copytree(directory, into, ignore=shutil.ignore_patterns("*-shm"))
    return into


def stick(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """From now on, whoever indexes a whole namespace gets stuck before its first slot, and says so."""
    reached = asyncio.Event()
    adopt = Models.adopt

    async def stuck(*args: Any, **fields: Any) -> None:
        await adopt(*args, **fields)
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Models, "adopt", stuck)
    return reached


async def near(m: Memory, text: str, **fields: Any) -> set[str]:
    """What vectors find once all are made."""
    revision = (await m.search("x")).revision
    found = await m.search(text, mode=pb.SEARCH_MODE_VECTOR, limit=100, min_revision=revision, **fields)
    return {hit.name for hit in found.hits}


async def test_a_crash_while_a_namespace_is_brought_in_leaves_out_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings were changed, later writes are in: after a crash there all are found."""
    async with memory(tmp_path / "a", index_mode="keys") as m:
        await m.configure("other", index_mode="INDEX_MODE_FULLTEXT")
        for index in range(20):
            await m.write(f"n{index}", "zebra")
        await m.found("zebra", namespace="other")
        with monkeypatch.context() as patch:
            stuck = stick(patch)
            await m.configure(index_mode="INDEX_MODE_FULLTEXT")
            await stuck.wait()
            await m.write("later", "zebra")
            await m.write("elsewhere", "zebra", namespace="other")
            await m.found("zebra", namespace="other")
            await m.sidecar.finder.note()
            crashed = crash(tmp_path / "a", tmp_path / "b")
    async with memory(crashed, index_mode="keys") as m:
        assert set(await m.found("zebra", limit=100)) == {"later", *(f"n{index}" for index in range(20))}


async def test_a_crash_while_vectors_are_made_anew_leaves_out_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`reindex --vectors` has dropped the vectors and made none: after a crash there all are made again."""
    async with memory(tmp_path / "a", **VECTORS) as m:
        for index in range(20):
            await m.write(f"n{index}", f"zebra {index}")
        assert len(await near(m, "zebra")) == 20
        with monkeypatch.context() as patch:
            stuck = stick(patch)
            reindexing = asyncio.ensure_future(m.reindex(vectors=True))
            await stuck.wait()
            await m.write("later", "zebra")
            await m.found("zebra", mode=pb.SEARCH_MODE_FULLTEXT)
            crashed = crash(tmp_path / "a", tmp_path / "b")
            reindexing.cancel()
            await asyncio.gather(reindexing, return_exceptions=True)
    async with memory(crashed, **VECTORS) as m:
        assert len(await near(m, "zebra")) == 21


async def test_a_crash_after_the_embedder_changed_leaves_out_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent is to give way to an embedder's vectors, of which none are made: after a crash there all are."""
    async with memory(tmp_path / "a", index_mode="hybrid", embedder="none") as m:
        for index in range(20):
            await m.write(f"n{index}", "zebra", vector=[1.0, 0.0, 0.0])
        assert len(await m.found(vector=[1.0, 0.0, 0.0], limit=100)) == 20
        with monkeypatch.context() as patch:
            stuck = stick(patch)
            await m.configure(embedder="hashing")
            await stuck.wait()
            await m.write("later", "zebra")
            await m.sidecar.finder.note()
            crashed = crash(tmp_path / "a", tmp_path / "b")
    async with memory(crashed, index_mode="hybrid", embedder="none") as m:
        assert len(await near(m, "zebra")) == 21


async def test_a_crash_between_the_stores_commit_and_the_indexs_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writes, overwrites and forgets that the store has and the index has not heard of count after a restart."""
    async with memory(tmp_path / "a", **VECTORS) as m:
        for name in ("kept", "changed", "gone"):
            await m.write(name, "zebra")
        assert await near(m, "zebra") == {"kept", "changed", "gone"}
        monkeypatch.setattr("memslot_index.index.Index.apply", lambda *_: None)
        await m.write("changed", "giraffe")
        await m.forget("gone")
        await m.write("new", "zebra")
        crashed = crash(tmp_path / "a", tmp_path / "b")
        monkeypatch.undo()
    async with memory(crashed, **VECTORS) as m:
        assert set(await m.found("zebra", mode=pb.SEARCH_MODE_FULLTEXT)) == {"kept", "new"}
        assert await m.found("giraffe", mode=pb.SEARCH_MODE_FULLTEXT) == ["changed"]
        assert await near(m, "zebra") == {"kept", "changed", "new"}


async def test_what_cannot_be_indexed_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the index raises, searches are answered and say what is missing; it is indexed as soon as that works."""
    async with memory(tmp_path) as m:
        await m.write("before", "zebra")
        assert await m.found("zebra") == ["before"]
        with monkeypatch.context() as broken:
            broken.setattr("memslot_index.index.Index.apply", _unforeseen)
            await m.write("after", "zebra")
            reply = await asyncio.wait_for(m.search("zebra"), 10)
            assert [hit.name for hit in reply.hits] == ["before"]
            assert "cannot be written" in reply.degraded[0]
            assert str(tmp_path) not in reply.degraded[0]
            assert ".py" not in reply.degraded[0]
        while (await m.search("zebra")).degraded:
            await asyncio.sleep(0.05)
        assert set(await m.found("zebra")) == {"before", "after"}


async def test_a_slot_that_cannot_be_read_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body on a damaged page is not found; all others are."""
    async with memory(tmp_path) as m:
        read = m.sidecar.store.read

        def damaged(namespace: str, name: str) -> Any:
            if name == "bad":
                raise errors.StoreCorrupt("the store's file is damaged")
            return read(namespace, name)

        monkeypatch.setattr(m.sidecar.store, "read", damaged)
        for name in ("before", "bad", "after"):
            await m.write(name, "zebra")
        reply = await asyncio.wait_for(m.search("zebra"), 10)
        assert {hit.name for hit in reply.hits} == {"before", "after"}
        assert not reply.degraded


def _unforeseen(*_: Any) -> None:
    raise ValueError("what is this: the body")
