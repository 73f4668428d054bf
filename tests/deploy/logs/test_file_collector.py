"""The audit trail in files, read by an OpenTelemetry collector."""

from __future__ import annotations

import json
import signal
from datetime import datetime
from pathlib import Path

import pytest
from tests.deploy.logs.collector import Collector, Gateway, Record
from tests.deploy.logs.traffic import ODD_NAMES, VALIDATOR, Event, call_all_kinds, lines_of, load, once
from tests.faults.trail import reconcile
from tests.system.process import Served, eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]

ROTATIONS = 6
LISTEN = ("--listen", "127.0.0.1:0", "--slot-limit", 1000)


def fields(record: Record) -> Event:
    """The event that a record's attributes tell."""
    return {name: value for name, value in record.attributes.items() if name != "log.file.name"}


def all_there(gateway: Gateway, lines: list[str]) -> bool:
    """Whether each line arrived."""
    return {record.body for record in gateway.records()} >= set(lines)


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
    eventually(lambda: all_there(gateway, lines), "all lines arrive")
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
