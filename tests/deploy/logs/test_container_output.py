"""The output of a container in the log format of Kubernetes, read by an OpenTelemetry collector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.deploy.logs.collector import Collector, Gateway, Record
from tests.deploy.logs.pod import Pod
from tests.deploy.logs.traffic import ODD_NAMES, VALIDATOR, Event, call_all_kinds, load, once
from tests.system.process import eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]

ROTATIONS = 4
OF_COLLECTOR = ("log.file.name", "log.file.path", "log.iostream")


def fields(record: Record) -> Event:
    """What the line told, without what the collector knows of its place."""
    return {name: value for name, value in record.attributes.items() if name not in OF_COLLECTOR}


def test_audit_events_and_the_servers_log_go_their_ways(
    tmp_path: Path, podman: str, gateway: Gateway, server_gateway: Gateway, pod_collector: Collector
) -> None:
    """Of a container under load whose log is rotated, each audit event arrives once, valid and with its types, where audit events go, with
    the names of the pod; and each line of the server's log where that goes."""
    pod_collector.start()
    with Pod(podman, tmp_path, "--slot-limit", 1000) as pod:
        with load(pod):
            call_all_kinds(pod)
            for number in range(ROTATIONS):
                received = len(gateway.records())
                eventually(lambda n=received: len(gateway.records()) > n, "it collects")
                pod.rotate(number)
        pod.stop()
        audit, server = pod.output("stdout"), pod.output("stderr")
        gateway.wait_for(audit)
        server_gateway.wait_for(server)
        logs = pod.logs
    records = gateway.records()
    assert sorted(record.body for record in records) == sorted(audit)
    for record in records:
        VALIDATOR.validate(fields(record))
        assert fields(record) == json.loads(record.body)
        assert record.resource["k8s.pod.name"] == "agent-0"
        assert record.resource["k8s.container.name"] == logs.name
        assert record.resource["service.instance.id"] == record.attributes["instance_id"]
    assert {name for record in records for name in record.attributes["names"]} >= set(ODD_NAMES)
    assert any("part" in record.attributes for record in records)
    assert [event["sequence"] for event in once(map(fields, records))] == list(range(1, len(records) + 1))
    assert sorted(record.body for record in server_gateway.records()) == sorted(server)


def test_a_line_that_the_runtime_cut_is_whole_again(
    tmp_path: Path, gateway: Gateway, server_gateway: Gateway, pod_collector: Collector
) -> None:
    """Parts of a long line are put together though lines of the other stream stand between them; only the field `log` decides what is audit,
    and what has none is not lost."""
    logs = tmp_path / "pods/default_agent-0_1234/memslot"
    logs.mkdir(parents=True)
    event = json.dumps({"log": "audit", "event_id": "e1", "names": ["x" * 9000], "time": "2026-11-30T15:20:00.125Z"})
    told = {"log": "server", "event": "hi", "level": "warning", "time": "2026-11-30T15:20:00.694683Z"}
    at = "2026-11-30T15:20:00.123456789+00:00"
    (logs / "0.log").write_text(
        f"{at} stdout P {event[:8192]}\n{at} stderr P {json.dumps(told)[:9]}\n{at} stdout F {event[8192:]}\n"
        f"{at} stderr F {json.dumps(told)[9:]}\n{at} stderr F memslot 0.1.0 is serving\n{at} stdout F no JSON\n"
    )
    pod_collector.start()
    eventually(lambda: len(gateway.records()) == 2 and len(server_gateway.records()) == 2, "all lines arrive")
    whole, torn = sorted(gateway.records(), key=lambda record: len(record.body), reverse=True)
    assert fields(whole) == json.loads(event)
    assert (whole.body, torn.body, fields(torn)) == (event, "no JSON", {})
    logged, text = sorted(server_gateway.records(), key=lambda record: not record.attributes.get("log"))
    assert (logged.body, fields(logged), logged.severity) == (json.dumps(told), told, 13)
    assert (text.body, fields(text)) == ("memslot 0.1.0 is serving", {})


def test_a_killed_collector_of_containers_loses_nothing(
    tmp_path: Path, podman: str, gateway: Gateway, pod_collector: Collector
) -> None:
    """Killed again and again while the log is rotated, also while it is away, the collector sends each audit event at least once."""
    with Pod(podman, tmp_path) as pod:
        with load(pod):
            for number in range(ROTATIONS):
                pod_collector.start()
                received = len(gateway.records())
                eventually(lambda n=received: len(gateway.records()) > n, "it collects")
                pod_collector.kill()
                pod.rotate(number)
        pod.stop()
        audit = pod.output("stdout")
        pod_collector.start()
        gateway.wait_for(audit)
    assert once(map(fields, gateway.records())) == [json.loads(line) for line in audit]
