"""The audit trail in files, read by an OpenTelemetry collector."""

from __future__ import annotations

import json
import signal
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from tests.deploy.logs.collector import Collector, Gateway, Record
from tests.deploy.logs.proof import reconcile
from tests.deploy.logs.traffic import ODD_NAMES, VALIDATOR, Event, call_all_kinds, lines_of, load, once
from tests.system.process import Served, eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]

LOGS = Path(__file__).resolve().parents[3] / "deploy/logs"
ROTATIONS = 6
LISTEN = ("--listen", "127.0.0.1:0", "--slot-limit", 1000)


def fields(record: Record) -> Event:
    """The event that a record's attributes tell."""
    return {name: value for name, value in record.attributes.items() if name != "log.file.name"}


def files_in(folder: Path) -> list[Path]:
    """The files of a trail, oldest name first."""
    return sorted(folder.iterdir())


def test_a_series_of_files_is_collected_whole_and_once(
    tmp_path: Path, gateway: Gateway, file_collector: Collector
) -> None:
    """Under load, with file after file begun, each line arrives once; the attributes are the event, valid, with its types."""
    file_collector.start()
    with Served("--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit", *LISTEN) as served:
        served.ready()
        with load(served):
            call_all_kinds(served)
            for number in range(ROTATIONS):
                served.signal(signal.SIGHUP)
                eventually(lambda n=number: len(files_in(tmp_path / "audit")) > n + 1, "the next file is begun")
        assert served.stop() == 0
    files = files_in(tmp_path / "audit")
    assert reconcile(tmp_path / "data", *files) == ""
    lines = lines_of(files)
    gateway.wait_for(lines)
    records = gateway.records()
    assert sorted(record.body for record in records) == sorted(lines)
    for record in records:
        event = fields(record)
        VALIDATOR.validate(event)
        assert event == json.loads(record.body)
        assert record.resource == {"service.name": "memslot", "service.instance.id": event["instance_id"]}
        moment = datetime.fromisoformat(event["time"].replace("Z", "+00:00"))
        assert record.time_ns == round(moment.timestamp() * 1000) * 1_000_000
    names = {name for record in records for name in record.attributes["names"]}
    assert names >= set(ODD_NAMES)
    assert {(r.severity, r.severity_text) for r in records} >= {(9, "OK"), (13, "NOT_FOUND"), (13, "INVALID_ARGUMENT")}
    assert any("part" in record.attributes for record in records)
    assert once(map(fields, records)) == [json.loads(line) for line in lines]


def rename(trail: Path, number: int) -> Path:
    """Rotates as logrotate does: all rotated files move up by one."""
    for old in range(number, 0, -1):
        trail.with_name(f"{trail.name}.{old}").rename(trail.with_name(f"{trail.name}.{old + 1}"))
    return trail.rename(trail.with_name(f"{trail.name}.1"))


def test_a_file_that_is_rotated_by_renaming_is_collected_whole_and_once(
    tmp_path: Path, gateway: Gateway, file_collector: Collector
) -> None:
    """However fast the file is renamed under load, and all rotated files with it, each line arrives once."""
    trail = tmp_path / "audit/audit.jsonl"
    file_collector.start()
    with Served("--data-dir", tmp_path / "data", "--audit-file", trail, *LISTEN) as served:
        served.ready()
        with load(served):
            for number in range(3 * ROTATIONS):
                eventually(lambda: trail.exists() and trail.stat().st_size > 0, "the file has lines")
                rename(trail, number)
                served.signal(signal.SIGHUP)
        assert served.stop() == 0
    files = files_in(tmp_path / "audit")
    assert reconcile(tmp_path / "data", *files) == ""
    lines = lines_of(files)
    gateway.wait_for(lines)
    assert sorted(record.body for record in gateway.records()) == sorted(lines)


@pytest.mark.parametrize("where", ["audit/", "audit/audit.jsonl"], ids=["series", "renamed"])
def test_a_killed_collector_loses_nothing_and_repeats_what_the_event_id_tells(
    tmp_path: Path, gateway: Gateway, file_collector: Collector, where: str
) -> None:
    """Killed again and again while files are rotated, also while it is away, the collector sends each line at least once; without the
    repeats, which have the same event id and part, the events are those of the trail."""
    trail = tmp_path / where
    with Served("--data-dir", tmp_path / "data", "--audit-file", f"{tmp_path}/{where}", *LISTEN) as served:
        served.ready()
        with load(served):
            for _ in range(ROTATIONS):
                file_collector.start()
                received = len(gateway.records())
                eventually(lambda n=received: len(gateway.records()) > n, "it collects")
                file_collector.kill()
                for _ in range(2):
                    if trail.is_file():
                        rename(trail, len(files_in(trail.parent)) - 1)
                    before = len(files_in(tmp_path / "audit"))
                    served.signal(signal.SIGHUP)
                    eventually(lambda n=before: len(files_in(tmp_path / "audit")) > n, "the next file is begun")
        assert served.stop() == 0
    files = files_in(tmp_path / "audit")
    assert reconcile(tmp_path / "data", *files) == ""
    lines = lines_of(files)
    file_collector.start()
    gateway.wait_for(lines)
    records = gateway.records()
    assert once(map(fields, records)) == [json.loads(line) for line in lines]
    collected = tmp_path / "collected"
    collected.write_text("".join(f"{record.body}\n" for record in records))
    assert reconcile(tmp_path / "data", "--at-least-once", collected) == ""


def test_logrotate_and_the_collector_work_together(
    tmp_path: Path, gateway: Gateway, file_collector: Collector, logrotate: str
) -> None:
    """With the configuration for logrotate as it is here, run again and again under load and without a signal, each line arrives once."""
    trail, configuration = tmp_path / "audit/audit.jsonl", tmp_path / "logrotate.conf"
    text = (LOGS / "logrotate/memslot").read_text()
    configuration.write_text(text.replace("/var/log/memslot/", f"{trail.parent}/"))
    configuration.chmod(0o600)
    file_collector.start()
    with Served("--data-dir", tmp_path / "data", "--audit-file", trail, *LISTEN) as served:
        served.ready()
        with load(served):
            for _ in range(ROTATIONS):
                eventually(lambda: trail.exists() and trail.stat().st_size > 0, "the file has lines")
                subprocess.run([logrotate, "--force", "--state", tmp_path / "status", configuration], check=True)
        assert served.stop() == 0
    files = files_in(tmp_path / "audit")
    assert len(files) == ROTATIONS + trail.exists()
    assert reconcile(tmp_path / "data", *files) == ""
    lines = lines_of(files)
    gateway.wait_for(lines)
    assert sorted(record.body for record in gateway.records()) == sorted(lines)
