"""A full disk under the index alone: the store goes on, searches say what they miss, and all is found once there is room."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, read, write
from tests.faults.small_disk import SmallDisk, small_disk
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2
from memslot.v1 import slot_service_pb2 as pb

FLAGS = ("--listen", "127.0.0.1:0", "--slot-limit", 100_000, "--body-limit-bytes", "64KiB", "--index-mode", "hybrid")
COUNT = 300


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A small disk."""
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


@pytest.fixture
def data(disk: SmallDisk, tmp_path: Path) -> Path:
    """A data directory whose index is on the small disk."""
    directory = tmp_path / "data"
    directory.mkdir()
    (directory / "index.db").symlink_to(disk.path / "index.db")
    return directory


def served_on(data: Path) -> Served:
    """A sidecar that makes vectors."""
    return Served("--data-dir", data, "--embedder", "hashing", *FLAGS)


def body(number: int) -> bytes:
    """A text with words of its own, and one that all have."""
    return " ".join(["zebra", *(f"w{number}x{index}" for index in range(600))]).encode()


def search(slots: Any, text: str, **fields: Any) -> Any:
    """A search by words."""
    request = pb.SearchRequest(namespace=NAMESPACE, text=text, mode=pb.SEARCH_MODE_FULLTEXT, limit=100, **fields)
    return attempt(slots.Search, request)


def write_all(slots: Any) -> None:
    """More than the disk of the index has room for; each write must go well."""
    for number in range(COUNT):
        slots.Write(write(f"n{number}", body(number)), timeout=PATIENCE_S)


def test_writes_go_on_and_searches_say_what_they_miss(disk: SmallDisk, data: Path) -> None:
    """The store takes all, a search finds what was indexed and says why the rest is missing, forgetting counts at once, and with space again
    everything is found by itself: by words, and by vectors."""
    with served_on(data) as served:
        slots = served.ready().slots()
        slots.Write(write("first", b"zebra first"))
        slots.Write(write("second", b"zebra second"))
        assert {hit.name for hit in search(slots, "zebra").hits} == {"first", "second"}
        disk.fill()
        write_all(slots)
        eventually(lambda: search(slots, "first").degraded, "it says so")
        reply = search(slots, "first")
        assert [hit.name for hit in reply.hits] == ["first"]
        assert "disk" in reply.degraded[0]
        assert str(data) not in reply.degraded[0]
        slots.Forget(pb.ForgetRequest(namespace=NAMESPACE, name="second"), timeout=PATIENCE_S)
        assert search(slots, "second").hits == []
        stats = served.admin().Stats(admin_service_pb2.StatsRequest(namespace=NAMESPACE), timeout=PATIENCE_S)
        assert "disk" in stats.indexes[0].problem
        disk.empty()
        _all_found(slots)
        vectors = pb.SearchRequest(
            namespace=NAMESPACE, text=body(7).decode()[:1000], mode=pb.SEARCH_MODE_VECTOR, min_revision=COUNT
        )
        assert slots.Search(vectors, timeout=PATIENCE_S).hits[0].name == "n7"
        assert served.stop() == 0
        assert "error_id" not in served.stderr


def _all_found(slots: Any) -> None:
    eventually(lambda: search(slots, f"w{COUNT - 1}x1").hits and not search(slots, "zebra").degraded, "it recovers")
    for number in range(0, COUNT, 7):
        assert [hit.name for hit in search(slots, f"w{number}x1").hits] == [f"n{number}"]


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False], ids=["index", "no index"])
def test_a_kill_and_a_start_on_a_full_disk(disk: SmallDisk, data: Path, there: bool) -> None:
    """kill -9 while the disk is full, and a start on it: reads and writes go on, and with space again all is found."""
    with served_on(data) as served:
        slots = served.ready().slots()
        slots.Write(write("first", b"zebra first"))
        search(slots, "zebra")
        disk.fill()
        write_all(slots)
        served.signal(signal.SIGKILL)
        served.exit_code()
    if not there:
        for path in disk.path.glob("index.db*"):
            path.unlink()
        disk.fill()
    with served_on(data) as served:
        slots = served.ready().slots()
        assert slots.Read(read("n1")).slot.body == body(1)
        slots.Write(write("last", b"zebra last"), timeout=PATIENCE_S)
        refused = search(slots, "last")
        assert refused.reason == "INDEX_UNAVAILABLE" if isinstance(refused, Failure) else refused.degraded
        disk.empty()
        eventually(lambda: not isinstance(search(slots, "last"), Failure), "it is open")
        _all_found(slots)
        assert [hit.name for hit in search(slots, "last").hits] == ["last"]
        assert served.stop() == 0


def test_erasing_waits_for_room(disk: SmallDisk, data: Path) -> None:
    """What cannot be wiped from the index on a full disk is ERASE_PENDING, and is wiped once there is room."""
    with served_on(data) as served:
        slots, admin = served.ready().slots(), served.admin()
        slots.Write(write("secret", b"zebra canary7secret"))
        for number in range(50):
            slots.Write(write(f"n{number}", body(number)), timeout=PATIENCE_S)
        search(slots, "zebra")
        disk.fill()
        erased = attempt(slots.Forget, pb.ForgetRequest(namespace=NAMESPACE, name="secret", erase=True))
        # The index's log may have room for it.
        assert not isinstance(erased, Failure) or erased.reason == "ERASE_PENDING"
        assert search(slots, "canary7secret").hits == []
        disk.empty()
        stats = admin_service_pb2.StatsRequest()
        eventually(lambda: not admin.Stats(stats, timeout=PATIENCE_S).erase_pending, "it is wiped")
        for path in [*disk.path.iterdir(), *data.iterdir()]:
            if path.is_file():
                assert b"canary7secret" not in path.read_bytes()
