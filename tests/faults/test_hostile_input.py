"""Requests made to hurt: each is answered, soon, and the next caller is served as if nothing had been."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, failure_of, read, write
from tests.sidecar.audit.harness import VALIDATOR
from tests.system.process import PATIENCE_S, Served, health_of

from memslot.v1 import admin_service_pb2, filter_pb2
from memslot.v1 import slot_service_pb2 as pb

SOON_S = 20.0
"""What takes a moment must not take longer on a busy machine, and what takes quadratic time would."""
COMBINING = "\u0301\u0323" * 900_000
JSON = {"content_type": "application/json"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One sidecar for all of them, which takes large bodies."""
    flags = ("--listen", "127.0.0.1:0", "--body-limit-bytes", "3MB")
    with Served("--data-dir", tmp_path_factory.mktemp("data"), *flags) as running:
        running.ready().slots().Write(write("there"))
        yield running


@pytest.fixture(autouse=True)
def _serves_on(served: Served) -> Iterator[None]:
    """After each of them others are served as before."""
    yield
    slots = served.slots()
    slots.Write(write("after", b"another"), timeout=PATIENCE_S)
    assert slots.Read(read("after"), timeout=PATIENCE_S).slot.body == b"another"


def _nested(depth: int) -> filter_pb2.Filter:
    found = filter_pb2.Filter(name_prefix="a")
    for _ in range(depth):
        found = filter_pb2.Filter(all_of=filter_pb2.FilterList(filters=[found]))
    return found


def _wide(width: int) -> filter_pb2.Filter:
    prefixes = [filter_pb2.Filter(name_prefix=str(number)) for number in range(width)]
    return filter_pb2.Filter(any_of=filter_pb2.FilterList(filters=prefixes))


def _lookup(**fields: Any) -> pb.LookupRequest:
    return pb.LookupRequest(namespace=NAMESPACE, **fields)


REFUSED: Mapping[str, tuple[str, Callable[[], Any], str]] = {
    "a long name": ("Write", lambda: write("é" * 1_900_000), "INVALID_NAME"),
    "a name of combining characters": ("Write", lambda: write(f"a{COMBINING}"), "INVALID_NAME"),
    "a segment of combining characters": ("Write", lambda: write("a", b"", f"acme/a{COMBINING}"), "INVALID_NAME"),
    "a prefix of combining characters": ("Lookup", lambda: _lookup(name_prefix=COMBINING), "INVALID_NAME"),
    "two million segments": ("Write", lambda: write("a", b"", "a/" * 1_900_000), "INVALID_NAME"),
    "many tags": ("Write", lambda: write("a", tags=[str(number) for number in range(300_000)]), "INVALID_FIELD"),
    "many names": ("Describe", lambda: pb.DescribeRequest(namespace="a", names=["a"] * 1_300_000), "INVALID_FIELD"),
    "a long request id": ("Write", lambda: write("a", request_id="6" * 4_000_000), "INVALID_FIELD"),
    "a long content type": ("Write", lambda: write("a", content_type="a/b" + ";a=b" * 900_000), "INVALID_FIELD"),
    "a long page token": ("Lookup", lambda: _lookup(page_token="A" * 4_000_000), "INVALID_PAGE_TOKEN"),
    "a filter of 10,000 nodes": ("Lookup", lambda: _lookup(filter=_wide(10_000)), "INVALID_FILTER"),
    "a filter 40 deep": ("Lookup", lambda: _lookup(filter=_nested(40)), "INVALID_FILTER"),
    "JSON a million deep": ("Write", lambda: write("a", b"[" * 10**6 + b"]" * 10**6, **JSON), "INVALID_BODY"),
    "JSON that never closes": ("Write", lambda: write("a", b"[" * 2_900_000, **JSON), "INVALID_BODY"),
    "JSON with an endless string": (
        "Write",
        lambda: write("a", b"[]" * 101 + b'"' + b'\\"' * 1_400_000, **JSON),
        "INVALID_BODY",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_request_made_to_hurt_is_refused_soon(served: Served, what: str) -> None:
    """The refusal says what is wrong, in less than 4 KiB, and takes no longer than reading the request does."""
    method, make, reason = REFUSED[what]
    refused = failure_of(getattr(served.slots(), method), make(), SOON_S)
    assert refused.reason == reason
    assert len(refused.text) < 4096


def test_large_json_is_taken(served: Served) -> None:
    """A document of more than two megabytes is a document like any other, whatever numbers it holds."""
    document = {"digits": "x", "list": [[] for _ in range(250_000)], "keys": {f"k{n}": n for n in range(100_000)}}
    body = json.dumps(document).encode().replace(b'"x"', b"9" * 200_000)
    assert not isinstance(attempt(served.slots().Write, write("large", body, **JSON), SOON_S), Failure)


@pytest.mark.parametrize("method", ["Write", "Read", "Lookup", "Commit", "ForgetMatching", "BatchRead"])
def test_bytes_that_are_no_request_are_refused(served: Served, method: str) -> None:
    """Random bytes, nesting without end, text that is no UTF-8: INVALID_ARGUMENT, never INTERNAL."""
    call = served.channel().unary_unary(f"/memslot.v1.SlotService/{method}")
    endless = b""
    for _ in range(500):
        endless = b"\x1a" + _length(endless) + endless
    for data in (b"\x0a\xff", b"\x0a\x02\xc3\x28", b"\x0a\x03\xed\xa0\x80", endless, b"\xff" * 1000, os.urandom(1000)):
        assert failure_of(call, data, SOON_S).code == "INVALID_ARGUMENT"


def _length(data: bytes) -> bytes:
    size, encoded = len(data), b""
    while size > 127:
        encoded += bytes([size & 127 | 128])
        size >>= 7
    return encoded + bytes([size])


def test_frames_that_are_no_frames_close_their_connection_alone(served: Served) -> None:
    """Whatever comes over a connection harms no other."""
    host, _, port = served.addresses()[0].rpartition(":")
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    settings = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    other = served.slots()
    for data in (
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        os.urandom(5000),
        preface + os.urandom(5000),
        preface + settings + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01" * 10,
        preface + settings * 10_000,
        b"",
    ):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(data)
            assert other.Read(read("there"), timeout=PATIENCE_S).slot.body == b"body"


def test_many_connections_are_served(served: Served) -> None:
    """Hundreds of clients, and hundreds of connections that say nothing, at once."""
    host, _, port = served.addresses()[0].rpartition(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(300)]
    stubs = [served.slots() for _ in range(100)]
    calls = [stub.Read.future(read("there"), timeout=PATIENCE_S) for stub in stubs]
    assert [call.result().slot.body for call in calls] == [b"body"] * 100
    for connection in silent:
        connection.close()


@pytest.mark.parametrize(
    "metadata",
    [
        [("memslot-agent", "x" * 7000)],
        [("memslot-agent-bin", b"\xff\xfe\x00\n{}")],
        [("traceparent", "00-" + "z" * 7000)],
        [("memslot-turn", "1"), ("memslot-turn", 'a"b\\n')],
        [(f"unknown-{number}", "v") for number in range(50)],
    ],
    ids=["long", "binary", "no trace", "twice", "many"],
)
def test_odd_metadata_is_no_reason_to_fail(served: Served, metadata: list[tuple[str, str | bytes]]) -> None:
    """Metadata is only recorded; what makes no sense is left out."""
    slots = served.slots()
    assert slots.Read(read("there"), metadata=metadata, timeout=PATIENCE_S).slot.body == b"body"


def test_metadata_that_is_too_large_is_refused(served: Served) -> None:
    """Metadata beyond what gRPC takes is refused without harm."""
    with pytest.raises(grpc.RpcError) as caught:
        served.slots().Read(read("there"), metadata=[("memslot-agent", "x" * 200_000)], timeout=PATIENCE_S)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_stopped_process_goes_on_where_it_was(served: Served) -> None:
    """Calls that meet a stopped process are answered when it goes on, or run out of time; none is done twice."""
    slots = served.slots()
    served.signal(signal.SIGSTOP)
    calls = [slots.Write.future(write(f"stopped {number}"), timeout=PATIENCE_S) for number in range(20)]
    late = attempt(slots.Write, write("late"), 0.2)
    served.signal(signal.SIGCONT)
    assert late.code == "DEADLINE_EXCEEDED"
    assert len({call.result().receipt.revision for call in calls}) == 20


def test_nothing_of_it_harmed_store_or_trail(served: Served) -> None:
    """After all of that the store is sound, the log tells of no unforeseen failure, and every audit event obeys the schema."""
    report = served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest())
    assert list(report.problems) == []
    assert health_of(served.channel()) == "SERVING"
    assert "error_id" not in served.stderr
    (path,) = [line.split()[1].rstrip(",") for line in served.stderr.splitlines() if line.startswith("  audit ")]
    events = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    assert [error for event in events for error in VALIDATOR.iter_errors(event)] == []
