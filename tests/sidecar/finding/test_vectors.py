"""Search by vectors and by both, from the request to the hit."""

import asyncio
import math
import random
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from tests.sidecar.finding.memory import SPACE, Memory, memory

from memslot.v1 import slot_service_pb2 as pb
from memslot_index.embedders.base import Embedded
from memslot_index.embedders.hashing import HashingEmbedder
from memslot_sidecar import errors

KINDS = pytest.mark.parametrize("kind", ["ram", "sqlite"])
SENT = {"index_mode": "hybrid", "embedder": "none"}
MADE = {"index_mode": "hybrid", "embedder": "hashing"}


def direction(degrees: float) -> list[float]:
    """A vector in a plane."""
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]


@KINDS
async def test_vectors_that_are_sent_are_found_by_similarity(kind: str, tmp_path: Path) -> None:
    """The nearest comes first, with its cosine as score, at the next search."""
    async with memory(tmp_path, kind, **SENT) as m:
        for name, degrees in [("north", 90), ("east", 0), ("north-east", 45)]:
            await m.write(name, "x", vector=direction(degrees))
        reply = await m.search(vector=direction(80))
        assert [hit.name for hit in reply.hits] == ["north", "north-east", "east"]
        assert reply.hits[0].score == pytest.approx(math.cos(math.radians(10)), abs=1e-3)
        assert list(reply.hits[0].matched_by) == [pb.MATCH_VECTOR]
        assert reply.mode == pb.SEARCH_MODE_VECTOR


@KINDS
async def test_another_dimension_is_refused_with_both_sizes(kind: str, tmp_path: Path) -> None:
    """A search's vector must be of the size of the namespace's."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("a", "x", vector=direction(0))
        with pytest.raises(errors.DimensionMismatch) as caught:
            await m.search(vector=[1.0, 0.0, 0.0])
        assert caught.value.metadata == {"expected": "2", "given": "3"}


@KINDS
async def test_overwriting_and_forgetting_drop_the_vector(kind: str, tmp_path: Path) -> None:
    """A body's vector goes with the body."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("a", "x", vector=direction(0))
        await m.write("b", "x", vector=direction(10))
        await m.write("c", "x", vector=direction(90))
        await m.write("a", "another body")
        await m.forget("b")
        await m.write("c", "x2", vector=direction(1))
        reply = await m.search(vector=direction(0))
        assert [hit.name for hit in reply.hits] == ["c"]
        assert reply.hits[0].score > 0.99


@KINDS
async def test_vectors_made_in_the_background_are_waited_for_on_request(kind: str, tmp_path: Path) -> None:
    """With min_revision a search sees the vectors of that revision, and Stats tells of none that wait."""
    async with memory(tmp_path, kind, **MADE) as m:
        for index in range(50):
            receipt = await m.write(f"n{index}", f"text about subject{index} and others")
        reply = await m.search("subject7", mode=pb.SEARCH_MODE_VECTOR, min_revision=receipt.revision)
        assert reply.hits[0].name == "n7"
        assert reply.indexed_revision >= receipt.revision
        (stats,) = (await m.stats()).indexes
        assert (stats.documents, stats.vectors, stats.waiting, stats.dimensions) == (50, 50, 0, 256)


@KINDS
async def test_hybrid_finds_by_either(kind: str, tmp_path: Path) -> None:
    """A slot that only words find and one that only its vector finds are both hits, and each says what led to it."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("words", "zebra", vector=direction(180))
        await m.write("meaning", "an animal with stripes", vector=direction(0))
        reply = await m.search("zebra", vector=direction(0))
        assert reply.mode == pb.SEARCH_MODE_HYBRID
        matched = {hit.name: set(hit.matched_by) for hit in reply.hits}
        assert pb.MATCH_BODY in matched["words"]
        assert pb.MATCH_VECTOR in matched["meaning"]


@KINDS
async def test_without_an_embedder_text_is_searched_by_words(kind: str, tmp_path: Path) -> None:
    """AUTO does what can be done; who insists on vectors is told how to get them."""
    async with memory(tmp_path, kind, **SENT) as m:
        await m.write("a", "zebra", vector=direction(0))
        assert (await m.search("zebra")).mode == pb.SEARCH_MODE_FULLTEXT
        with pytest.raises(errors.IndexNotEnabled, match="embedder"):
            await m.search("zebra", mode=pb.SEARCH_MODE_VECTOR)


@KINDS
async def test_neighbours_lend_score(kind: str, tmp_path: Path) -> None:
    """The turn after the one that matches is found when neighbours lend, within its task type only."""
    async with memory(tmp_path, kind) as m:
        await m.write("t1", "did you adopt a zebra?", task_type="talk")
        await m.write("other", "unrelated", task_type="else")
        await m.write("t2", "yes, he is called Biscuit", task_type="talk")
        assert await m.found("zebra") == ["t1"]
        reply = await m.search("zebra", neighbor_weight=0.5)
        assert [hit.name for hit in reply.hits] == ["t1", "t2"]
        assert list(reply.hits[1].matched_by) == [pb.MATCH_NEIGHBOR]


async def test_automatic_becomes_a_graph_when_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the threshold a graph takes over, finds the same, and is loaded again after a restart."""
    monkeypatch.setattr("memslot_index.vectors.choice.AUTO_THRESHOLD", 200)
    monkeypatch.setattr("memslot_index.vector_spaces.AUTO_THRESHOLD", 200)
    chance = random.Random(3)
    vectors = {f"n{index}": [chance.gauss(0, 1) for _ in range(16)] for index in range(400)}
    async with memory(tmp_path, **SENT) as m:
        for name, vector in vectors.items():
            await m.write(name, "x", vector=vector)
        await _until_kind(m, "hnsw")
        for name in ("n1", "n399"):
            assert (await m.found(vector=vectors[name]))[0] == name
        await m.forget("n1")
        assert "n1" not in await m.found(vector=vectors["n1"])
    assert list(tmp_path.glob("vectors-*.graph"))
    async with memory(tmp_path, **SENT) as m:
        assert (await m.found(vector=vectors["n7"]))[0] == "n7"
        await _until_kind(m, "hnsw")
        assert (await m.found(vector=vectors["n7"]))[0] == "n7"
        assert "n1" not in await m.found(vector=vectors["n1"], limit=100)


async def _until_kind(m: Memory, kind: str) -> None:
    while not [index for index in (await m.stats(SPACE)).indexes if index.vector_index == kind]:
        await m.found(vector=[1.0] + [0.0] * 15)


async def test_another_model_is_told_at_the_start_and_mended_by_a_reindex(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors of two models are never compared: words go on, the search says why, and `memslot reindex` makes them anew."""
    async with memory(tmp_path, **MADE) as m:
        await _settled(m, await m.write("a", "a zebra"))
    monkeypatch.setattr("memslot_index.embedders.hashing.HashingEmbedder.model", "another")
    async with memory(tmp_path, **MADE) as m:
        while not (problem := "".join(index.problem for index in (await m.stats()).indexes)):
            await m.found("zebra", mode=pb.SEARCH_MODE_FULLTEXT)
        assert "memslot reindex" in problem
        reply = await m.search("zebra")
        assert reply.mode == pb.SEARCH_MODE_FULLTEXT
        assert "memslot reindex" in reply.degraded[0]
        with pytest.raises(errors.IndexOutdated) as caught:
            await m.search("zebra", mode=pb.SEARCH_MODE_VECTOR)
        assert caught.value.metadata["configured"] == "another"
        await m.reindex()
        await _settled(m, await m.write("b", "a heron"))
        assert (await m.search("zebra")).mode == pb.SEARCH_MODE_HYBRID
        (stats,) = (await m.stats()).indexes
        assert (stats.model, stats.vectors, stats.problem) == ("another", 2, "")


async def test_long_bodies_are_embedded_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many texts an embedder takes at once, no more of them are read at once than fit beside what else goes on."""
    sizes: list[int] = []
    waiting = Event()
    passages = HashingEmbedder.passages

    def noted(self: HashingEmbedder, texts: Sequence[str]) -> Embedded:
        assert waiting.wait(30)
        sizes.append(sum(map(len, texts)))
        return passages(self, texts)

    monkeypatch.setattr(HashingEmbedder, "passages", noted)
    body = 400_000
    async with memory(tmp_path, body_limit_bytes=body, **MADE) as m:
        written = await asyncio.gather(*(m.write(f"n{at}", "word " * (body // 5)) for at in range(12)))
        assert len(await m.found("word", mode=pb.SEARCH_MODE_FULLTEXT, limit=12)) == 12
        waiting.set()
        await m.search("word", mode=pb.SEARCH_MODE_VECTOR, min_revision=max(one.revision for one in written))
    assert sum(sizes) >= 12 * body
    assert max(sizes) < (1 << 20) + 2 * body


async def _settled(m: Memory, written: pb.WriteResponse) -> None:
    await m.search("x", min_revision=written.revision)
