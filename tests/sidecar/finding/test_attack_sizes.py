"""Vectors of another size than those that are there: refused, made anew or taken, but never the end of a search."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.sidecar.finding.memory import SPACE, Memory, memory, until

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors

KINDS = pytest.mark.parametrize("kind", ["ram", "sqlite"])
SENT = {"index_mode": "hybrid", "embedder": "none"}
MADE = {"index_mode": "hybrid", "embedder": "hashing"}


async def by_vector(m: Memory, text: str) -> list[str]:
    """What the embedder's vectors find, once all are made."""
    revision = (await m.search(text)).revision
    reply = await asyncio.wait_for(m.search(text, mode=pb.SEARCH_MODE_VECTOR, min_revision=revision, limit=100), 20)
    return [hit.name for hit in reply.hits]


@KINDS
async def test_one_vector_of_an_odd_size_spoils_nothing(kind: str, tmp_path: Path) -> None:
    """A namespace with an embedder, whose first writer sent a vector of three numbers: words are found, the problem and its remedy are told,
    and the remedy helps."""
    async with memory(tmp_path, kind, **MADE) as m:
        await m.write("sent", "a heron", vector=[1.0, 0.0, 0.0])
        await m.write("made", "a zebra")
        # The namespace has no index before the first step over its slots.
        while not (problem := "".join(index.problem for index in (await m.stats()).indexes)):
            await asyncio.sleep(0.01)
        assert "memslot reindex --vectors" in problem
        assert await m.found("zebra") == ["made"]
        assert await m.found(vector=[1.0, 0.0, 0.0]) == ["sent"]
        await m.reindex(vectors=True)
        assert set(await by_vector(m, "zebra")) == {"sent", "made"}


@KINDS
async def test_a_vector_that_does_not_fit_to_the_embedders_is_made_of_the_text(kind: str, tmp_path: Path) -> None:
    """Where an embedder's vectors are already there, a slot with another one is found by what the embedder makes of it."""
    async with memory(tmp_path, kind, **MADE) as m:
        await m.write("made", "a zebra")
        assert await by_vector(m, "zebra") == ["made"]
        await m.write("sent", "a heron", vector=[1.0, 0.0, 0.0])
        assert set(await by_vector(m, "heron")) == {"sent", "made"}


@KINDS
async def test_after_the_last_vector_any_size_may_come(kind: str, tmp_path: Path) -> None:
    """When all vectors of one size are forgotten, the store takes another, and so does the index, however often."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("no vector", "x")
        for size in (3, 4, 2, 4096):
            vector = [1.0] + [0.0] * (size - 1)
            await m.write("slot", "x", vector=vector)
            assert await m.found(vector=vector) == ["slot"]
            await m.forget("slot")
            assert await m.found(vector=vector) == []


async def test_sizes_that_change_within_one_step_of_the_index(tmp_path: Path) -> None:
    """The last size counts, also when the slots that had another have not been taken out of the index yet."""
    async with memory(tmp_path, **SENT) as m:
        for index in range(200):
            await m.write(f"a{index:03}", "x", vector=[1.0, 0.0, 0.0])
        assert len(await m.found(vector=[1.0, 0.0, 0.0], limit=100)) == 100
        calls = [m.write("z", "again")]
        calls += [m.call("ForgetMatching", pb.ForgetMatchingRequest(namespace=SPACE, all=True))]
        calls += [m.write("z", "x", vector=[1.0, 0.0])]
        for call in calls:
            await call
        await m.write("y", "x", vector=[0.0, 1.0])
        assert await m.found(vector=[1.0, 0.0]) == ["z", "y"]
        with pytest.raises(errors.DimensionMismatch):
            await m.search(vector=[1.0, 0.0, 0.0])


@KINDS
async def test_from_an_embedder_to_the_writers_and_back(kind: str, tmp_path: Path) -> None:
    """With each change of the embedder the vectors of the present one are found, and no others."""
    async with memory(tmp_path, kind, **MADE) as m:
        await m.write("text", "a zebra")
        assert await by_vector(m, "zebra") == ["text"]
        for _ in range(2):
            await m.configure(embedder="none")
            await m.write("sent", "x", vector=[1.0, 0.0, 0.0])
            assert await m.found(vector=[1.0, 0.0, 0.0]) == ["sent"]
            await m.configure(embedder="hashing")
            assert set(await by_vector(m, "zebra")) == {"text", "sent"}
            await m.forget("sent")


async def test_an_embedder_that_is_down_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of a namespace are made while another one's embedder does not answer."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    down = {"openai_url": "http://127.0.0.1:9", "openai_model": "m", "openai_dimensions": 4}
    async with memory(tmp_path, **MADE, **down) as m:
        await m.configure("acme/a", embedder="openai")
        await m.write("slot", "zebra", namespace="acme/a")
        running = m.sidecar.finder._running
        assert running is not None
        await until(lambda: "acme/a" in running.embedding.problems)
        receipt = await m.write("slot", "zebra", namespace="acme/b")
        request = {"mode": pb.SEARCH_MODE_VECTOR, "min_revision": receipt.revision}
        reply = await asyncio.wait_for(m.search("zebra", "acme/b", **request), 20)
        assert [hit.name for hit in reply.hits] == ["slot"]


@KINDS
async def test_words_are_found_where_nothing_that_matches_has_a_vector(kind: str, tmp_path: Path) -> None:
    """A hybrid search of slots whose vectors are not made, were not sent, or are filtered out, finds them by their words."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("plain", "zebra", tags=["plain"])
        assert await m.found("zebra", vector=[1.0, 0.0]) == ["plain"]
        await m.write("sent", "zebra", vector=[1.0, 0.0])
        only_plain = {"tags_any": {"values": ["plain"]}}
        for index in range(150):
            await m.write(f"n{index}", "zebra", vector=[1.0, 0.0])
        assert await m.found("zebra", vector=[1.0, 0.0], filter=only_plain) == ["plain"]
