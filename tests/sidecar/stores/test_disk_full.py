"""A full disk: a clear refusal, reads go on, and nothing is lost or half there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.contract.writing import names, write
from tests.sidecar.stores.layers import QuotaLayer

from memslot_sidecar.errors import MemslotError, StoreFull
from memslot_sidecar.stores.base import Query, Store
from memslot_sidecar.stores.sqlite import SqliteStore


async def _fill(store: Store, count: int) -> list[str]:
    """The names whose writes were acknowledged, of ``count`` concurrent ones."""
    work = [write(store, "n", f"slot-{number:03}", b"x" * 20_000) for number in range(count)]
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        assert isinstance(result, StoreFull) or not isinstance(result, BaseException)
    return [f"slot-{number:03}" for number, result in enumerate(results) if not isinstance(result, BaseException)]


async def test_a_full_disk_refuses_writes_and_serves_reads(tmp_path: Path) -> None:
    """Writes fail with STORE_FULL and when to try again; reads and lookups go on; with room again, writes go on without a restart."""
    layer = QuotaLayer()
    store = SqliteStore(tmp_path, vfs=layer.name)
    await store.start()
    kept = await _fill(store, 20)
    assert len(kept) == 20
    layer.full = True
    for _ in range(3):
        await asyncio.gather(
            *(write(store, "full", f"{number}", b"y" * 500_000) for number in range(10)), return_exceptions=True
        )
        with pytest.raises(StoreFull, match="disk") as caught:
            await write(store, "full", "x", b"y" * 2_000_000)
        assert caught.value.retry_after_ms
        assert caught.value.metadata["bound"] == "disk"
        assert store.read("n", "slot-007") is not None
        assert set(await names(store, "n")) == set(kept)
        assert len((await store.lookup(Query("n", recursive=True))).items) == 20
    layer.full = False
    await write(store, "n", "after", b"z" * 100_000)
    assert store.read("n", "after") is not None
    report = await store.check()
    assert report.problems == []
    feed = await store.feed(0, 1_000)
    assert [record.revision for record in feed] == list(range(1, store.revision + 1))
    await store.close()


async def test_what_was_acknowledged_before_survives_a_stop_on_a_full_disk(tmp_path: Path) -> None:
    """Closing and reopening with no room at all keeps every acknowledged write."""
    layer = QuotaLayer()
    store = SqliteStore(tmp_path, vfs=layer.name)
    await store.start()
    kept = await _fill(store, 30)
    layer.full = True
    kept += [name for name in await _fill(store, 60) if name not in kept]
    try:
        await store.close()
    except MemslotError:
        pytest.fail("closing on a full disk must not raise")
    layer.full = False
    store = SqliteStore(tmp_path)
    await store.start()
    for name in kept:
        assert store.read("n", name) is not None
    assert (await store.check()).problems == []
    await store.close()
