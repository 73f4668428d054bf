"""What a broken or hostile client can do to the HTTP port: nothing that anybody else would notice."""

from __future__ import annotations

import gzip
import json
import signal
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import slot_service_pb2

CANARY = "canary-body-51c2"
LIMIT = 4 * 2**20


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sidecar that all of these tests abuse."""
    directory = tmp_path_factory.mktemp("abused")
    flags = (
        "--listen",
        "127.0.0.1:0",
        "--http-listen",
        "127.0.0.1:0",
        "--body-limit-bytes",
        "3900000",
        "--slot-limit",
        "500",
    )
    with Served("--data-dir", directory, *flags) as running:
        yield running.ready()


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    """A well-behaved client, which must be served after all."""
    with httpx.Client(base_url=served.addresses("http on")[0], trust_env=False, timeout=PATIENCE_S) as client:
        yield client
        assert client.post("/mem/write", json={"slot": "alive", "value": "yes"}).status_code == 200
    request = slot_service_pb2.ReadRequest(namespace="default", name="alive")
    assert served.slots().Read(request, timeout=PATIENCE_S).slot.body == b"yes"


def connected(http: httpx.Client) -> closing[socket.socket]:
    """A bare connection."""
    return closing(socket.create_connection((http.base_url.host, http.base_url.port or 0), timeout=PATIENCE_S))


def spoken(http: httpx.Client, sent: bytes, *, hang_up: bool = False) -> bytes:
    """All that comes back for some bytes, until the server closes the connection; to ``hang_up`` is to send no more."""
    with connected(http) as connection:
        with suppress(OSError):
            connection.sendall(sent)
            if hang_up:
                connection.shutdown(socket.SHUT_WR)
        received = b""
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                received += piece
        return received


def request(
    path: str = "/mem/write", verb: str = "POST", headers: str = "connection: close\r\n", body: bytes = b""
) -> bytes:
    """A request with an honest length."""
    head = f"{verb} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{headers}"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    "headers", [f"x: {'a' * 40_000}\r\n", "x: a\r\n" * 8000, f"x: {'a' * 3_000_000}\r\n", f"{'a' * 50_000}: x\r\n"]
)
def test_huge_headers_are_refused(http: httpx.Client, headers: str) -> None:
    """One that is long or many that are short: above 32 KiB a head is 431, and is kept no longer."""
    assert spoken(http, request(headers=headers)).startswith(b"HTTP/1.1 431 ")


def test_a_head_without_end_is_cut_off(http: httpx.Client) -> None:
    """Neither a line nor trailers may grow without end."""
    assert spoken(http, b"GET /" + b"a" * 1_000_000).startswith(b"HTTP/1.1 431 ")
    chunked = b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    answer = spoken(http, chunked + b"2\r\n{}\r\n0\r\n" + b"trailer: x\r\n" * 200_000)
    assert b"200 OK" not in answer


@pytest.mark.parametrize("path", ["/mem/write", "/memslot.v1.SlotService/Write"])
def test_huge_bodies_are_refused(http: httpx.Client, path: str) -> None:
    """The sender of too much reads why."""
    answer = http.post(path, content=b'{"value":"' + b"a" * (2 * LIMIT), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (429, "resource_exhausted")
    answer = http.post(path.replace("mem/write", "memslot.v1.SlotService/Write"), content=b"a" * (LIMIT + 1),
                       headers={"content-type": "application/proto"})  # fmt: skip
    assert (answer.status_code, answer.json()["code"]) == (429, "resource_exhausted")


def test_the_limit_of_a_message_is_that_of_grpc(http: httpx.Client) -> None:
    """A message above the limit is refused, though its JSON is not too long; the largest body that there may be goes through."""
    operations = [{"write": {"name": f"n{n}", "body": "A" * 3_999_996}} for n in range(2)]
    answer = http.post("/memslot.v1.SlotService/Commit", json={"namespace": "default", "operations": operations})
    assert (answer.status_code, answer.json()["code"], answer.json().get("details")) == (
        429,
        "resource_exhausted",
        None,
    )
    assert http.post("/mem/write", json={"slot": "large", "value": "é" * 1_950_000}).status_code == 200
    assert len(http.get("/mem/read", params={"slot": "large"}).json()["value"]) == 1_950_000


def test_zip_bombs_and_broken_gzip_are_refused(http: httpx.Client) -> None:
    """A gigabyte of zeros in a megabyte is refused at the limit."""
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    assert http.post("/mem/write", content=gzip.compress(bytes(2**28), 9), headers=headers).status_code == 429
    assert http.post("/mem/write", content=b"\x1f\x8bbroken", headers=headers).status_code == 400
    packed = gzip.compress(json.dumps({"slot": "packed", "value": 1}).encode())
    assert http.post("/mem/write", content=packed, headers=headers).status_code == 200


def test_truncated_bodies_change_nothing(http: httpx.Client) -> None:
    """Who goes away in the middle of a body has written nothing."""
    whole = request(body=json.dumps({"slot": "truncated", "value": CANARY}).encode())
    assert b"200" not in spoken(http, whole[:-1], hang_up=True)
    assert http.get("/mem/read", params={"slot": "truncated"}).status_code == 404


def test_large_json_holds_nobody_up(http: httpx.Client) -> None:
    """While a request of very many small things is read, others are served."""
    filters = b",".join([b"{}"] * 300_000)
    sent = request(
        "/memslot.v1.SlotService/Lookup",
        body=b'{"namespace":"default","filter":{"allOf":{"filters":[%s]}}}' % filters,
    )
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(spoken, http, sent)
        others = 0
        while not answer.done():
            assert http.get("/healthz").status_code == 200
            others += 1
    assert b"INVALID_FILTER" in answer.result()
    assert others > 20


def test_slow_senders_hold_nobody_up(http: httpx.Client) -> None:
    """While many connections send a byte now and then, others are served."""
    slow = [socket.create_connection((http.base_url.host, http.base_url.port or 0)) for _ in range(200)]
    for number, connection in enumerate(slow):
        connection.sendall(request(headers="content-length: 100\r\n")[: 20 + number])
    assert http.get("/healthz").status_code == 200
    for connection in slow:
        connection.close()


def test_connections_are_bounded(http: httpx.Client) -> None:
    """Beyond some hundreds a connection is told so and closed, so that files are left for the store and for gRPC; later there is room."""
    held = [socket.create_connection((http.base_url.host, http.base_url.port or 0)) for _ in range(520)]
    for connection in held[-4:]:
        connection.settimeout(PATIENCE_S)
        assert connection.recv(100).startswith(b"HTTP/1.1 503 ")
    for connection in held:
        connection.close()
    eventually(lambda: http.get("/healthz").status_code == 200, "there is room again")


def test_pipelined_requests_are_answered_in_order(http: httpx.Client) -> None:
    """Requests that come before the answers to those before them are answered one after the other."""
    writes = [request(headers="", body=json.dumps({"slot": "line", "value": n}).encode()) for n in range(50)]
    last = request("/mem/read?slot=line", "GET")
    answers = spoken(http, b"".join(writes) + last)
    assert answers.count(b"HTTP/1.1 200 OK") == 51
    assert json.loads(answers[answers.rindex(b"{") :])["value"] == 49


@pytest.mark.parametrize(
    "path",
    ["/..", "/../mem/write", "/mem/../mem/write", "/mem//write", "/mem/write/", "/%2e%2e/mem/write", "/mem%2Fwrite", "//mem/write",
     "/memslot.v1.SlotService/", "/memslot.v1.SlotService/read", "/memslot.v1.Nothing/Read", "/etc/passwd", "*", "/mem/write%00"],
)  # fmt: skip
def test_only_exact_paths_lead_anywhere(http: httpx.Client, path: str) -> None:
    """Paths are compared byte by byte: there is nothing to climb out of."""
    answer = spoken(http, request(path, body=b'{"slot":"x","value":1}'))
    assert answer.split(b" ", 2)[1] in (b"404", b"400")


@pytest.mark.parametrize("verb", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "PROPFIND", "CONNECT"])
def test_wrong_verbs_are_told_the_right_one(http: httpx.Client, verb: str) -> None:
    """A path that takes POST says so, to a browser's preflight too, which finds no leave to go on."""
    answer = spoken(
        http,
        request(verb=verb, path="localhost:1" if verb == "CONNECT" else "/mem/write", headers="connection: close\r\n"),
    )
    assert answer.split(b" ", 2)[1] in ((b"400", b"404") if verb == "CONNECT" else (b"405",))
    assert b"access-control" not in answer
    assert verb == "CONNECT" or b"allow: POST" in answer


@pytest.mark.parametrize(
    "sent",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x00" * 1000, b"GET / HTTP/9.9\r\n\r\n",
     b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
     b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
     b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
     b"POST /mem/write HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n"],
)  # fmt: skip
def test_what_is_no_http_is_refused(http: httpx.Client, sent: bytes) -> None:
    """TLS, HTTP/2 and requests with two lengths are refused, and the connection ends."""
    answer = spoken(http, sent)
    assert answer == b"" or answer.split(b" ", 2)[1].startswith(b"4")


def test_an_upgrade_is_not_followed(http: httpx.Client) -> None:
    """A request that would rather speak WebSocket is answered as what it is."""
    headers = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "eA==",
    }
    assert http.get("/mem/read?slot=none", headers=headers).status_code == 404


@pytest.mark.parametrize("apart", [False, True])
def test_who_offers_another_protocol_is_answered_in_this_one(http: httpx.Client, apart: bool) -> None:
    """An offer of HTTP/2, which Java's own client makes, costs neither the body nor the connection; no body is taken for a request."""
    inner = request(body=b'{"slot":"inner","value":1}')
    offering = request(
        "/mem/write?namespace=offers", headers="connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n", body=inner
    )
    begun = len(offering) - len(inner)
    with connected(http) as connection:
        connection.sendall(offering[:begun] if apart else offering)
        if apart:
            eventually(lambda: http.get("/healthz").status_code == 200, "the head has come")
            connection.sendall(offering[begun:])
        connection.sendall(request("/mem/read?slot=inner", "GET"))
        received = b""
        while piece := connection.recv(65536):
            received += piece
    assert [answer[:4] for answer in received.split(b"HTTP/1.1 ")[1:]] == [b"400 ", b"404 "]
    written = request(headers="connection: close, Upgrade\r\nupgrade: h2c\r\n", body=b'{"slot":"offered","value":1}')
    assert b" 200 " in spoken(http, written)


@pytest.mark.parametrize(
    ("target", "status"),
    [("http://localhost", b"200"), ("HTTP://localhost", b"200"), ("http://evil.example", b"400"), ("http://localhost:1", b"400"),
     ("http://localhost@evil.example", b"400"), ("http://evil.example?x=http://localhost", b"400")],
)  # fmt: skip
def test_a_target_for_a_proxy_names_the_host_of_the_header(http: httpx.Client, target: str, status: bytes) -> None:
    """Who may come in is judged by Host: a target that names another one, and would go before it, is refused."""
    answer = spoken(http, request(f"{target}/mem/write", body=b'{"slot":"proxied","value":1}'))
    assert answer.split(b" ", 2)[1] == status, answer


def test_what_comes_behind_a_body_changes_nothing(http: httpx.Client) -> None:
    """A trailer is no header: it cannot make another host or page of the one that asks."""
    head = "POST /mem/write HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
    body = b'1b\r\n{"slot":"behind","value":1}\r\n0\r\nhost: %s\r\n\r\n'
    assert b" 403 " in spoken(http, head.format("evil.example").encode() + body % b"localhost")
    assert b" 200 " in spoken(http, head.format("localhost").encode() + body % b"evil.example")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"400", "invalid_argument"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"400", "invalid_argument"),
        (f"GET / HTTP/1.1\r\n{CANARY}\r\n\r\n".encode(), b"400", "invalid_argument"),
        (b"GET / HTTP/1.1\r\nx: " + b"a" * 40_000, b"431", "resource_exhausted"),
    ],
)
def test_what_is_no_http_is_told_as_all_errors_are(http: httpx.Client, sent: bytes, status: bytes, code: str) -> None:
    """TLS, HTTP/2, a broken head and one without end are answered in the form of all errors, without what was sent."""
    head, _, body = spoken(http, sent).partition(b"\r\n\r\n")
    assert head.split(b" ")[1] == status
    assert b"content-type: application/json" in head
    assert json.loads(body)["code"] == code
    assert CANARY.encode() not in body


@pytest.mark.parametrize("twice", ["host: localhost", "origin: http://localhost", "content-type: text/plain"])
def test_what_is_acted_upon_may_not_be_said_twice(http: httpx.Client, twice: str) -> None:
    """Of two hosts, origins or types none is right."""
    headers = f"connection: close\r\norigin: http://localhost\r\n{twice}\r\n"
    assert b" 400 " in spoken(http, request(headers=headers, body=b'{"slot":"twice","value":1}'))


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""]
)
def test_forms_are_refused(http: httpx.Client, kind: str) -> None:
    """What a page can send without asking is no JSON, whatever its bytes are."""
    answer = http.post("/mem/write", content=b'{"slot":"form","value":1}', headers={"content-type": kind})
    assert answer.status_code == 415
    assert answer.headers["accept-post"] == "application/json"


def test_pages_of_other_sites_are_refused(http: httpx.Client) -> None:
    """By Origin, by Host (DNS rebinding), and by what browsers say of where a request comes from; no answer holds CORS headers."""
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}, {"sec-fetch-site": "cross-site"}):
        for path in ("/healthz", "/metrics", "/mem/read?slot=alive", "/openapi.json"):
            answer = http.get(path, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
            assert not any(name.startswith("access-control") for name in answer.headers)


def test_a_page_that_breaks_off_at_once_is_refused_too(served: Served, http: httpx.Client) -> None:
    """A connection that was reset before it was taken in has no other end any more; it is no Unix socket for that, which any Host may call."""
    sent = request(body=b'{"slot":"rebound","value":1}').replace(b"host: localhost", b"host: evil.example")
    served.signal(signal.SIGSTOP)
    try:
        for _ in range(5):
            with connected(http) as connection:
                connection.sendall(sent)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    finally:
        served.signal(signal.SIGCONT)
    for _ in range(5):
        assert http.get("/mem/read?slot=rebound").status_code == 404


def test_no_body_is_in_anything_but_its_reply(tmp_path: Path) -> None:
    """Bodies, whole or broken, leave no trace in errors, metrics, /openapi.json, the log or the audit trail."""
    flags = ("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0")
    with (
        Served(*flags) as served,
        httpx.Client(base_url=served.ready().addresses("http on")[0], trust_env=False) as http,
    ):
        texts = (
            json.dumps({"slot": "x", "value": CANARY}),
            json.dumps({"slot": "x", "value": [CANARY, float("nan")]}),
            json.dumps({"slot": "x", "value": CANARY, CANARY: 1}),
            json.dumps({"slot": "x", "value": CANARY})[:-3],
            json.dumps({"slot": [CANARY], "value": "\ud800" + CANARY}),
            json.dumps({"slot": "x", "value": CANARY * 1000}),
        )
        headers = {"content-type": "application/json"}
        told = [http.post("/mem/write", content=text, headers=headers).text for text in texts]
        for field in ("body", "mode", "ttl", "tags", "precondition", "requestId", CANARY):
            body = {"namespace": "default", "name": "x", field: CANARY + "$"}
            told.append(http.post("/memslot.v1.SlotService/Write", json=body).text)
        raw = {"content-type": "application/proto"}
        told.append(http.post("/memslot.v1.SlotService/Write", content=CANARY.encode(), headers=raw).text)
        told.append(http.post(f"/memslot.v1.{CANARY}/Write", json={}).text)
        told += [http.get(path).text for path in ("/metrics", "/openapi.json", "/healthz", "/readyz")]
        with connected(http) as gone:
            gone.sendall(request(headers="", body=CANARY.encode())[:-1])
            assert http.get("/healthz").status_code == 200
        assert served.stop() == 0
    assert "Exception" not in served.stderr
    told += [served.stderr, served.stdout, (tmp_path / "audit.jsonl").read_text()]
    assert [text for text in told if CANARY in text] == []
