"""The one writer: many mutations a sync, each with its own fate."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from tests.contract.world import ManualClock
from tests.contract.writing import put, write
from tests.sidecar.stores.layers import BadSpotLayer

from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.stores.base import Transaction
from memslot_sidecar.stores.sqlite import SqliteStore, group
from memslot_sidecar.stores.sqlite.group_commit import GroupCommit
from memslot_sidecar.stores.sqlite.records import Row


async def test_concurrent_writes_share_syncs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand writes of fifty callers take far fewer commits than writes."""
    commits = 0
    commit = GroupCommit.commit

    def counted(self: GroupCommit) -> None:
        nonlocal commits
        commits += 1
        commit(self)

    monkeypatch.setattr(GroupCommit, "commit", counted)
    store = SqliteStore(tmp_path)
    await store.start()

    async def caller(number: int) -> None:
        for turn in range(20):
            await write(store, "n", f"slot-{number}-{turn}")

    await asyncio.gather(*(caller(number) for number in range(50)))
    assert store.usage().slots == 1_000
    assert commits <= 200
    await store.close()


async def test_only_the_guilty_member_of_a_failed_commit_fails(tmp_path: Path) -> None:
    """When a commit fails on the disk for one member's sake, that one is told so, and all others are there."""
    layer = BadSpotLayer(b"cursed")
    store = SqliteStore(tmp_path, vfs=layer.name)
    await store.start()
    work = [write(store, "n", f"slot-{number}", b"cursed" if number == 7 else b"fine") for number in range(20)]
    results = await asyncio.gather(*work, return_exceptions=True)
    assert isinstance(results[7], StoreUnavailable)
    assert results[7].retry_after_ms
    assert [number for number, result in enumerate(results) if isinstance(result, BaseException)] == [7]
    assert store.read("n", "slot-7") is None
    assert sorted(record.revision for record in results if not isinstance(record, BaseException)) == list(range(1, 20))
    assert [record.revision for record in await store.feed(0, 100)] == list(range(1, 20))
    assert (await store.check()).problems == []
    await store.close()


async def test_a_member_whose_changes_cannot_be_applied_fails_alone(tmp_path: Path) -> None:
    """A value that SQLite refuses fails its own mutation; the others of the group are committed."""
    store = SqliteStore(tmp_path)
    await store.start()
    work = [write(store, "n", f"slot-{number}", attributes={"k": 2**70 if number == 3 else 1}) for number in range(8)]
    results = await asyncio.gather(*work, return_exceptions=True)
    assert [number for number, result in enumerate(results) if isinstance(result, BaseException)] == [3]
    assert store.usage().slots == store.revision == 7
    assert (await store.check()).problems == []
    await store.close()


async def test_a_long_mutation_does_not_run_in_the_loops_thread(tmp_path: Path) -> None:
    """What turns out to touch many rows is run again in the writer's thread, and small ones in the loop's."""
    import threading

    store = SqliteStore(tmp_path)
    await store.start()
    threads: dict[str, list[str]] = {"small": [], "large": []}

    def decide(tx: Transaction, kind: str, count: int) -> None:
        threads[kind].append(threading.current_thread().name)
        for number in range(count):
            put(tx, kind, f"slot-{number}")

    await asyncio.gather(
        store.transact(lambda tx: decide(tx, "small", 3)), store.transact(lambda tx: decide(tx, "large", 500))
    )
    assert threads == {"small": ["MainThread"], "large": ["MainThread", "memslot-writer"]}
    assert store.usage().slots == 503
    await store.close()


async def test_a_lone_caller_does_not_wait_for_company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gathering a group is for those who came in groups: with one caller at a time nothing is gathered, whatever its delay."""
    monkeypatch.setattr("memslot_sidecar.stores.sqlite.writer._GATHER_S", 3_600.0)
    store = SqliteStore(tmp_path)
    await store.start()
    for number in range(20):
        await write(store, "n", str(number))
    await store.close()


async def test_what_has_expired_is_read_within_the_bound_of_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutation in the event loop's thread that asks for ten thousand expired slots reads no more than it may touch there."""
    clock = ManualClock()
    store = SqliteStore(tmp_path, clock)
    await store.start()
    for number in range(200):
        await write(store, "n", f"slot-{number}", expire_ms=clock() + 1)
    clock.move(10)
    loop_thread, read_in_loop = threading.get_ident(), 0
    decode = group.slot_record

    def counted(namespace: str, row: Row) -> SlotRecord:
        nonlocal read_in_loop
        read_in_loop += threading.get_ident() == loop_thread
        return decode(namespace, row)

    monkeypatch.setattr(group, "slot_record", counted)
    assert await store.transact(lambda tx: len(tx.expired(None, 10_000))) == 200
    assert 0 < read_in_loop <= 65
    await store.close()
