"""The served sidecar over HTTP, beside gRPC: one store, one audit trail, one set of rules."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import slot_service_pb2

JSON = {"content-type": "application/json"}
FLAGS = ("--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sidecar with an HTTP port and an HTTP socket."""
    directory = tmp_path_factory.mktemp("served")
    with Served("--data-dir", directory, *FLAGS, "--http-listen", f"unix:{directory / 'http.sock'}") as running:
        yield running.ready()


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    """A client of its HTTP port."""
    with httpx.Client(base_url=served.addresses("http on")[0], trust_env=False) as client:
        yield client


def test_what_is_written_by_one_face_is_read_by_the_other(served: Served, http: httpx.Client) -> None:
    """HTTP and gRPC are two ways to one store."""
    written = http.post("/mem/write", json={"slot": "both", "value": "Ada"})
    assert (written.status_code, written.json()["outcome"]) == (200, "CREATED")
    request = slot_service_pb2.ReadRequest(namespace="default", name="both")
    assert served.slots().Read(request).slot.body == b"Ada"
    served.slots().Write(slot_service_pb2.WriteRequest(namespace="default", name="both", body=b"Grace"))
    assert http.get("/mem/read", params={"slot": "both"}).json()["value"] == "Grace"


def test_a_method_is_called_by_the_connect_protocol(http: httpx.Client) -> None:
    """A unary method takes protobuf JSON and answers with it."""
    body = {
        "namespace": "acme/a",
        "name": "connect",
        "body": "QWRh",
        "requestId": "6d9c1f6e-1f0f-4b6e-9d26-3a9b1a0c8a11",
    }
    first = http.post("/memslot.v1.SlotService/Write", json=body)
    assert first.json()["receipt"]["outcome"] == "OUTCOME_CREATED"
    assert http.post("/memslot.v1.SlotService/Write", json=body).content == first.content
    found = http.post("/memslot.v1.SlotService/Read", json={"namespace": "acme/a", "name": "connect"})
    assert found.headers["content-type"] == "application/json"
    assert found.json()["slot"]["body"] == "QWRh"


def test_a_socket_takes_any_host(served: Served) -> None:
    """No browser connects to a Unix socket, so that its callers may name the host as they like."""
    path = served.addresses("http on")[1].removeprefix("unix:")
    with httpx.Client(transport=httpx.HTTPTransport(uds=path), base_url="http://memslot", trust_env=False) as client:
        assert client.get("/readyz").text == "SERVING\n"


def test_both_faces_are_audited_alike(tmp_path: Path) -> None:
    """A call by HTTP leaves the event that the same call by gRPC leaves: who asked, and what became of it."""
    said = (
        ("memslot-agent", "planner"),
        ("memslot-conversation", "c1"),
        ("traceparent", f"00-{'a' * 32}-{'b' * 16}-01"),
    )
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        served.ready().slots().Write(
            slot_service_pb2.WriteRequest(namespace="default", name="x", body=b"1"), metadata=said
        )
        with httpx.Client(base_url=served.addresses("http on")[0], headers=dict(said), trust_env=False) as client:
            client.post("/mem/write", json={"slot": "x", "value": "2"})
            client.post("/memslot.v1.SlotService/Read", json={"namespace": "default", "name": "none"})
            client.post("/memslot.v1.SlotService/Read", content=b"{", headers={"content-type": "application/json"})
        assert served.stop() == 0
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    told = [(event["operation"], event["code"], event.get("agent"), event.get("trace_id")) for event in events]
    who = ("planner", "a" * 32)
    assert told[:3] == [("Write", "OK", *who), ("Write", "OK", *who), ("Read", "NOT_FOUND", *who)]
    assert told[3] == ("Read", "INVALID_ARGUMENT", *who)
    assert events[0].keys() - events[1].keys() == set()


UNREADABLE: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/mem/write?namespace=acme/a", {"json": {"slot": "x", "value": 1, "ttl": "7d"}}, ["x"]),
    ("/mem/write?namespace=acme/a", {"content": '{"slot": "x", "value": ', "headers": JSON}, []),
    ("/mem/forget", {"json": {"slot": "x", "why": 1}, "headers": {"memslot-namespace": "acme/a"}}, ["x"]),
    ("/memslot.v1.SlotService/Read", {"json": {"namespace": "acme/a", "name": "x", "query": "y"}}, ["x"]),
    ("/memslot.v1.SlotService/Read", {"json": {"namespace": "acme/a", "name": 5}}, []),
    ("/memslot.v1.SlotService/Write", {"json": {"namespace": "acme/a", "name": "x", "body": "A" * 99_997}}, ["x"]),
]


def test_what_cannot_be_read_is_audited_where_it_was_meant_for(tmp_path: Path) -> None:
    """Whoever looks for a namespace in the audit trail finds what was refused there, under the slot's name if it has one."""
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        with httpx.Client(base_url=served.ready().addresses("http on")[0], trust_env=False) as client:
            for path, request, _ in UNREADABLE:
                assert client.post(path, **request).status_code == 400
        assert served.stop() == 0
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [(event["namespace"], event["names"], event["code"]) for event in events] == [
        ("acme/a", names, "INVALID_ARGUMENT") for *_, names in UNREADABLE
    ]


def test_a_call_that_was_accepted_is_answered_after_sigterm(tmp_path: Path) -> None:
    """A request whose head came before the drain is done and answered, the last of its connection, and the process ends with 0."""
    head = b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 22\r\nexpect: 100-continue\r\n\r\n"
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        port = int(served.ready().addresses("http on")[0].rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
            caller.sendall(head)
            assert caller.recv(100).startswith(b"HTTP/1.1 100 ")
            served.signal()
            caller.sendall(b'{"slot":"x","value":1}')
            answer = b"".join(iter(partial(caller.recv, 65536), b""))
        assert served.exit_code() == 0, served.stderr
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"outcome":"CREATED"' in answer


def test_addresses_that_others_reach_are_refused(tmp_path: Path) -> None:
    """HTTP has no credentials: it is served on loopback addresses and sockets only."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--http-listen", "0.0.0.0:0") as served:
        assert served.exit_code() == 2
        assert "--http-listen 0.0.0.0:0: other machines" in served.stderr


class Writer:
    """Writes slots of its own by HTTP until it is refused, and remembers what was acknowledged."""

    def __init__(self, address: str, number: int) -> None:
        self._address = address
        self._number = number
        self.acknowledged: list[int] = []
        self.refusal: httpx.Response | None = None

    def run(self) -> None:
        """Writes until the end."""
        with httpx.Client(base_url=self._address, trust_env=False, timeout=PATIENCE_S) as client:
            while self.refusal is None:
                body = {"slot": f"{self._number}-{len(self.acknowledged)}", "value": "v"}
                answer = client.post("/mem/write", json=body)
                if answer.status_code == 200:
                    self.acknowledged.append(answer.json()["revision"])
                else:
                    self.refusal = answer


def test_a_drain_under_load_fails_no_accepted_call(tmp_path: Path) -> None:
    """Eight writers meet SIGTERM: each write is acknowledged or refused with 503, the last answer of its connection, and what was
    acknowledged is what was done."""
    with Served("--data-dir", tmp_path, *FLAGS, "--slot-limit", 1_000_000) as served:
        address = served.ready().addresses("http on")[0]
        writers = [Writer(address, number) for number in range(8)]
        with ThreadPoolExecutor(8) as pool:
            running = [pool.submit(writer.run) for writer in writers]
            eventually(lambda: all(len(writer.acknowledged) >= 20 for writer in writers), "all write")
            assert served.stop() == 0, served.stderr
            for run in running:
                run.result()
    refusals = [writer.refusal for writer in writers if writer.refusal is not None]
    assert [refusal.status_code for refusal in refusals] == [503] * 8
    assert {refusal.headers["connection"] for refusal in refusals} == {"close"}, "callers are asked to go"
    acknowledged = sorted(revision for writer in writers for revision in writer.acknowledged)
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    done = sorted(event["revision"] for event in events if event["code"] == "OK")
    assert done == acknowledged == list(range(1, len(acknowledged) + 1))


def test_probes_are_answered_before_the_store_is_open(tmp_path: Path) -> None:
    """While another sidecar holds the data directory this one lives, is not ready, refuses calls as gRPC does, and takes over."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = ("--listen", "127.0.0.1:0", "--http-listen", port, "--lock-wait", "60s")
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE_S)
    with Served("--data-dir", tmp_path, *FLAGS) as first, client:
        first.ready()
        with Served("--data-dir", tmp_path, *flags) as second:
            eventually(lambda: _status(client, "/healthz") == 200, "it lives")
            assert _status(client, "/readyz") == 503
            refused = client.post("/mem/write", json={"slot": "x", "value": 1})
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (
                503,
                "unavailable",
                "1",
            )
            assert "memslot_serving 0.0" in client.get("/metrics").text
            assert first.stop() == 0
            second.ready()
            assert _status(client, "/readyz") == 200
            assert client.post("/mem/write", json={"slot": "x", "value": 1}).status_code == 200


def _status(client: httpx.Client, path: str) -> int:
    try:
        return client.get(path).status_code
    except httpx.TransportError:
        return 0
