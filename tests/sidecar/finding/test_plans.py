"""Whole namespaces are brought into the index once, whoever asks for them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot_index.changes import Change
from memslot_index.index import Index


async def test_a_search_does_not_have_a_namespace_indexed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches that come while the namespace's turn has come wait for it, and for no second time."""
    indexed = Counter[str]()
    applied = Index.apply

    def apply(index: Index, changes: Sequence[Change], watermark: int | None = None) -> None:
        indexed.update(change.name for change in changes)
        applied(index, changes, watermark)

    async with memory(tmp_path, index_mode="keys") as m:
        for number in range(200):
            await m.write(f"n{number}", "apple")
        monkeypatch.setattr(Index, "apply", apply)
        await m.configure(index_mode="INDEX_MODE_FULLTEXT")
        found = await asyncio.gather(*(m.found("apple", limit=100) for _ in range(3)))
        await _planned(m)
    assert [len(names) for names in found] == [100] * 3
    assert set(indexed.values()) == {1}


async def _planned(m: Memory) -> None:
    """Waits until nothing is planned any more."""
    while m.sidecar.finder._running is None or m.sidecar.finder._running.plans.waiting:
        await asyncio.sleep(0.001)
