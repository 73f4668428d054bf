"""What many namespaces and idle times cost: no more than they may."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.finding.memory import memory


async def test_small_namespaces_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds more memory than its only vector needs; those that were not searched for longest give way, and are found all the same."""
    monkeypatch.setattr("memslot_index.vector_spaces._EXACT_BYTES", 100_000)
    async with memory(tmp_path, index_mode="hybrid", embedder="none") as m:
        for number in range(30):
            await m.write("n", "x", namespace=f"acme/{number}", vector=[1.0] * 256)
            assert await m.found(namespace=f"acme/{number}", vector=[1.0] * 256) == ["n"]
        desk = m.sidecar.finder.index
        assert desk is not None
        assert len(desk.index.vectors._loaded) < 10
        for number in range(30):
            await m.write("m", "x", namespace=f"acme/{number}", vector=[0.5] * 256)
            assert set(await m.found(namespace=f"acme/{number}", vector=[1.0] * 256)) == {"m", "n"}


async def test_nothing_is_written_while_nothing_happens(tmp_path: Path) -> None:
    """How far the index is, is kept when it has moved, and not every ten seconds."""
    async with memory(tmp_path) as m:
        await m.write("n", "zebra")
        await m.found("zebra")
        finder = m.sidecar.finder
        await finder.note()
        desk = finder.index
        assert desk is not None
        before = desk.index._connections.writer.total_changes()
        for _ in range(5):
            await finder.note()
        assert desk.index._connections.writer.total_changes() == before
