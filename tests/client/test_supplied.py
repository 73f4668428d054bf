"""Vectors, summaries, and the settings of finding, through every face."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import pytest

import memslot
from memslot import Batch, IndexMode, Memory, Outcome, SummaryMode, VectorIndexKind
from memslot.errors import DimensionMismatch, IndexNotEnabled, InvalidRequest


@pytest.fixture(params=["embedded", "served"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A client of either kind, in a namespace that keeps vectors."""
    if request.param == "served":
        found = request.getfixturevalue("served")
        found.namespaces.update(index_mode=IndexMode.HYBRID)
        yield found
    else:
        with memslot.embedded(namespace="acme/a") as embedded:
            embedded.namespaces.update(index_mode=IndexMode.HYBRID)
            yield embedded


def test_a_vector_and_a_summary_go_with_the_body(memory: Memory) -> None:
    """They are told of the slot that they were written with, and are gone with its body."""
    memory.write("a", "long text", vector=[1.0, 2], summary="short")
    info = memory.describe("a")
    assert (info.has_vector, info.has_summary) == (True, True)
    assert memory.write("a", "long text").outcome is Outcome.UNCHANGED
    assert memory.write("a", "long text", summary="shorter").outcome is Outcome.OVERWRITTEN
    memory.append("a", ", more", vector=array("f", [2, 1]))
    info = memory.describe("a")
    assert (info.has_vector, info.has_summary) == (True, False)
    memory.patch("doc", {"k": 1}, summary="s", vector=(number for number in (1, 2)))
    assert memory.describe("doc").has_vector
    memory.commit(Batch().write("a", "new", summary="s").write("b", "x", vector=[1, 1]))
    found = memory.describe_many(["a", "b"])
    assert [(found[name].has_vector, found[name].has_summary) for name in "ab"] == [(False, True), (True, False)]


async def test_the_async_client_sends_them_too() -> None:
    """The same keywords hold where calls are awaited."""
    async with memslot.aio.embedded(namespace="acme") as memory:
        with pytest.raises(IndexNotEnabled, match="--index-mode hybrid"):
            await memory.write("a", "x", vector=[1.0])
        await memory.namespaces.update(index_mode=IndexMode.HYBRID)
        await memory.write("a", "x", vector=[1.0], summary="s")
        info = await memory.describe("a")
        assert (info.has_vector, info.has_summary) == (True, True)


def test_wrong_vectors_are_refused(memory: Memory) -> None:
    """What is no vector is a TypeError or ValueError here; another dimension is told by the server, with both sizes."""
    memory.write("a", "x", vector=[1.0, 2.0])
    with pytest.raises(DimensionMismatch) as refused:
        memory.write("b", "x", vector=[1.0])
    assert refused.value.metadata == {"expected": "2", "given": "1"}
    for wrong in ("ab", b"ab", [[1.0], [2.0]], ["1"], 7):
        with pytest.raises(TypeError, match="vector"):
            memory.write("b", "x", vector=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="vector"):
        memory.write("b", "x", vector=[])
    with pytest.raises(InvalidRequest):
        memory.write("b", "x", vector=[1e300, 1.0])
    with pytest.raises(TypeError, match="summary"):
        memory.write("b", "x", summary=7)  # type: ignore[arg-type]


def test_the_settings_of_finding_are_set_and_inherited(memory: Memory) -> None:
    """Each is told as it was set, and where it was not as it holds."""
    pytest.importorskip("icu4py", reason="a namespace can only be set to what is installed")
    made = memory.namespaces.update(
        vector_index=VectorIndexKind.HNSW, summary_mode=SummaryMode.EXTRACTIVE, summary_above_bytes=9,
        summary_below_rank=-1.5, embedder="none",
    )  # fmt: skip
    settings = made.settings
    assert (settings.index_mode, settings.embedder) == (IndexMode.HYBRID, "none")
    assert (settings.vector_index, settings.summary_mode) == (VectorIndexKind.HNSW, SummaryMode.EXTRACTIVE)
    assert (settings.summary_above_bytes, settings.summary_below_rank) == (9, -1.5)
    inherit = dict.fromkeys(("index_mode", "vector_index", "summary_mode", "summary_below_rank"), memslot.INHERIT)
    made = memory.namespaces.update(**inherit, embedder=memslot.INHERIT, summary_above_bytes=memslot.INHERIT)
    assert made.settings.index_mode is made.settings.embedder is made.settings.vector_index is None
    holds = made.effective_settings
    assert (holds.index_mode, holds.embedder, holds.vector_index) == (IndexMode.KEYS, "none", VectorIndexKind.AUTO)
    assert (holds.summary_mode, holds.summary_above_bytes, holds.summary_below_rank) == (SummaryMode.OFF, 2048, None)
