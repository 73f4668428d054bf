"""A backup is a whole store, taken while the original is in use."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from tests.contract.writing import put, remove, write

from memslot_sidecar.errors import BackupUnsupported, StoreFull
from memslot_sidecar.stores.base import Transaction
from memslot_sidecar.stores.ram import RamStore
from memslot_sidecar.stores.sqlite import SqliteStore, schema


def _fill(tx: Transaction) -> None:
    for number in range(300):
        put(tx, "n", f"slot-{number}", str(number).encode() * 1_000, tags=("t",), attributes={"k": number})


async def test_a_backup_is_a_store_of_its_own(tmp_path: Path) -> None:
    """What comes out, put in place of a store's file, opens with everything up to the revision that it names, and a new identity."""
    original = SqliteStore(tmp_path / "original")
    await original.start()
    await original.transact(_fill)
    copy = tmp_path / "copy"
    copy.mkdir()
    chunks, totals, revisions = [], set(), set()
    async for chunk, total, revision in original.backup():
        chunks.append(chunk)
        totals.add(total)
        revisions.add(revision)
        await write(original, "n", f"meanwhile-{len(chunks)}")
    content = b"".join(chunks)
    assert totals == {len(content)}
    assert revisions == {300}
    assert len(chunks) > 2
    assert {path.name for path in (tmp_path / "original").iterdir()} <= {
        "lock", "memslot.db", "memslot.db-wal", "memslot.db-shm",
    }  # fmt: skip
    (copy / "memslot.db").write_bytes(content)
    restored = SqliteStore(copy)
    await restored.start()
    assert restored.store_id != original.store_id
    assert restored.revision == 300
    assert restored.read("n", "meanwhile-1") is None
    for number in range(300):
        assert restored.read("n", f"slot-{number}") == original.read("n", f"slot-{number}")
    assert (await restored.check()).problems == []
    assert (await write(restored, "n", "new")).revision == 301
    await restored.close()
    await original.close()


async def test_two_backups_are_two_stores(tmp_path: Path) -> None:
    """Each backup has an identity of its own, so that page tokens of one are refused by the other."""
    store = SqliteStore(tmp_path)
    await store.start()
    await store.transact(_fill)
    identities = set()
    for number in range(2):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "memslot.db").write_bytes(b"".join([chunk async for chunk, _, _ in store.backup()]))
        restored = SqliteStore(directory)
        await restored.start()
        identities.add(restored.store_id)
        await restored.close()
    assert len(identities | {store.store_id}) == 3
    await store.close()


async def test_a_backup_restored_twice_is_two_stores(tmp_path: Path) -> None:
    """Whatever was written to the first is not taken for what the second writes under the same revisions; each keeps its identity."""
    store = SqliteStore(tmp_path / "original")
    await store.start()
    await write(store, "n", "x")
    content = b"".join([chunk async for chunk, _, _ in store.backup()])
    await store.close()
    identities = []
    for directory in ("first", "second", "second"):
        (tmp_path / directory).mkdir(exist_ok=True)
        file = tmp_path / directory / "memslot.db"
        if not file.exists():
            file.write_bytes(content)
        restored = SqliteStore(tmp_path / directory)
        await restored.start()
        identities.append(restored.store_id)
        await restored.close()
    assert len({store.store_id, *identities}) == 3
    assert identities[1] == identities[2]


async def test_a_backup_that_nobody_reads_to_its_end_leaves_nothing(tmp_path: Path) -> None:
    """Giving up in the middle leaves no file, and holds up neither writes nor an erase."""
    store = SqliteStore(tmp_path)
    await store.start()
    await store.transact(_fill)
    stream = store.backup()
    await anext(stream)

    def decide(tx: Transaction) -> None:
        remove(tx, "n", "slot-1")
        tx.request_erase()

    await store.transact(decide)
    await store.erase()
    await stream.aclose()  # type: ignore[attr-defined]
    assert not list(tmp_path.glob("backup*"))
    await store.close()


async def test_a_backup_whose_caller_leaves_while_it_is_made_stays_open_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is let go of when it is ready: its room on the disk is free again."""
    store = SqliteStore(tmp_path)
    await store.start()
    await store.transact(_fill)
    making, left = threading.Event(), threading.Event()
    mark = schema.mark_copy

    def slowly(connection: apsw.Connection) -> None:
        making.set()
        left.wait(10)
        mark(connection)

    monkeypatch.setattr("memslot_sidecar.stores.sqlite.schema.mark_copy", slowly)
    caller = asyncio.ensure_future(anext(store.backup()))
    await asyncio.to_thread(making.wait, 10)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    left.set()

    async def nothing_left() -> None:
        while list(tmp_path.glob("backup*")) or _open_copies():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(nothing_left(), 10)
    await store.close()


def _open_copies() -> list[str]:
    """The copies, removed or not, that this process has open."""
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(str(descriptor.readlink()))
    return [path for path in found if "backup-" in path]


async def test_a_backup_that_does_not_fit_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full before the copy is whole, the caller is told, nothing of it is left, and the store goes on."""
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n", "x")

    def full(_: apsw.Connection) -> None:
        raise apsw.FullError("the disk is full")

    monkeypatch.setattr("memslot_sidecar.stores.sqlite.schema.mark_copy", full)
    with pytest.raises(StoreFull):
        await anext(store.backup())
    assert not list(tmp_path.glob("backup*"))
    await write(store, "n", "y")
    await store.close()


async def test_concurrent_backups_and_writes_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Two backups at once during a storm of writes are both whole."""
    store = SqliteStore(tmp_path / "original")
    await store.start()
    await store.transact(_fill)

    async def copy(number: int) -> None:
        directory = tmp_path / f"copy-{number}"
        directory.mkdir()
        (directory / "memslot.db").write_bytes(b"".join([chunk async for chunk, _, _ in store.backup()]))
        restored = SqliteStore(directory)
        await restored.start()
        assert (await restored.check()).problems == []
        await restored.close()

    async def storm() -> None:
        for number in range(200):
            await write(store, "n", f"slot-{number}", b"changed" * 100)

    await asyncio.gather(copy(1), copy(2), storm(), storm())
    await store.close()


async def test_ram_has_nothing_to_copy() -> None:
    """The store in RAM refuses, with what to do instead."""
    store = RamStore()
    await store.start()
    with pytest.raises(BackupUnsupported, match="sqlite"):
        store.backup()
