"""Many writers at once, in one process and in several."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from tests.faults.asking import append, failure, read, write
from tests.faults.trail import read_trail, revisions_told
from tests.system.process import PATIENCE_S, Served

from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

THREADS = 20
PROCESSES = 3
WRITES = 50
CLIENT = Path(__file__).with_name("writing_client.py")


def served_in(directory: Path) -> Served:
    """A sidecar whose namespaces hold many slots."""
    return Served("--data-dir", directory, "--listen", "127.0.0.1:0", "--slot-limit", 10_000)


def test_writers_in_threads_and_processes_lose_nothing(tmp_path: Path) -> None:
    """Twenty threads and three processes write into two namespaces at once: every acknowledged slot is there with its body, no call
    fails, and each write has a revision and an event of its own."""
    with served_in(tmp_path) as served:
        address = served.ready().addresses()[0]

        def one_thread(number: int) -> list[int]:
            slots = served.slots()
            names = [f"{number}-{count}" for count in range(WRITES)]
            return [slots.Write(write(name, name.encode()), timeout=PATIENCE_S).receipt.revision for name in names]

        def one_process(number: int) -> list[str]:
            command = [sys.executable, CLIENT, address, f"acme/{number % 2}", WRITES]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
            return done.stdout.splitlines()

        with ThreadPoolExecutor(THREADS + PROCESSES) as pool:
            processes = [pool.submit(one_process, number) for number in range(PROCESSES)]
            revisions = [revision for acknowledged in pool.map(one_thread, range(THREADS)) for revision in acknowledged]
            written = [name for process in processes for name in process.result()]

        assert len(set(revisions)) == THREADS * WRITES
        expected = [f"{number}-{count}" for number in range(THREADS) for count in range(WRITES)]
        assert bodies(served.slots(), "acme/task", expected) == expected
        assert len(written) == PROCESSES * WRITES
        for namespace in ("acme/0", "acme/1"):
            names = sorted({name for name in written if name.startswith(f"of {namespace}:")})
            assert bodies(served.slots(), namespace, names) == names
        assert served.stop() == 0
    told = revisions_told(read_trail(tmp_path / "audit.jsonl"))
    assert set(revisions) <= set(told) == set(range(1, max(told) + 1))


def test_appenders_lose_nothing(tmp_path: Path) -> None:
    """Twenty appenders to one slot: the bytes of each are there exactly once, in the order in which they were sent."""
    with served_in(tmp_path) as served:
        served.ready()

        def one_appender(number: int) -> None:
            slots = served.slots()
            for count in range(5):
                slots.Write(append("log", f"<{number}:{count}>".encode()), timeout=PATIENCE_S)

        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(one_appender, range(THREADS)))
        slot = served.slots().Read(read("log")).slot
    entries = slot.body.decode().removeprefix("<").removesuffix(">").split("><")
    assert slot.info.version == len(entries)
    for number in range(THREADS):
        of_one = [entry for entry in entries if entry.startswith(f"{number}:")]
        assert of_one == [f"{number}:{count}" for count in range(5)]


def test_one_of_many_wins_a_compare_and_set(tmp_path: Path) -> None:
    """Twenty editors of one version of a slot: exactly one succeeds, the others learn the revision that won; none vanishes silently."""
    with served_in(tmp_path) as served:
        first = served.ready().slots().Write(write("plan")).receipt.revision

        def edit(number: int) -> str:
            request = write("plan", f"edit {number}".encode())
            request.precondition.if_revision = first
            try:
                served.slots().Write(request, timeout=PATIENCE_S)
            except grpc.RpcError as error:
                return failure(error).reason
            return f"edit {number}"

        with ThreadPoolExecutor(THREADS) as pool:
            results = list(pool.map(edit, range(THREADS)))
        (winner,) = set(results) - {"REVISION_MISMATCH"}
        assert results.count("REVISION_MISMATCH") == THREADS - 1
        slot = served.slots().Read(read("plan")).slot
        assert (slot.body.decode(), slot.info.version) == (winner, 2)


def test_one_of_many_creates(tmp_path: Path) -> None:
    """Twenty callers ask to create one slot: exactly one does, also when they come with one request id, whose answer all then get."""
    with served_in(tmp_path) as served:
        served.ready()

        def create(request_id: str) -> str:
            request = write("lock", b"owner", request_id=request_id)
            request.precondition.if_absent = True
            try:
                return str(served.slots().Write(request, timeout=PATIENCE_S).receipt.revision)
            except grpc.RpcError as error:
                return failure(error).reason

        with ThreadPoolExecutor(THREADS) as pool:
            same = set(pool.map(create, ["6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"] * THREADS))
            served.slots().Forget(pb.ForgetRequest(namespace="acme/task", name="lock"))
            own = list(pool.map(create, [""] * THREADS))
    assert same == {"1"}
    assert sorted(set(own)) == ["3", "SLOT_EXISTS"]
    assert own.count("3") == 1


def bodies(slots: SlotServiceStub, namespace: str, names: list[str]) -> list[str]:
    """The bodies of slots."""
    reply = slots.BatchRead(pb.BatchReadRequest(namespace=namespace, names=names), timeout=PATIENCE_S)
    return [result.slot.body.decode() for result in reply.results]
