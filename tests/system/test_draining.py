"""The end of a served sidecar under load."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from tests.system.process import PATIENCE_S, Served, eventually, health_of

from memslot.v1 import admin_service_pb2, namespace_service_pb2, slot_service_pb2

WRITERS = 16


def write(name: str, body: bytes = b"body") -> slot_service_pb2.WriteRequest:
    """A write of one slot."""
    return slot_service_pb2.WriteRequest(namespace="acme/task", name=name, body=body)


class Writer:
    """Writes slots of its own until the server refuses, and remembers what was acknowledged."""

    def __init__(self, served: Served, number: int) -> None:
        self._slots = served.slots()
        self._number = number
        self.acknowledged: list[int] = []
        self.refusal: str | None = None

    def run(self) -> None:
        """Writes until the end."""
        try:
            while True:
                name = f"{self._number}-{len(self.acknowledged)}"
                reply = self._slots.Write(write(name), timeout=PATIENCE_S)
                self.acknowledged.append(reply.receipt.revision)
        except grpc.RpcError as error:
            self.refusal = error.code().name


def test_shutdown_under_load_fails_no_accepted_call(tmp_path: Path) -> None:
    """Sixteen writers meet SIGTERM: each call that was begun is answered, the others are refused as UNAVAILABLE, and the process
    ends with 0, every event written."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--slot-limit", 1_000_000) as served:
        writers = [Writer(served.ready(), number) for number in range(WRITERS)]
        with ThreadPoolExecutor(WRITERS) as pool:
            for writer in writers:
                pool.submit(writer.run)
            eventually(lambda: all(len(writer.acknowledged) >= 20 for writer in writers), "all write")
            assert served.stop() == 0, served.stderr
    assert {writer.refusal for writer in writers} == {"UNAVAILABLE"}
    acknowledged = sorted(revision for writer in writers for revision in writer.acknowledged)
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert {event["code"] for event in events} <= {"OK", "UNAVAILABLE"}
    done = sorted(event["revision"] for event in events if event["code"] == "OK")
    assert done == acknowledged == list(range(1, len(acknowledged) + 1))


class SlowBackup:
    """A Backup stream whose reader takes one chunk and then lets the server wait."""

    def __init__(self, served: Served) -> None:
        self._replies = served.admin().Backup(admin_service_pb2.BackupRequest(), timeout=PATIENCE_S)
        self.first = next(self._replies)

    def rest(self) -> int:
        """Reads to the end; returns the bytes of the whole."""
        return len(self.first.chunk) + sum(len(reply.chunk) for reply in self._replies)


@contextmanager
def busy(directory: Path, grace: str) -> Iterator[tuple[Served, SlowBackup]]:
    """A server with a call under way that takes as long as its reader wants."""
    flags = ("--body-limit-bytes", "3MB", "--health-listen", "127.0.0.1:0", "--drain-grace", grace)
    with Served("--data-dir", directory, "--listen", "127.0.0.1:0", *flags) as served:
        slots = served.ready().slots()
        for number in range(8):
            slots.Write(write(f"slot {number}", b"%d" % number * 3_000_000))
        yield served, SlowBackup(served)


def test_call_under_way_finishes_while_new_ones_are_refused(tmp_path: Path) -> None:
    """During the drain probes see NOT_SERVING, new calls are UNAVAILABLE, and the call under way gets its whole answer."""
    with busy(tmp_path, "60s") as (served, backup):
        probe = served.channel(served.addresses("health on")[0])
        slots = served.slots()
        assert health_of(probe) == "SERVING"
        served.signal()
        eventually(lambda: health_of(probe) == "NOT_SERVING", "probes see the drain")
        eventually(lambda: "draining" in served.stderr, "the drain is told")
        with pytest.raises(grpc.RpcError) as caught:
            slots.Write(write("late"), timeout=PATIENCE_S)
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
        assert backup.rest() == backup.first.total_bytes
        assert served.exit_code() == 0, served.stderr


def test_second_signal_ends_at_once(tmp_path: Path) -> None:
    """A second SIGTERM does not wait for calls; the store is closed in order all the same."""
    with busy(tmp_path, "600s") as (served, backup):
        served.signal()
        eventually(lambda: "draining" in served.stderr, "the drain is told")
        served.signal()
        assert served.exit_code() == 0, served.stderr
        assert served.stderr.endswith("stopped\n")
        with pytest.raises(grpc.RpcError):
            backup.rest()


def test_grace_is_a_bound(tmp_path: Path) -> None:
    """A call that does not end within the grace is cut off, and its event says so."""
    with busy(tmp_path, "100ms") as (served, backup):
        assert served.stop() == 0, served.stderr
        with pytest.raises(grpc.RpcError):
            backup.rest()
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [(event["operation"], event["code"]) for event in events][-1] == ("Backup", "CANCELLED")


def test_background_work_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """A server with the shortest intervals sweeps, and stops as readily."""
    flags = ("--sweep-interval", "50ms", "--ttl-default", "10ms")
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", *flags) as served:
        slots, admin, namespaces = served.ready().slots(), served.admin(), served.namespaces()
        slots.Write(write("short"))
        stats = admin_service_pb2.StatsRequest()
        eventually(lambda: admin.Stats(stats).expired == 1, "it was swept")
        listed = namespaces.ListNamespaces(namespace_service_pb2.ListNamespacesRequest())
        assert list(listed.namespaces) == []
        assert served.stop() == 0, served.stderr
    assert threading.active_count() < 20
