"""The index's files lost, damaged, exchanged or of another time: searches go on or say why not, and all is found again by itself."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors

FILES = ("index.db", "index.db-wal", "index.db-shm")
HNSW = {"index_mode": "hybrid", "embedder": "none", "vector_index": "hnsw"}


def damage(path: Path) -> None:
    """Overwrites all but the header, which still says that it is an index."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(200)
        file.write(random.Random(1).randbytes(size - 200))


def lose(directory: Path) -> None:
    """Deletes the file, its log and what is shared of it."""
    for name in FILES:
        (directory / name).unlink(missing_ok=True)


async def settled(m: Memory) -> None:
    """Writes all that is in the log into the file."""
    await m.sidecar.finder.index.write(
        lambda index: index._connections.writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    )


async def until_found(m: Memory, text: str, names: set[str]) -> None:
    """Searches until just these are found; what fails before must say that the index is to blame, and tell no path."""
    for _ in range(600):
        try:
            reply = await m.search(text, limit=100, mode=pb.SEARCH_MODE_FULLTEXT)
        except errors.IndexUnavailable as error:
            if ".py" in str(error) or "/" in str(error):
                raise
        else:
            if {hit.name for hit in reply.hits} == names and not reply.degraded:
                return
        await asyncio.sleep(0.05)
    raise AssertionError(reply)


async def test_a_file_damaged_between_two_runs_is_made_anew(tmp_path: Path) -> None:
    """Only the header is whole: the start puts the file away, and all is found."""
    async with memory(tmp_path) as m:
        for index in range(50):
            await m.write(f"n{index}", "zebra")
    damage(tmp_path / "index.db")
    async with memory(tmp_path) as m:
        await until_found(m, "zebra", {f"n{index}" for index in range(50)})


@pytest.mark.parametrize(
    "what", [damage, Path.unlink, lambda path: lose(path.parent)], ids=["damaged", "deleted", "lost"]
)
async def test_a_file_damaged_or_deleted_while_it_is_open_is_made_anew(
    tmp_path: Path, what: Callable[[Path], None]
) -> None:
    """Writes and reads of the store go on, the index is made anew by itself, and a restart finds it sound."""
    async with memory(tmp_path, index_mode="hybrid", embedder="hashing") as m:
        for index in range(300):
            await m.write(f"n{index}", f"zebra {index} " + "word " * 50)
        await m.found("zebra")
        await settled(m)
        await m.forget("n1")
        what(tmp_path / "index.db")
        await m.sidecar.finder.note()
        await m.write("heron", "a heron")
        assert (await m.call("Read", pb.ReadRequest(namespace="acme/notes", name="heron"))).slot.body == b"a heron"
        assert (await m.stats()).slots == 300
        await until_found(m, "heron", {"heron"})
        reply = await m.search("zebra", limit=100, mode=pb.SEARCH_MODE_FULLTEXT)
        assert len(reply.hits) == 100
        assert "n1" not in {hit.name for hit in reply.hits}
    async with memory(tmp_path, index_mode="hybrid", embedder="hashing") as m:
        await until_found(m, "heron", {"heron"})
        assert await m.sidecar.finder.index.read(lambda index: index.check()) == []
        assert (await m.stats()).index_documents == 300


@pytest.mark.parametrize(
    "what", [damage, Path.unlink, lambda path: spoil(path, "words_1_data")], ids=["damaged", "deleted", "words"]
)
async def test_a_check_tells_of_a_damaged_index_and_has_it_made_anew(
    tmp_path: Path, what: Callable[[Path], object]
) -> None:
    """CheckIntegrity has a line for it, also where no search has met the damage yet; some time later all is well, for searches too."""
    async with memory(tmp_path) as m:
        for index in range(100):
            await m.write(f"n{index}", f"zebra {index} " + "word " * 50)
        await m.found("zebra")
        check = admin.CheckIntegrityRequest()
        assert list((await m.call("AdminService/CheckIntegrity", check)).problems) == []
        await settled(m)
        what(tmp_path / "index.db")
        report = await m.call("AdminService/CheckIntegrity", check)
        assert report.problems
        assert [line for line in report.problems if not line.startswith("index: ") or str(tmp_path) in line] == []
        assert report.slots_checked == 100
        for _ in range(600):
            if not (await m.call("AdminService/CheckIntegrity", check)).problems:
                break
            await asyncio.sleep(0.05)
        await until_found(m, "zebra 7", {f"n{index}" for index in range(100)})
        assert list((await m.call("AdminService/CheckIntegrity", check)).problems) == []


def spoil(path: Path, table: str) -> None:
    """Makes one of the rows of a table another one, as an error of the disk would."""
    connection = apsw.Connection(str(path))
    row = connection.execute(f'SELECT id, block FROM "{table}" ORDER BY id DESC LIMIT 1').fetchone()
    connection.close()
    content = path.read_bytes()
    assert content.count(row[1][:200]) == 1
    path.write_bytes(content.replace(row[1][:200], bytes(200)))


@pytest.mark.parametrize("block", ["directory", "read-only", "dangling"])
async def test_an_index_that_cannot_be_opened_is_refused_clearly_and_tried_again(
    tmp_path: Path, block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sidecar starts, everything but search works, Stats and searches say what is wrong, and it ends by itself."""
    async with memory(tmp_path) as m:
        await m.write("a", "zebra")
    lose(tmp_path)
    path = tmp_path / "index.db"
    if block == "directory":
        (path / "in it").mkdir(parents=True)
    elif block == "dangling":
        path.symlink_to(tmp_path / "nowhere" / "index.db")
    else:
        monkeypatch.setattr("memslot_index.index.Index.opened", _read_only)
    async with memory(tmp_path) as m:
        await m.write("b", "zebra")
        with pytest.raises(errors.IndexUnavailable) as caught:
            await m.search("zebra")
        assert str(tmp_path) not in str(caught.value)
        assert (await m.stats("acme/notes")).slots == 2
        await m.forget("a")
        if block == "directory":
            shutil.rmtree(path)
        elif block == "dangling":
            path.unlink()
        monkeypatch.undo()
        await until_found(m, "zebra", {"b"})


def _read_only(*_: object) -> None:
    raise apsw.ReadOnlyError("attempt to write a readonly database")


async def test_an_index_of_a_newer_version_or_another_store_is_made_anew(tmp_path: Path) -> None:
    """Neither is believed."""
    async with memory(tmp_path / "a") as m:
        await m.write("a", "zebra")
    async with memory(tmp_path / "b") as m:
        for index in range(3):
            await m.write(f"b{index}", "zebra")
    for name in ("index.db", "index.db-wal"):
        if (tmp_path / "a" / name).exists():
            shutil.copy(tmp_path / "a" / name, tmp_path / "b" / name)
    async with memory(tmp_path / "b") as m:
        assert set(await m.found("zebra")) == {"b0", "b1", "b2"}
    connection = apsw.Connection(str(tmp_path / "b" / "index.db"))
    connection.pragma("user_version", 99)
    connection.close()
    async with memory(tmp_path / "b") as m:
        assert set(await m.found("zebra")) == {"b0", "b1", "b2"}


def vector(number: int) -> list[float]:
    """One of many directions that lie far apart."""
    chance = random.Random(number)
    return [chance.gauss(0, 1) for _ in range(12)]


async def nearest(m: Memory, number: int) -> str:
    """The nearest to a direction, by the graph."""
    await m.found(vector=vector(number))
    while m.sidecar.finder.index.index.vectors._jobs:
        await asyncio.sleep(0.01)
    return (await m.found(vector=vector(number), limit=1))[0]


async def test_a_graph_of_another_index_is_not_believed(tmp_path: Path) -> None:
    """index.db is lost and made anew, and numbers its documents in another order; the graph in the file beside it is of the old ones."""
    async with memory(tmp_path, **HNSW) as m:
        for number in range(40):
            await m.write(f"n{number}", "x", vector=vector(number))
        assert await nearest(m, 7) == "n7"
    assert list(tmp_path.glob("vectors-*"))
    lose(tmp_path)
    async with memory(tmp_path, **HNSW) as m:
        for number in range(40):
            await m.write(f"n{39 - number}", "x", vector=vector(number))
        for number in range(40):
            assert await nearest(m, number) == f"n{39 - number}"


async def test_a_graph_of_a_later_state_is_not_believed(tmp_path: Path) -> None:
    """An older copy of index.db is put back: what came after it gets its numbers in another order, and the graph is of the former."""
    async with memory(tmp_path, **HNSW) as m:
        await m.write("first", "x", vector=vector(1000))
        assert await nearest(m, 1000) == "first"
    kept = shutil.copytree(tmp_path, tmp_path.with_name("kept"))
    async with memory(tmp_path, **HNSW) as m:
        for number in range(40):
            await m.write(f"n{number}", "x", vector=vector(number))
        assert await nearest(m, 7) == "n7"
        for number in range(0, 40, 2):
            await m.forget(f"n{number}")
        assert await nearest(m, 7) == "n7"
    lose(tmp_path)
    shutil.copy(kept / "index.db", tmp_path / "index.db")
    async with memory(tmp_path, **HNSW) as m:
        for number in range(1, 40, 2):
            assert await nearest(m, number) == f"n{number}"
        for number in range(50, 60):
            await m.write(f"n{number}", "x", vector=vector(number))
            assert await nearest(m, number) == f"n{number}"


async def test_a_graph_knows_what_is_written_after_the_newest_were_forgotten(tmp_path: Path) -> None:
    """The last vectors are forgotten, then a restart, then others come: the graph hears of them."""
    async with memory(tmp_path, **HNSW) as m:
        for number in range(20):
            await m.write(f"n{number}", "x", vector=vector(number))
        assert await nearest(m, 19) == "n19"
        for number in range(10, 20):
            await m.forget(f"n{number}")
        assert await nearest(m, 1) == "n1"
    async with memory(tmp_path, **HNSW) as m:
        assert await nearest(m, 1) == "n1"
        for number in range(30, 35):
            await m.write(f"n{number}", "x", vector=vector(number))
            assert await nearest(m, number) == f"n{number}"


async def test_namespaces_that_come_and_go_leave_nothing(tmp_path: Path) -> None:
    """A namespace whose last slot goes takes its index along, from memory and from the disk."""
    async with memory(tmp_path, **HNSW) as m:
        for number in range(20):
            await m.write("a", "x", namespace=f"acme/{number}", vector=vector(number))
            await m.found(namespace=f"acme/{number}", vector=vector(number))
            await m.forget("a", namespace=f"acme/{number}")
        await m.search("x")
        index = m.sidecar.finder.index.index
        assert index.spaces() == []
        assert not index.vectors._loaded
    assert list(tmp_path.glob("vectors-*")) == []
