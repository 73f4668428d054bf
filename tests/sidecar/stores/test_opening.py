"""Opening, closing, and opening again."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from tests.contract.world import START_MS, World
from tests.contract.writing import configure, remove, write

from memslot_sidecar.errors import DataDirInUse, StoreUnusable
from memslot_sidecar.model import NamespaceSettings, Overflow, Sealed, StoredAnswer, Supplied, TaskState, Usage
from memslot_sidecar.stores.base import Transaction
from memslot_sidecar.stores.sqlite import SqliteStore
from memslot_sidecar.stores.sqlite.schema import MIGRATIONS


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A store in a directory of its own."""
    return World(lambda clock: SqliteStore(tmp_path / "data", clock))


async def test_everything_is_there_after_a_restart(world: World) -> None:
    """Slots, versions, settings, answers, watermarks, the feed, the revision, the identity and the counters survive."""
    answer = StoredAnswer("agent", "id", "Write", b"d", b"r", START_MS + 600_000)
    async with world.store() as store:
        await write(store, "n", "x", b"a", keep_versions=2, tags=("t",), attributes={"k": 1.0})
        await write(store, "n", "x", b"b", keep_versions=2, supplied=Supplied(b"\0" * 8, "s"))
        await store.transact(lambda tx: configure(tx, "m", NamespaceSettings(slot_limit=3)))
        await store.transact(lambda tx: tx.keep_answer(answer))
        await store.set_watermark("audit", 2)
        record = store.describe("n", "x")
        assert record is not None
        store.note_access(record, START_MS + 5)
        before = (store.store_id, store.digest_key, store.revision, store.usage(), await store.feed(0, 10))
        versions = await store.versions("n", "x")
    async with world.store() as store:
        assert (store.store_id, store.digest_key, store.revision, store.usage(), await store.feed(0, 10)) == before
        assert await store.versions("n", "x") == versions
        assert store.configured(["m"])[0].settings == NamespaceSettings(slot_limit=3)
        assert await store.transact(lambda tx: tx.answer("agent", "id")) == answer
        assert store.watermark("audit") == 2
        found = store.read("n", "x")
        assert found is not None
        assert (found.body, found.record.access_count) == (b"b", 1)
        assert store.supplied("n", "x") == Supplied(b"\0" * 8, "s")
        assert (await write(store, "n", "y")).revision == before[2] + 1
        assert (await store.check()).problems == []


async def test_time_does_not_run_backwards_over_a_restart(world: World) -> None:
    """With the wall clock set back while the store was closed, time stands at the last commit."""
    async with world.store() as store:
        await write(store, "n", "x")
    world.clock.move(-60_000)
    async with world.store() as store:
        assert store.now_ms() == START_MS
        assert (await write(store, "n", "y")).created_ms == START_MS


async def test_a_pending_erase_is_taken_up_at_the_start(world: World) -> None:
    """What was asked to be wiped before a stop is wiped after the start, without a further call."""
    async with world.store() as store:
        await write(store, "n", "x")

        def decide(tx: Transaction) -> None:
            remove(tx, "n", "x")
            tx.request_erase()

        await store.transact(decide)
        assert store.erase_pending
    async with world.store() as store:
        assert store.erase_pending
        while store.erase_pending:
            await asyncio.sleep(0.001)
    async with world.store() as store:
        assert not store.erase_pending


async def test_a_newer_schema_is_refused(world: World, tmp_path: Path) -> None:
    """A store of a newer version is refused with a word on what to do, and left as it is."""
    async with world.store() as store:
        await write(store, "n", "x")
    path = tmp_path / "data" / "memslot.db"
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(MIGRATIONS) + 1)
    connection.pragma("journal_mode", "delete")
    connection.close()
    content = path.read_bytes()
    with pytest.raises(StoreUnusable, match="newer"):
        async with world.store():
            pass
    assert path.read_bytes() == content
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(MIGRATIONS))
    connection.close()
    async with world.store() as store:
        assert store.read("n", "x") is not None


async def test_an_older_file_is_brought_up_to_date(world: World, tmp_path: Path) -> None:
    """A store of version 1 opens with all that it held, takes vectors and summaries from then on, and is sound."""
    (tmp_path / "data").mkdir()
    connection = apsw.Connection(str(tmp_path / "data" / "memslot.db"))
    connection.execute((Path(__file__).parent / "old" / "version1.sql").read_text())
    connection.pragma("user_version", 1)
    connection.close()
    async with world.store() as store:
        assert store.store_id == "ba64dbbfe46048abb8a27b0384b1cf6a"
        assert (store.revision, store.usage()) == (4, Usage(3, 2, 13))
        assert (await store.check()).problems == []
        found = store.read("acme/a", "x")
        assert found is not None
        assert (found.body, found.record.tags, found.record.attributes) == (b"second", ("t",), {"k": 1.5})
        assert (found.record.vector_bytes, found.record.summary_bytes) == (0, 0)
        assert store.supplied("acme/a", "x") is None
        assert [version.revision for version in await store.versions("acme/a", "x")] == [2, 1]
        space = store.namespace("set")
        assert space is not None
        assert space.settings == NamespaceSettings(slot_limit=3, overflow=Overflow.EVICT_LOWEST_RANK)
        assert (space.vector_count, space.vector_dimensions) == (0, None)
        assert store.watermark("audit") == 2
        assert len(await store.feed(0, 10)) == 4
        await write(store, "acme/a", "x", None, supplied=Supplied(b"\0" * 8, "s"))
        await write(store, "acme", "z", supplied=Supplied(b"\0" * 8))
        assert (await store.check()).problems == []
    async with world.store() as store:
        assert store.supplied("acme/a", "x") == Supplied(b"\0" * 8, "s")
        found = store.read("acme/a", "x")
        assert found is not None
        assert found.body == b"second"


async def test_a_file_without_tasks_is_brought_up_to_date(world: World, tmp_path: Path) -> None:
    """A store of version 2 opens with vectors, summaries and versions, and takes tasks, also where a namespace is named like an attempt."""
    (tmp_path / "data").mkdir()
    connection = apsw.Connection(str(tmp_path / "data" / "memslot.db"))
    connection.execute((Path(__file__).parent / "old" / "version2.sql").read_text())
    connection.pragma("user_version", 2)
    connection.close()
    async with world.store() as store:
        assert (store.revision, store.usage()) == (4, Usage(3, 2, 31))
        assert (await store.check()).problems == []
        assert store.supplied("acme/a", "x") == Supplied(b"\0\0\x80\x3f\0\0\0\0", "in short")
        assert [version.revision for version in await store.versions("acme/a", "x")] == [2, 1]
        for path in ("acme/a", "acme/a/attempt-1"):
            assert (found := store.namespace(path)) is not None
            assert found.task is None
        task = TaskState(2, 1_900_000_000_000, sealed=(Sealed(1, 1_800_000_000_000),))
        await store.transact(lambda tx: tx.put_namespace(replace(tx.namespace("acme/a"), task=task)))  # type: ignore[type-var]
        assert (await store.check()).problems == []
    async with world.store() as store:
        assert (found := store.namespace("acme/a")) is not None
        assert (found.task, found.slot_count, found.vector_dimensions) == (task, 1, 2)
        assert [record.path for record in await store.tasks_due(9)] == ["acme/a"]


async def test_a_damaged_file_is_refused(world: World, tmp_path: Path) -> None:
    """A file that is no store is refused by name."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memslot.db").write_bytes(b"no database" * 1_000)
    with pytest.raises(StoreUnusable, match="damaged"):
        async with world.store():
            pass


async def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """A file in the directory's place is told."""
    (tmp_path / "file").write_text("")
    store = SqliteStore(tmp_path / "file" / "data")
    with pytest.raises(StoreUnusable, match="cannot be made"):
        await store.start()


async def test_a_directory_of_another_user_is_told() -> None:
    """A volume that another user's sidecar used is no traceback, and the message says who may have it."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o500)
        remedy = "make it writable"
        try:
            if os.geteuid() == 0:
                os.seteuid(65534)
                remedy = "run as user 0, whose it is"
            with pytest.raises(StoreUnusable, match=f"cannot be used: Permission denied; {remedy}, or choose"):
                await SqliteStore(folder).start()
        finally:
            os.seteuid(os.getuid())


async def test_a_lock_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    """A folder in its place, say."""
    (tmp_path / "lock").mkdir()
    with pytest.raises(StoreUnusable, match="cannot be used: Is a directory; choose another --data-dir"):
        await SqliteStore(tmp_path).start()


HOLDER = """
import asyncio, sys
from memslot_sidecar.stores.sqlite import SqliteStore
async def main():
    store = SqliteStore(sys.argv[1])
    await store.start()
    print("open", flush=True)
    sys.stdin.read()
asyncio.run(main())
"""


async def test_a_second_process_is_refused_or_waits(tmp_path: Path) -> None:
    """The directory has one owner: another one is told who it is, or waits until it is gone, even by SIGKILL."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(DataDirInUse, match=f"process {holder.pid}.*--lock-wait"):
            await SqliteStore(tmp_path).start()
        waiting = SqliteStore(tmp_path, lock_wait_s=60)
        start = asyncio.ensure_future(waiting.start())
        await asyncio.sleep(0.1)
        assert not start.done()
        holder.kill()
        holder.wait()
        await start
        await write(waiting, "n", "x")
        await waiting.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
async def test_a_full_disk_keeps_nobody_from_the_lock(tmp_path: Path) -> None:
    """Where the disk takes not even the number of the process, the directory is opened all the same."""
    (tmp_path / "lock").symlink_to("/dev/full")
    store = SqliteStore(tmp_path)
    await store.start()
    await store.close()


async def test_closing_lets_the_directory_go(tmp_path: Path) -> None:
    """After a close another store opens the directory at once, and closing again does nothing."""
    for number in range(3):
        store = SqliteStore(tmp_path)
        await store.start()
        await write(store, "n", str(number))
        await store.close()
        await store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "memslot.db"]


async def test_leftovers_of_a_backup_are_removed(tmp_path: Path) -> None:
    """A copy that a crash left behind is gone after the start."""
    (tmp_path / "backup-1.tmp").write_bytes(b"x")
    (tmp_path / "backup-1.tmp-journal").write_bytes(b"x")
    store = SqliteStore(tmp_path)
    await store.start()
    assert not list(tmp_path.glob("backup-*"))
    await store.close()


async def test_the_files_are_for_their_owner_alone(world: World, tmp_path: Path) -> None:
    """Nobody else on the machine can read a body, whatever the permissions of the folder."""
    async with world.store() as store:
        await write(store, "n", "a")
        modes = {path.name: path.stat().st_mode & 0o077 for path in (tmp_path / "data").glob("memslot.db*")}
    assert len(modes) == 3
    assert not any(modes.values()), modes
