"""A served sidecar from its start to its end."""

from __future__ import annotations

import json
import signal
import sqlite3
from pathlib import Path

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from tests.system.process import PATIENCE_S, Served, eventually, health_of

from memslot.v1 import admin_service_pb2, slot_service_pb2

SERVICES = ["", "memslot.v1.SlotService", "memslot.v1.NamespaceService", "memslot.v1.AdminService"]


def write(name: str, body: bytes = b"body") -> slot_service_pb2.WriteRequest:
    """A write of one slot."""
    return slot_service_pb2.WriteRequest(namespace="acme/task", name=name, body=body)


def read(name: str) -> slot_service_pb2.ReadRequest:
    """A read of one slot."""
    return slot_service_pb2.ReadRequest(namespace="acme/task", name=name)


def served_in(directory: Path, *flags: object) -> Served:
    """A sidecar on a free port."""
    return Served("--data-dir", directory, "--listen", "127.0.0.1:0", *flags)


def test_slots_survive_a_restart(tmp_path: Path) -> None:
    """What was written before an orderly stop is read after the next start."""
    with served_in(tmp_path) as served:
        served.ready().slots().Write(write("用户偏好", b"tea"))
        assert served.stop() == 0
        assert served.stderr.endswith("stopped\n")
    with served_in(tmp_path) as served:
        assert served.ready().slots().Read(read("用户偏好")).slot.body == b"tea"


def test_start_tells_where_it_listens_its_store_and_its_limits(tmp_path: Path) -> None:
    """A person who starts it sees addresses with their real ports, the store, the audit file and the limits, on standard error."""
    socket = tmp_path / "m.sock"
    with served_in(tmp_path, "--listen", f"unix:{socket}", "--store-limit-bytes", "1MiB") as served:
        told = served.ready().stderr
        assert [health_of(served.channel(address)) for address in served.addresses()] == ["SERVING", "SERVING"]
        assert f"sqlite in {tmp_path}" in told
        assert f"{tmp_path}/audit.jsonl" in told
        assert "64 slots of up to 4,096 bytes, kept 24h" in told
        assert "at most 1,048,576 bytes" in told
        assert served.stdout == ""


def test_audit_on_standard_output_is_pure_json(tmp_path: Path) -> None:
    """With the audit on standard output, every line there is an event, through start, calls, failures and stop."""
    with served_in(tmp_path, "--audit-file", "-") as served:
        slots = served.ready().slots()
        slots.Write(write("a"))
        with pytest.raises(grpc.RpcError):
            slots.Read(read("missing"))
        assert served.stop() == 0
        events = [json.loads(line) for line in served.stdout.splitlines()]
    assert [(event["operation"], event["code"]) for event in events] == [("Write", "OK"), ("Read", "NOT_FOUND")]


def test_health_tells_of_the_whole_and_of_each_service(tmp_path: Path) -> None:
    """Health answers for "" and every service without credentials, NOT_FOUND for others, and leaves no audit event."""
    with served_in(tmp_path) as served:
        channel = served.ready().channel()
        assert [health_of(channel, service) for service in SERVICES] == ["SERVING"] * 4
        assert health_of(channel, "memslot.v1.Nothing") == "NOT_FOUND"
        assert served.stop() == 0
    assert (tmp_path / "audit.jsonl").read_text() == ""


def test_health_watch_sees_the_end(tmp_path: Path) -> None:
    """Whoever watches health learns of the drain, and the watch does not hold it up."""
    with served_in(tmp_path) as served:
        stub = health_pb2_grpc.HealthStub(served.ready().channel())
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="memslot.v1.SlotService"), timeout=PATIENCE_S)
        unknown = stub.Watch(health_pb2.HealthCheckRequest(service="other"), timeout=PATIENCE_S)
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        assert next(unknown).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        served.signal()
        assert [reply.status for reply in watch] == [health_pb2.HealthCheckResponse.NOT_SERVING]
        assert list(unknown) == []
        assert served.exit_code() == 0


def test_health_listen_serves_health_alone(tmp_path: Path) -> None:
    """The address for probes knows health and nothing else."""
    with served_in(tmp_path, "--health-listen", "127.0.0.1:0") as served:
        (address,) = served.ready().addresses("health on")
        assert health_of(served.channel(address), "memslot.v1.SlotService") == "SERVING"
        with pytest.raises(grpc.RpcError) as caught:
            served.slots(address).Read(read("a"))
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_tells_services_and_types(tmp_path: Path, version: str) -> None:
    """A tool without .proto files learns services and messages, also where an open stream meets the drain."""
    with served_in(tmp_path) as served:
        ask = (
            served.ready()
            .channel()
            .stream_stream(
                f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
                reflection_pb2.ServerReflectionRequest.SerializeToString,
                reflection_pb2.ServerReflectionResponse.FromString,
            )
        )
        requests = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol="memslot.v1.SlotService"),
        ]
        services, files = ask(iter(requests), timeout=PATIENCE_S)
        assert set(SERVICES[1:]) <= {service.name for service in services.list_services_response.service}
        assert len(files.file_descriptor_response.file_descriptor_proto) > 3

        def kept_open() -> object:
            yield requests[0]
            served.exit_code()

        replies = ask(kept_open(), timeout=PATIENCE_S)
        next(replies)
        assert served.stop() == 0


def test_settings_reach_the_server(tmp_path: Path) -> None:
    """A flag wins over the environment, that over the file; GetServerInfo tells what holds."""
    settings = tmp_path / "memslot.toml"
    settings.write_text('slot_limit = 1\nversions_kept = 2\nttl_default = "3h"\nlisten = ["127.0.0.1:0"]\n')
    env = {
        "MEMSLOT_CONFIG": str(settings),
        "MEMSLOT_VERSIONS_KEPT": "20",
        "MEMSLOT_SLOT_LIMIT": "10",
        "MEMSLOT_STORE": "ram",
    }
    with Served("--slot-limit", "100", env=env) as served:
        info = served.ready().admin().GetServerInfo(admin_service_pb2.GetServerInfoRequest())
    defaults = info.namespace_defaults
    assert (defaults.slot_limit, defaults.versions_kept, defaults.ttl_default.seconds) == (100, 20, 10_800)
    assert (info.store, info.message_limit_bytes) == ("ram", 4_194_304)


def test_one_setting_bounds_messages(tmp_path: Path) -> None:
    """A message above the limit is refused as such, and raising the one setting lets it through."""
    big = write("big", b"x" * 5_000_000)
    for limit, code in (("4MiB", "RESOURCE_EXHAUSTED"), ("8MiB", "INVALID_ARGUMENT")):
        with served_in(tmp_path, "--message-limit-bytes", limit) as served:
            with pytest.raises(grpc.RpcError) as caught:
                served.ready().slots().Write(big)
            assert caught.value.code().name == code


def test_undecodable_request_is_refused_and_told(tmp_path: Path) -> None:
    """Bytes that are no request are INVALID_ARGUMENT, and leave their event like any refusal."""
    with served_in(tmp_path) as served:
        with pytest.raises(grpc.RpcError) as caught:
            served.ready().channel().unary_unary("/memslot.v1.SlotService/Write")(b"\x0a\xff")
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert served.stop() == 0
    (event,) = map(json.loads, (tmp_path / "audit.jsonl").read_text().splitlines())
    assert (event["operation"], event["code"]) == ("Write", "INVALID_ARGUMENT")


def test_who_asked_is_in_the_audit(tmp_path: Path) -> None:
    """Agent, conversation, turn and trace stand in the event as said, of a read and of a mutation."""
    trace = "0af7651916cd43dd8448eb211c80319c"
    metadata = [
        ("memslot-agent", "planner"),
        ("memslot-conversation", "c-1"),
        ("memslot-turn", "7"),
        ("traceparent", f"00-{trace}-b7ad6b7169203331-01"),
        ("unrelated-bin", b"\x00\xff"),
    ]
    with served_in(tmp_path) as served:
        slots = served.ready().slots()
        slots.Write(write("a"), metadata=metadata)
        slots.Read(read("a"), metadata=metadata)
        assert served.stop() == 0
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    said = [(event["agent"], event["conversation"], event["turn"], event["trace_id"]) for event in events]
    assert said == [("planner", "c-1", "7", trace)] * 2


def test_rotated_audit_file_is_opened_anew(tmp_path: Path) -> None:
    """After a rename and SIGHUP the next event is in a new file, and none is lost."""
    audit = tmp_path / "audit.jsonl"
    with served_in(tmp_path) as served:
        slots = served.ready().slots()
        slots.Write(write("a"))
        eventually(lambda: audit.read_text().count("\n") == 1, "the first event is written")
        audit.rename(tmp_path / "audit.jsonl.1")
        served.signal(signal.SIGHUP)
        slots.Write(write("b"))
        eventually(lambda: audit.exists() and audit.read_text().count("\n") == 1, "the second event is in a new file")
        assert served.stop() == 0


def test_newer_store_is_refused(tmp_path: Path) -> None:
    """A store that a newer memslot wrote is left alone, with an exit code of its own."""
    with served_in(tmp_path) as served:
        served.ready()
        assert served.stop() == 0
    connection = sqlite3.connect(tmp_path / "memslot.db")
    connection.execute("PRAGMA user_version = 1000")
    connection.close()
    with served_in(tmp_path) as served:
        assert served.exit_code() == 5
        assert "newer memslot" in served.stderr
        assert "Traceback" not in served.stderr


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--listen", "0.0.0.0:0"], "--insecure-listen 0.0.0.0:0"),
        (["--listen", "unix:" + "x" * 108], "108 bytes"),
        (["--drain-grace", "soon"], "--drain-grace"),
        (["--config", "missing.toml"], "missing.toml"),
    ],
)
def test_wrong_setting_ends_at_once(tmp_path: Path, flags: list[str], told: str) -> None:
    """A setting that cannot work is told in one line, and the exit code is 2."""
    with Served("--data-dir", tmp_path, *flags) as served:
        assert served.exit_code() == 2
        assert told in served.stderr
        assert served.stderr.count("\n") == 1


def test_insecure_listen_is_served_with_a_warning(tmp_path: Path) -> None:
    """Asked for explicitly, an address that others may reach is served, and the risk is told."""
    with Served("--data-dir", tmp_path, "--insecure-listen", "0.0.0.0:0") as served:
        port = served.ready().addresses()[0].rpartition(":")[2]
        assert health_of(served.channel(f"127.0.0.1:{port}")) == "SERVING"
        assert "warning" in served.stderr


@pytest.mark.slow
def test_idle_server_is_small_and_quiet(tmp_path: Path) -> None:
    """A server that nobody asks takes at most 70 MB and 1 % of a core."""
    with served_in(tmp_path) as served:
        served.ready().slots().Write(write("a"))
        process = psutil.Process(served.pid)
        process.cpu_percent()
        used = process.cpu_percent(interval=10.0)
        assert process.memory_info().rss <= 70_000_000
        assert used <= 1.0
