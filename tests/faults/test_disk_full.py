"""A full disk: under the store, under the audit trail, and under both."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, failure_of, read, write
from tests.faults.small_disk import SmallDisk, small_disk
from tests.faults.trail import operations_told, read_trail, reconcile, revisions_told
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

BODY = b"0123456789abcdef" * 500
QUEUE = 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A small disk."""
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


def served_on(data: Path, trail: Path, policy: str = "block") -> Served:
    """A sidecar with its store and its audit trail in these places."""
    flags = ("--slot-limit", 100_000, "--body-limit-bytes", "64KiB", "--audit-overflow", policy)
    places = ("--data-dir", data, "--audit-file", trail, "--audit-queue-limit", QUEUE)
    return Served("--listen", "127.0.0.1:0", *places, *flags)


def write_until_refused(slots: SlotServiceStub) -> tuple[dict[str, int], Failure]:
    """Writes until a write fails; returns the revisions of those that were acknowledged, and the failure."""
    written: dict[str, int] = {}
    for number in itertools.count():
        reply = attempt(slots.Write, write(f"slot {number}", BODY))
        if isinstance(reply, Failure):
            return written, reply
        written[f"slot {number}"] = reply.receipt.revision
    raise AssertionError


def test_store_on_a_full_disk_refuses_clearly_and_reads_on(disk: SmallDisk, tmp_path: Path) -> None:
    """On a full disk mutations fail with an error that says so, reads and lookups go on, and what was acknowledged stays; kill -9 there
    loses nothing, a restart there serves reads, and with space again everything works."""
    data, trail = disk.path / "data", tmp_path / "audit.jsonl"
    with served_on(data, trail) as served:
        slots = served.ready().slots()
        slots.Write(write("first", b"first"))
        disk.fill()
        written, refused = write_until_refused(slots)
        assert (refused.code, refused.reason) == ("RESOURCE_EXHAUSTED", "STORE_FULL")
        assert "disk" in refused.text
        assert "retry" in refused.text.lower()
        assert str(disk.path) not in refused.text
        assert slots.Read(read("first")).slot.body == b"first"
        assert slots.Lookup(pb.LookupRequest(namespace=NAMESPACE, total=True)).total == len(written) + 1
        served.signal(signal.SIGKILL)
        served.exit_code()
    with served_on(data, trail) as served:
        slots = served.ready().slots()
        assert slots.Read(read("first")).slot.body == b"first"
        disk.empty()
        slots.Write(write("last", b"last"), timeout=PATIENCE_S)
        for name in written:
            assert slots.Read(read(name)).slot.body == BODY
        assert list(served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []
        assert served.stop() == 0
    assert reconcile(data, trail) == ""
    assert set(written.values()) < set(revisions_told(read_trail(trail)))


def test_store_comes_back_by_itself_when_space_is_freed(disk: SmallDisk, tmp_path: Path) -> None:
    """The running sidecar takes writes again as soon as there is space, and the refused ones left nothing behind."""
    with served_on(disk.path / "data", tmp_path / "audit.jsonl") as served:
        slots = served.ready().slots()
        disk.fill()
        for _ in range(2):
            written, refused = write_until_refused(slots)
            assert refused.reason == "STORE_FULL"
        missing = f"slot {len(written)}"
        assert failure_of(slots.Read, read(missing)).reason == "SLOT_NOT_FOUND"
        disk.empty()
        assert slots.Write(write(missing), timeout=PATIENCE_S).receipt.version == 1
        assert list(served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []


def test_full_disk_under_the_audit_holds_up_calls(disk: SmallDisk, tmp_path: Path) -> None:
    """With the policy `block`, calls wait once the queue is full, health goes on, and when space is freed every event of every call is
    there, none twice."""
    trail = disk.path / "audit.jsonl"
    with served_on(tmp_path / "data", trail) as served:
        slots = served.ready().slots()
        disk.fill()
        answers = [attempt(slots.Write, write("a", b"0"), 1)]
        while not isinstance(answers[-1], Failure):
            answers.append(attempt(slots.Write, write("a", b"%d" % len(answers)), 1))
        answered = len(answers) - 1
        assert answers[-1].code == "DEADLINE_EXCEEDED"
        assert answered >= QUEUE
        eventually(lambda: "cannot be written" in served.stderr, "the log tells of it")
        disk.empty()
        assert slots.Read(read("a"), timeout=PATIENCE_S).slot.body == b"%d" % (answered - 1)
        assert served.stop() == 0
    events = read_trail(trail)
    assert sorted(operations_told(events)) == sorted(
        [("Write", "OK")] * answered + [("Write", "DEADLINE_EXCEEDED"), ("Read", "OK")]
    )
    assert revisions_told(events) == list(range(1, answered + 1))
    assert reconcile(tmp_path / "data", trail) == ""


def test_full_disk_under_the_audit_drops_and_counts(disk: SmallDisk, tmp_path: Path) -> None:
    """With the policy `drop`, calls go on, the dropped events are counted in Stats and in the trail, and no mutation's is among them."""
    trail = disk.path / "audit.jsonl"
    with served_on(tmp_path / "data", trail, "drop") as served:
        slots = served.ready().slots()
        disk.fill()
        for number in range(10 * QUEUE):
            slots.Write(write("a", b"%d" % number), timeout=PATIENCE_S)
            slots.Read(read("a"), timeout=PATIENCE_S)
        dropped = served.admin().Stats(admin_service_pb2.StatsRequest()).audit_dropped
        assert dropped > 0
        disk.empty()
        assert served.stop() == 0
    events = read_trail(trail)
    assert revisions_told(events) == list(range(1, 10 * QUEUE + 1))
    told = operations_told(events)
    assert sum(event["count"] for event in events if event["operation"] == "AuditOverflow") >= dropped
    assert told.count(("Read", "OK")) + dropped >= 10 * QUEUE
    assert reconcile(tmp_path / "data", trail) == ""


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["block", "drop"])
def test_full_disk_under_both_and_a_kill(disk: SmallDisk, policy: str) -> None:
    """Store and audit trail on one full disk, and kill -9 there: with space again every acknowledged change is there and has its event."""
    data, trail = disk.path / "data", disk.path / "audit.jsonl"
    with served_on(data, trail, policy) as served:
        slots = served.ready().slots()
        slots.Write(write("first"))
        disk.fill()
        written: dict[str, int] = {}
        for number in range(2 * QUEUE):
            reply = attempt(slots.Write, write(f"{number}", b"x"), 0.2)
            if isinstance(reply, Failure):
                assert reply.code in ("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED")
            else:
                written[f"{number}"] = reply.receipt.revision
        served.signal(signal.SIGKILL)
        served.exit_code()
    disk.empty()
    with served_on(data, trail) as served:
        slots = served.ready().slots()
        for name in written:
            assert slots.Read(read(name)).slot.body == b"x"
        assert served.stop() == 0
    assert set(written.values()) <= set(revisions_told(read_trail(trail)))
    assert reconcile(data, trail) == ""
