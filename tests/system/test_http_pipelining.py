"""Requests that come in any pieces are answered as if they had come one at a time."""

from __future__ import annotations

import gzip
import json
import re
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count, pairwise
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import slot_service_pb2 as pb

READ = "/memslot.v1.SlotService/Read"
LOOKUP = "/memslot.v1.SlotService/Lookup"


def request(
    verb: str, path: str, body: bytes = b"", *headers: str, kind: str = "application/json", length: bool = True
) -> bytes:
    """A request."""
    told = [f"{verb} {path} HTTP/1.1", "host: localhost", *headers]
    told += [f"content-type: {kind}"] * bool(body) + [f"content-length: {len(body)}"] * (bool(body) and length)
    return "\r\n".join([*told, "", ""]).encode() + body


UNCHANGED = json.dumps({"namespace": "default", "name": "text", "ifRevisionNot": "1"}).encode()
CHUNKS = b"%x;note=1\r\n%b\r\n%x\r\n%b\r\n0\r\ntrailer: x\r\nhost: evil.example\r\n\r\n"
KEEPING = [
    request("GET", "/mem/read?slot=text"),
    request("GET", "/mem/read?slot=none"),
    request("HEAD", "/mem/read?slot=text"),
    request("GET", "/healthz"),
    request("GET", "http://localhost/mem/read?slot=large"),
    request("GET", "/healthz", b"GET /mem/read?slot=none HTTP/1.1\r\n\r\n"),
    request("GET", "/healthz", b"", "upgrade: h2c", "connection: Upgrade, HTTP2-Settings"),
    request("GET", "/healthz", b"", "origin: http://evil.example"),
    request("OPTIONS", "/mem/read"),
    b"\r\n" + request("GET", "/healthz"),
    request("POST", READ, UNCHANGED),
    request("POST", READ, UNCHANGED, "expect: 100-continue"),
    request("POST", READ, UNCHANGED, "upgrade: h2c", "connection: upgrade"),
    request("POST", READ, gzip.compress(UNCHANGED, mtime=0), "content-encoding: gzip"),
    request("POST", READ, b"{"),
    request("POST", READ, UNCHANGED, kind="text/plain"),
    request("POST", "/none", request("GET", "/healthz")),
    request("POST", READ, CHUNKS % (10, UNCHANGED[:10], len(UNCHANGED) - 10, UNCHANGED[10:]), "transfer-encoding: chunked", length=False),
    request("POST", READ, pb.ReadRequest(namespace="default", name="text", if_revision_not=1).SerializeToString(), kind="application/proto"),
    *(request("POST", LOOKUP, b'{"namespace":"none"}'.ljust(size)) for size in (65_535, 65_536, 65_537, 300_000)),
]  # fmt: skip
"""Requests that change nothing, behind which the connection is kept."""
ENDING = [
    request("GET", "/healthz", b"", "connection: close"),
    request("GET", "/healthz").replace(b"1.1", b"1.0"),
    request("GET", "/mem/read?slot=none", b"", "connection: close"),
    request("HEAD", "/healthz", b"", "connection: close"),
    request("GET", "/healthz", b"", f"x: {'a' * 40_000}"),
    request("POST", READ, b"2\r\n{}\r\nZZ\r\n", "transfer-encoding: chunked", length=False),
    request("CONNECT", "localhost:1"),
    b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
]
"""Requests that end the connection."""
SOME_KEPT = st.lists(st.integers(0, len(KEEPING) - 1), max_size=6)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sidecar with two slots."""
    flags = ("--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--body-limit-bytes", 500_000)
    with Served("--data-dir", tmp_path_factory.mktemp("pipelined"), *flags) as running:
        with httpx.Client(base_url=running.ready().addresses("http on")[0], trust_env=False) as client:
            for slot, value in (("text", "Ada"), ("large", "a" * 200_000)):
                assert client.post("/mem/write", json={"slot": slot, "value": value}).status_code == 200
        yield running
        assert '"level": "error"' not in running.stderr


class Caller:
    """Connections to a port, and what each request is answered alone."""

    def __init__(self, port: int) -> None:
        self._port = port
        last = request("GET", "/readyz", b"", "connection: close")
        farewell = self.answers([last])
        self.alone = {sent: self.answers([sent]) for sent in ENDING}
        for sent in KEEPING:
            # So that the end of an answer is seen, another one follows when it has come.
            both = self.answers([sent, last], 0.02)
            assert both.endswith(farewell)
            self.alone[sent] = both.removesuffix(farewell)

    def answers(self, pieces: Sequence[bytes], pause_s: float = 0.0) -> bytes:
        """All that comes back for some pieces until the server ends the connection, without dates."""
        with socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE_S) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            received = b""
            with suppress(ConnectionError):
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause_s)
                while read := connection.recv(2**20):
                    received += read
        return re.sub(rb"date: [^\r]*\r\n", b"", received)

    def assert_one_by_one(self, asked: Sequence[bytes], pieces: Sequence[bytes], pause_s: float = 0.0) -> None:
        """The answers to some pieces are those that the requests have alone. Shows no hundreds of kilobytes if not."""
        told, expected = self.answers(pieces, pause_s), b"".join(self.alone[sent] for sent in asked)
        assert told[-300:] == expected[-300:]
        assert len(told) == len(expected)
        assert told == expected


@pytest.fixture(scope="module")
def caller(served: Served) -> Caller:
    """A caller of its HTTP port."""
    return Caller(int(served.addresses("http on")[0].rpartition(":")[2]))


def test_each_request_has_one_answer(caller: Caller) -> None:
    """One by one they are answered as they should be; the rest is measured by that."""
    told = [re.findall(rb"HTTP/1\.1 (\d+) ", caller.alone[sent]) for sent in [*KEEPING, *ENDING]]
    expected = "200 404 200 200 200 200 200 403 405 200 200 100,200 200 200 400 415 404 200 200 200 200 200 200 200 200 404 200 431 400 400 400"
    assert [b",".join(codes).decode() for codes in told] == expected.split()


@settings(max_examples=60, deadline=None)
@given(
    SOME_KEPT, st.integers(0, len(ENDING) - 1), st.lists(st.floats(0, 1, exclude_max=True), max_size=6), st.booleans()
)
def test_requests_in_any_pieces_are_answered_in_order(
    caller: Caller, before: list[int], last: int, places: list[float], slow: bool
) -> None:
    """Wherever the stream is cut, each answer is what it is alone."""
    asked = [*(KEEPING[number] for number in before), ENDING[last]]
    stream = b"".join(asked)
    cuts = sorted({0, len(stream), *(int(place * len(stream)) for place in places)})
    pieces = [stream[begin:end] for begin, end in pairwise(cuts)]
    caller.assert_one_by_one(asked, pieces, 0.0005 if slow else 0.0)


@pytest.mark.parametrize("last", ENDING, ids=range(len(ENDING)))
def test_behind_the_end_nothing_is_answered(caller: Caller, last: bytes) -> None:
    """What follows a request that ends the connection costs nobody the answers before it, and has none."""
    caller.assert_one_by_one([KEEPING[0], last], [KEEPING[0] + last + KEEPING[0] * 3])


@pytest.mark.parametrize("last", ENDING[4:], ids=range(len(ENDING[4:])))
def test_who_goes_on_after_an_error_can_read_it(caller: Caller, last: bytes) -> None:
    """A connection where something is broken is not reset while its caller still sends: he would not read why."""
    caller.assert_one_by_one([last], [last, *[b"a" * 10_000] * 300])


def test_requests_that_come_byte_by_byte_are_answered(caller: Caller) -> None:
    """No place is special."""
    asked = [sent for sent in KEEPING if len(sent) < 1000]
    stream = b"".join(asked) + ENDING[0]
    pieces = [stream[place : place + 1] for place in range(len(stream))]
    caller.assert_one_by_one([*asked, ENDING[0]], pieces)


def test_a_search_whose_pipelining_caller_is_gone_ends(tmp_path: Path) -> None:
    """A call that would wait for ever does not, nor holds its connection, though its caller's going was hidden behind his next request."""
    search = b'{"namespace":"acme/found","text":"x","minRevision":"1152921504606846976"}'
    settings = {"namespace": "acme/found", "settings": {"indexMode": "INDEX_MODE_FULLTEXT"}, "updateMask": "indexMode"}
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0") as served:
        address = served.ready().addresses("http on")[0]
        with httpx.Client(base_url=address, trust_env=False) as client:

            def under_way(number: int) -> bool:
                return f"memslot_calls_under_way {number}.0" in client.get("/metrics").text

            assert client.post("/memslot.v1.NamespaceService/UpdateNamespace", json=settings).status_code == 200
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as connection:
                asked = request("POST", "/memslot.v1.SlotService/Search", search) + request("GET", "/healthz")
                connection.sendall(asked)
                eventually(lambda: under_way(1), "it searches")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            eventually(lambda: under_way(0), "it has given up")
        assert served.stop() == 0
        assert '"level": "error"' not in served.stderr


@pytest.mark.parametrize("delay_s", [0.0, 0.0005, 0.002])
def test_a_write_whose_caller_is_gone_is_done_or_not_and_told_once(tmp_path: Path, delay_s: float) -> None:
    """Callers who break off in the midst of pipelined writes leave one audit event for each call that began, no error and no rest."""
    writes = (json.dumps({"slot": f"s{number}", "value": "v" * 50_000}).encode() for number in count())
    flags = ("--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--body-limit-bytes", 500_000)
    with Served("--data-dir", tmp_path, *flags) as served:
        address = served.ready().addresses("http on")[0]
        for size in (1, 1, 3, 20, 20):
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as connection:
                connection.settimeout(0.5)
                with suppress(TimeoutError):
                    connection.sendall(b"".join(request("POST", "/mem/write", next(writes)) for _ in range(size)))
                time.sleep(delay_s)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with httpx.Client(base_url=address, trust_env=False) as client:
            eventually(lambda: "memslot_calls_under_way 0.0" in client.get("/metrics").text, "no call is under way")
            metrics = client.get("/metrics").text
            counted = re.findall(r'^memslot_calls_total\{code="(\w+)",method="Write".*\} (\d+)', metrics, re.MULTILINE)
            counts = {code: int(number) for code, number in counted}
            stored = client.post(LOOKUP, json={"namespace": "default", "pageSize": 100}).json().get("revision", 0)
        assert served.stop() == 0
        assert '"level": "error"' not in served.stderr
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    codes = [event["code"] for event in events if event["operation"] == "Write"]
    assert {code: codes.count(code) for code in codes} == counts
    done = [event["revision"] for event in events if event["operation"] == "Write" and event.get("revision")]
    assert sorted(done) == list(range(1, len(done) + 1))
    assert len(done) <= int(stored)
