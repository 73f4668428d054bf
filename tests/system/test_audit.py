"""The audit trail of a served sidecar: rotation, standard output, places that take nothing, and proof of wholeness."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.system.process import MEMSLOT, Served, eventually, health_of

from memslot.v1 import slot_service_pb2 as pb

LISTEN = ("--listen", "127.0.0.1:0")


def write(served: Served, *names: str) -> None:
    """Writes slots, a call each."""
    slots = served.slots()
    for name in names:
        slots.Write(pb.WriteRequest(namespace="acme/a", name=name, body=b"text"), timeout=30)


def events(text: str) -> list[dict[str, Any]]:
    """The audit events among lines."""
    return [event for event in map(json.loads, text.splitlines()) if event["log"] == "audit"]


def reconcile(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs `memslot audit reconcile`."""
    command = [str(MEMSLOT), "audit", "reconcile", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rotation_with_a_hangup_loses_nothing(tmp_path: Path) -> None:
    """Renaming the file and sending SIGHUP, again and again, leaves each revision in one of the files, and a running sidecar proves it."""
    path = tmp_path / "audit.jsonl"
    rotated = []
    with Served("--data-dir", tmp_path / "data", "--audit-file", path, *LISTEN) as served:
        served.ready()
        for turn in range(5):
            write(served, *(f"s{turn}-{number}" for number in range(10)))
            eventually(lambda: path.stat().st_size, "events are written")
            rotated.append(path.rename(tmp_path / f"audit.jsonl.{turn}"))
            served.signal(signal.SIGHUP)
            eventually(path.exists, "the new file is there")
        write(served, "last")
        done = reconcile("--target", served.addresses()[0], "--from-start", "--audit-file", path, *rotated)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "revisions 1 to 51" in done.stdout
        assert served.stop() == 0
    done = reconcile("--data-dir", tmp_path / "data", "--audit-file", path, *rotated[1:])
    assert done.returncode == 0, done.stdout
    rotated[2].unlink()
    done = reconcile("--data-dir", tmp_path / "data", "--from-start", "--audit-file", path, *rotated[:2], *rotated[3:])
    assert done.returncode == 1
    assert "MISSING revision" in done.stdout


def test_standard_output_holds_nothing_but_events(tmp_path: Path) -> None:
    """On standard output each line is an event; what people should read goes to standard error."""
    with Served("--data-dir", tmp_path, "--audit-file", "-", *LISTEN) as served:
        served.ready()
        write(served, "a", "b")
        assert served.stop() == 0
        told = events(served.stdout)
    assert [(event["operation"], event["names"]) for event in told] == [("Write", ["a"]), ("Write", ["b"])]


def test_a_killed_sidecar_tells_standard_output_again_under_the_same_ids(tmp_path: Path) -> None:
    """What standard output was told before a kill may be told again by the next process; nothing is missing, and no event has two ids."""
    told = ""
    for turn in range(3):
        with Served("--data-dir", tmp_path / "data", "--audit-file", "-", *LISTEN) as served:
            served.ready()
            write(served, *(f"s{turn}-{number}" for number in range(20)))
            served.signal(signal.SIGKILL)
            served.exit_code()
            told += served.stdout[: served.stdout.rfind("\n") + 1]
    with Served("--data-dir", tmp_path / "data", "--audit-file", "-", *LISTEN) as served:
        served.ready()
        assert served.stop() == 0
        told += served.stdout
    collected = tmp_path / "collected"
    collected.write_text(told)
    done = reconcile("--data-dir", tmp_path / "data", "--from-start", "--at-least-once", "--audit-file", collected)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("policy", ["block", "drop"])
def test_a_place_without_room_stops_calls_or_drops_events_as_it_was_set(tmp_path: Path, policy: str) -> None:
    """With a full disk under the audit trail, calls wait under block and go on under drop; health answers under both, and the process stops."""
    flags = ("--audit-file", "/dev/full", "--audit-overflow", policy, "--audit-queue-limit", 10)
    with Served("--data-dir", tmp_path, *LISTEN, *flags) as served:
        served.ready()
        slots, codes = served.slots(), []
        for _ in range(30):
            try:
                slots.Read(pb.ReadRequest(namespace="acme/a", name="none"), timeout=0.2)
            except grpc.RpcError as error:
                codes.append(error.code().name)
        assert health_of(served.channel()) == "SERVING"
        eventually(lambda: "cannot be written" in served.stderr, "the failure is logged")
        if policy == "drop":
            assert codes == ["NOT_FOUND"] * 30
            write(served, *(f"s{number}" for number in range(50)))
        else:
            assert codes[:10] == ["NOT_FOUND"] * 10
            assert codes[-1] == "DEADLINE_EXCEEDED"
        served.signal()
        served.exit_code()
    if policy == "drop":
        path = tmp_path / "elsewhere.jsonl"
        with Served("--data-dir", tmp_path, *LISTEN, "--audit-file", path) as served:
            served.ready()
            assert served.stop() == 0
        assert reconcile("--data-dir", tmp_path, "--from-start", "--audit-file", path).returncode == 0


def test_the_schema_is_printed_by_the_command() -> None:
    """`memslot audit schema` prints the schema that the package ships."""
    done = subprocess.run([MEMSLOT, "audit", "schema"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["title"] == "Audit event of memslot"
