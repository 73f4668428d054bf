"""After an erase, the bytes of what was forgotten or overwritten are in no file of the data directory."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from tests.contract.writing import put, remove, write

from memslot_sidecar.errors import ErasePending
from memslot_sidecar.model import SlotRecord, Supplied
from memslot_sidecar.stores.base import Store, Transaction
from memslot_sidecar.stores.sqlite import SqliteStore

SECRET = b"S3CR3T-"
SIZES = ((10, 30, 60, 120), (2, 5, 10, 20, 40), (10, 30, 60, 120), (1, 30, 300, 2_000))
LAYOUTS = [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 60))]


def _erase_one(tx: Transaction, namespace: str, name: str) -> SlotRecord:
    record = remove(tx, namespace, name)
    tx.request_erase()
    return record


def _found(directory: Path, secret: bytes) -> list[str]:
    return [path.name for path in directory.rglob("*") if path.is_file() and secret in path.read_bytes()]


Step = tuple[str, bytes | None, int]
"""A name, its new body (None to forget it), and how many bodies to keep."""


class _Layout:
    """Random writes, overwrites and removals; it knows which bodies live."""

    def __init__(self, store: Store, seed: int) -> None:
        self._store = store
        self._chance = random.Random(seed)
        self._sizes = SIZES[seed % len(SIZES)]
        self._alive: dict[str, list[bytes]] = {}
        self._written = 0

    async def churn(self, groups: int) -> None:
        """Changes slots in many commits, then forgets most of them in one."""
        for _ in range(groups):
            await self._commit([self._step() for _ in range(self._chance.randrange(1, 30))])
        most = [name for name in self._alive if self._chance.random() < 0.7]
        await self._commit([self._forgotten(name) for name in most])

    async def _commit(self, steps: list[Step]) -> None:
        def decide(tx: Transaction) -> None:
            for name, body, keep in steps:
                if body is None:
                    _erase_one(tx, "n", name)
                else:
                    put(tx, "n", name, body, keep_versions=keep)

        await self._store.transact(decide)

    def _step(self) -> Step:
        name = f"slot-{self._chance.randrange(150)}" + "-long" * self._chance.randrange(3)
        if name in self._alive and self._chance.random() < 0.35:
            return self._forgotten(name)
        self._written += 1
        body = SECRET + f"{self._written:04}.".encode()
        keep = self._chance.choice([1, 1, 1, 3])
        self._alive[name] = [body, *self._alive.get(name, [])][:keep]
        return name, body * self._chance.choice(self._sizes), keep

    def _forgotten(self, name: str) -> Step:
        del self._alive[name]
        return name, None, 1

    def markers(self) -> tuple[set[bytes], set[bytes]]:
        """What must be found, and what must not."""
        every = {SECRET + f"{number:04}.".encode() for number in range(1, self._written + 1)}
        alive = {body for bodies in self._alive.values() for body in bodies}
        return alive, every - alive


@pytest.mark.parametrize("seed", LAYOUTS)
async def test_erased_bytes_are_in_no_file(tmp_path: Path, seed: int) -> None:
    """Over many random layouts of small and large bodies, overwrites, versions and page splits: after erase() every body and version
    that lives is in the files, and none that was removed or replaced."""
    store = SqliteStore(tmp_path)
    await store.start()
    layout = _Layout(store, seed)
    for _ in range(2):
        await layout.churn(30)
        await store.erase()
        assert not store.erase_pending
        content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        alive, gone = layout.markers()
        assert [marker for marker in gone if marker in content] == []
        assert [marker for marker in alive if marker not in content] == []
    assert (await store.check()).problems == []
    await store.close()
    assert [marker for marker in gone if _found(tmp_path, marker)] == []


async def test_an_erase_that_readers_hold_up_is_pending_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody reads the old pages erase() says ERASE_PENDING, the slot is forgotten all the same, and the bytes go as soon as
    the reader does, without a further call."""
    monkeypatch.setattr("memslot_sidecar.stores.sqlite.erase._READERS_MS", 10)
    monkeypatch.setattr("memslot_sidecar.stores.erasing.FIRST_RETRY_S", 0.01)
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n", "x", SECRET * 500)
    reading, done = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(reader: object) -> None:
        connection = reader.connection  # type: ignore[attr-defined]
        with connection:
            connection.execute("SELECT count(*) FROM slots").fetchall()
            loop.call_soon_threadsafe(reading.set)
            asyncio.run_coroutine_threadsafe(done.wait(), loop).result()

    holding = asyncio.ensure_future(store._open.readers.scan(hold))
    await reading.wait()
    await store.transact(lambda tx: _erase_one(tx, "n", "x"))
    with pytest.raises(ErasePending) as caught:
        await store.erase()
    assert caught.value.retry_after_ms
    assert store.read("n", "x") is None
    assert store.erase_pending
    assert (await write(store, "n", "y", b"goes on")).revision == 3
    done.set()
    await holding
    while store.erase_pending:
        await asyncio.sleep(0.01)
    assert _found(tmp_path, SECRET) == []
    await store.close()


async def test_an_erase_without_room_is_pending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk has no room for writing the store anew, erase() says so, and the request survives a restart."""
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n", "x", SECRET * 500)
    await store.transact(lambda tx: _erase_one(tx, "n", "x"))
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10})())
        with pytest.raises(ErasePending, match="room"):
            await store.erase()
        assert store.erase_pending
        await store.close()
    store = SqliteStore(tmp_path)
    await store.start()
    assert store.erase_pending
    await store.erase()
    assert _found(tmp_path, SECRET) == []
    await store.close()


async def test_an_erase_that_the_system_refuses_is_pending_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the directory cannot be looked at, erase() says ERASE_PENDING, and the bytes go by themselves once it can."""
    monkeypatch.setattr("memslot_sidecar.stores.erasing.FIRST_RETRY_S", 0.01)
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n", "x", SECRET * 500)
    await store.transact(lambda tx: _erase_one(tx, "n", "x"))

    def refused(_: object) -> None:
        raise OSError("no such device")

    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", refused)
        with pytest.raises(ErasePending):
            await store.erase()
    while store.erase_pending:
        await asyncio.sleep(0.01)
    assert _found(tmp_path, SECRET) == []
    await store.close()


async def test_erases_that_wait_share_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty concurrent requests are served by a few passes: those that wait while one runs share the next."""
    passes = 0
    store = SqliteStore(tmp_path)
    await store.start()
    eraser = store._open.eraser
    wipe = eraser._wipe

    def counted(connection: object, asked: int) -> None:
        nonlocal passes
        passes += 1
        wipe(connection, asked)  # type: ignore[arg-type]

    monkeypatch.setattr(eraser, "_wipe", counted)

    async def forget_with_erase(number: int) -> None:
        await write(store, "n", str(number), SECRET + str(number).encode())
        await store.transact(lambda tx: _erase_one(tx, "n", str(number)))
        await store.erase()
        assert _found(tmp_path, SECRET + str(number).encode()) == []

    await asyncio.gather(*(forget_with_erase(number) for number in range(20)))
    assert 1 <= passes <= 4
    assert not store.erase_pending
    await store.close()


async def test_large_stores_are_rewritten_beside_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store too large for memory is written anew through a file on the same disk, of which nothing is left."""
    monkeypatch.setattr("memslot_sidecar.stores.sqlite.erase._SMALL_BYTES", 0)
    store = SqliteStore(tmp_path)
    await store.start()

    def fill(tx: Transaction) -> None:
        for number in range(200):
            put(tx, "n", str(number), SECRET * 200 if number % 2 else b"kept" * 500)

    await store.transact(fill)
    for number in range(1, 200, 2):
        await store.transact(lambda tx, number=number: _erase_one(tx, "n", str(number)))
    await store.erase()
    assert _found(tmp_path, SECRET) == []
    assert (await store.check()).problems == []
    assert {path.name for path in tmp_path.iterdir()} <= {"lock", "memslot.db", "memslot.db-wal", "memslot.db-shm"}
    await store.close()


async def test_vectors_and_summaries_are_wiped(tmp_path: Path) -> None:
    """What was sent with a body is in no file after an erase, whether the slot was forgotten or something else was sent."""
    store = SqliteStore(tmp_path)
    await store.start()
    for number in range(50):
        sent = Supplied(SECRET + b"." + b"%013d" % number * 100, f"S3CR3T-summary-{number}")
        await write(store, "n", str(number), b"kept", supplied=sent)
    for number in range(0, 50, 2):
        await write(store, "n", str(number), None, supplied=Supplied(b"\0" * 1_308, "another"))
    for number in range(1, 50, 2):
        await store.transact(lambda tx, number=number: _erase_one(tx, "n", str(number)))
    await store.erase()
    assert _found(tmp_path, SECRET) == []
    assert (await store.check()).problems == []
    await store.close()


async def test_what_is_derived_is_wiped_after_a_restart_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that was pending when the store stopped is served after the start, and not before what is derived was wiped."""
    monkeypatch.setattr("memslot_sidecar.stores.erasing.FIRST_RETRY_S", 0.01)
    store = SqliteStore(tmp_path)

    async def fail() -> None:
        raise RuntimeError("the index is broken")

    store.before_erase(fail)
    await store.start()
    await write(store, "n", "x", SECRET * 500)
    await store.transact(lambda tx: _erase_one(tx, "n", "x"))
    with pytest.raises(ErasePending, match="derived"):
        await store.erase()
    await store.close()
    store, passes = SqliteStore(tmp_path), 0

    async def wipe() -> None:
        nonlocal passes
        passes += 1
        assert store.erase_pending
        if passes < 3:
            await fail()

    store.before_erase(wipe)
    await store.start()
    while store.erase_pending:
        await asyncio.sleep(0.01)
    assert passes == 3
    assert _found(tmp_path, SECRET) == []
    await store.close()
