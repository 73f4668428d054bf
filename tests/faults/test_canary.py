"""A body leaves only when it was asked for: a word in many bodies is searched for in everything else that leaves the process."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, read, write
from tests.faults.canaries import Canary
from tests.system.process import Served

from memslot.v1 import admin_service_pb2, namespace_service_pb2, slot_pb2
from memslot.v1 import slot_service_pb2 as pb

FAILING = Path(__file__).with_name("failing_memslot.py")
UNKNOWN_FIELD = 1999


@pytest.fixture(params=["sqlite", "ram"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A sidecar on either store that keeps two versions, and has room for little."""
    flags = (
        "--versions-kept",
        2,
        "--slot-limit",
        8,
        "--store-limit-bytes",
        9000,
        "--audit-file",
        tmp_path / "audit.jsonl",
    )
    with Served(
        "--store", request.param, "--data-dir", tmp_path / "data", "--listen", "127.0.0.1:0", *flags
    ) as running:
        yield running.ready()


def test_body_is_nowhere_but_where_it_was_asked_for(served: Served, tmp_path: Path) -> None:
    """A word that stands in bodies of every kind is in no reply but those of Read, BatchRead and ReadVersion, in no error, no trailer, no
    line of the log or of the audit trail, whether calls succeed or fail."""
    canary = Canary()
    slots = served.slots()
    answers = [attempt(getattr(slots, method), request) for method, request in _writing(canary)]
    assert [type(answer) is Failure for answer in answers] == [False] * len(answers), answers
    failures = [attempt(getattr(slots, method), request) for method, request in _failing(canary)]
    assert [failed.reason for failed in failures] == [reason for _, _, reason in _FAILING]
    undecodable = attempt(served.channel().unary_unary("/memslot.v1.SlotService/Write"), b"\x0a\xff" + canary.text)
    assert undecodable.code == "INVALID_ARGUMENT"
    told = [failed.text for failed in [*failures, undecodable]]
    told += [answer.SerializeToString() for answer in [*answers, *_looking(served)]]
    assert not [answer for answer in told if canary.is_in(answer)]

    asked = [slots.Read(read(name)) for name in ("text", "document", "binary")]
    asked.append(slots.BatchRead(pb.BatchReadRequest(namespace=NAMESPACE, names=["text"])))
    assert all(canary.is_in(reply.SerializeToString()) for reply in asked)
    assert served.stop() == 0
    assert not canary.is_in(served.stderr)
    assert not canary.is_in(served.stdout)
    assert not canary.is_in((tmp_path / "audit.jsonl").read_bytes())


def test_unforeseen_failures_tell_an_id_and_nothing_else(tmp_path: Path) -> None:
    """A store that raises what nobody foresaw, with bodies in its exceptions: the caller gets INTERNAL with an id, the log tells the same id
    with types and places, and the body is in neither, nor in the audit trail."""
    canary = Canary()
    program = (sys.executable, FAILING)
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0", program=program) as served:
        slots = served.ready().slots()
        slots.Write(write("fail", canary.text))
        commit = pb.CommitRequest(namespace=NAMESPACE)
        commit.operations.add(write=pb.WriteRequest(name="fail to put", body=canary.document))
        failures = [
            attempt(slots.Read, read("fail")),
            attempt(slots.Write, write("fail to put", canary.text)),
            attempt(slots.Write, write("fail to put", canary.text, mode=pb.WRITE_MODE_APPEND)),
            attempt(slots.Commit, commit),
            attempt(slots.BatchRead, pb.BatchReadRequest(namespace=NAMESPACE, names=["fail"])),
        ]
        assert [failed.code for failed in failures] == ["INTERNAL"] * len(failures)
        assert not [failed for failed in failures if canary.is_in(failed.text)]
        assert served.stop() == 0
    ids = [re.search(r"error id ([0-9a-f]{16})", failed.text) for failed in failures]
    assert all(found is not None and f"error_id={found[1]}" in served.stderr for found in ids)
    assert "ValueError" in served.stderr
    assert not canary.is_in(served.stderr)
    assert not canary.is_in((tmp_path / "audit.jsonl").read_bytes())


def _writing(canary: Canary) -> Iterator[tuple[str, Any]]:
    """Calls that store it."""
    yield "Write", write("text", canary.text)
    yield "Write", write("text", canary.text * 2)
    yield "Write", write("text", canary.text, mode=pb.WRITE_MODE_APPEND)
    yield "Write", write("document", canary.document, content_type="application/json")
    yield "Write", write("document", canary.document.replace(b"key", b"other"), mode=pb.WRITE_MODE_MERGE_PATCH)
    yield "Write", write("binary", canary.binary, request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11")
    yield "Write", write("binary", canary.binary, request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11")
    commit = pb.CommitRequest(namespace=NAMESPACE)
    commit.operations.add(write=pb.WriteRequest(name="in commit", body=canary.text))
    commit.operations.add(check=pb.CommitCheck(name="text", precondition=slot_pb2.Precondition(if_revision=3)))
    yield "Commit", commit
    yield "Forget", pb.ForgetRequest(namespace=NAMESPACE, name="in commit")


def _too_large(canary: Canary) -> Any:
    return write("large", canary.text * 200)


def _unknown_field(canary: Canary) -> Any:
    stranger = pb.WriteRequest()
    data = canary.text
    key = (UNKNOWN_FIELD << 3 | 2).to_bytes(2, "little")
    raw = bytes([key[0] & 0x7F | 0x80, (UNKNOWN_FIELD << 3 | 2) >> 7]) + bytes([len(data)]) + data
    stranger.ParseFromString(write("stranger", canary.text).SerializeToString() + raw)
    return stranger


def _in_commit(canary: Canary) -> Any:
    commit = pb.CommitRequest(namespace=NAMESPACE)
    commit.operations.add(write=pb.WriteRequest(name="fine", body=canary.text))
    commit.operations.add(
        write=pb.WriteRequest(name="broken", body=canary.broken_document, content_type="application/json")
    )
    return commit


def _full(canary: Canary) -> Any:
    commit = pb.CommitRequest(namespace=NAMESPACE)
    for number in range(9):
        commit.operations.add(write=pb.WriteRequest(name=f"{number}", body=canary.text))
    return commit


def _store_full(canary: Canary) -> Any:
    commit = pb.CommitRequest(namespace="elsewhere")
    for number in range(4):
        commit.operations.add(write=pb.WriteRequest(name=f"{number}", body=canary.text * 60))
    return commit


_Make = Callable[[Canary], Any]
_JSON = {"content_type": "application/json"}
_FAILING: Sequence[tuple[str, _Make, str]] = [
    ("Write", _too_large, "BODY_TOO_LARGE"),
    ("Write", lambda c: write("a", c.broken_document, **_JSON), "INVALID_BODY"),
    ("Write", lambda c: write("a", c.document[:-1] + b', "key": "again' + c.text + b'"', **_JSON), "INVALID_BODY"),
    ("Write", lambda c: write("a", c.binary, content_type="text/plain"), "INVALID_BODY"),
    ("Write", lambda c: write("a", c.binary, **_JSON), "INVALID_BODY"),
    ("Write", lambda c: write("a", b'{"k":NaN,"' + c.text + b'":1}', **_JSON), "INVALID_BODY"),
    ("Write", lambda c: write("a", b"[" * 101 + c.document + b"]" * 101, **_JSON), "INVALID_BODY"),
    ("Write", lambda c: write("document", c.broken_document, mode=pb.WRITE_MODE_MERGE_PATCH), "INVALID_BODY"),
    ("Write", lambda c: write("document", c.text, mode=pb.WRITE_MODE_APPEND), "INVALID_BODY"),
    ("Write", lambda c: write("text", c.document, mode=pb.WRITE_MODE_MERGE_PATCH), "CONTENT_TYPE_MISMATCH"),
    ("Write", lambda c: write("text", c.binary, mode=pb.WRITE_MODE_APPEND), "INVALID_BODY"),
    ("Write", lambda c: write("text", c.text, precondition=slot_pb2.Precondition(if_absent=True)), "SLOT_EXISTS"),
    ("Write", lambda c: write("text", c.text, precondition=slot_pb2.Precondition(if_revision=99)), "REVISION_MISMATCH"),
    ("Write", lambda c: write("../a\n", c.text), "INVALID_NAME"),
    ("Write", lambda c: write("a", c.text, "//"), "INVALID_NAME"),
    ("Write", lambda c: write("a", c.text, request_id="no uuid"), "INVALID_FIELD"),
    ("Write", lambda c: write("a", c.text, request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"), "REQUEST_ID_REUSED"),
    ("Write", lambda c: write("a", c.text, importance=2.0), "INVALID_FIELD"),
    ("Write", _unknown_field, "UNKNOWN_FIELD"),
    ("Commit", _in_commit, "INVALID_BODY"),
    ("Commit", _full, "SLOT_LIMIT_REACHED"),
    ("Commit", _store_full, "STORE_FULL"),
]


def _failing(canary: Canary) -> Iterator[tuple[str, Any]]:
    """Calls that bring it and are refused."""
    for method, make, _ in _FAILING:
        yield method, make(canary)


def _looking(served: Served) -> Iterator[Any]:
    """Replies to everything that asks for no body."""
    slots, namespaces, admin = served.slots(), served.namespaces(), served.admin()
    info, all_names = pb.LOOKUP_VIEW_INFO, ["text", "document", "binary", "missing"]
    for order in pb.LookupOrder.values():
        yield slots.Lookup(pb.LookupRequest(namespace=NAMESPACE, view=info, order_by=order, total=True, page_size=1))
    yield slots.Describe(pb.DescribeRequest(namespace=NAMESPACE, names=all_names))
    yield slots.ListVersions(pb.ListVersionsRequest(namespace=NAMESPACE, name="text"))
    revision = slots.Describe(pb.DescribeRequest(namespace=NAMESPACE, names=["text"])).results[0].info.revision
    yield slots.Read(pb.ReadRequest(namespace=NAMESPACE, name="text", if_revision_not=revision))
    update = pb.UpdateInfoRequest(namespace=NAMESPACE, name="text", info=slot_pb2.SlotInfo(description="d"))
    update.update_mask.paths.append("description")
    yield slots.UpdateInfo(update)
    yield slots.ForgetMatching(pb.ForgetMatchingRequest(namespace=NAMESPACE, filter={"name_prefix": "none"}))
    yield namespaces.GetNamespace(namespace_service_pb2.GetNamespaceRequest(namespace=NAMESPACE))
    yield namespaces.ListNamespaces(namespace_service_pb2.ListNamespacesRequest())
    yield admin.GetServerInfo(admin_service_pb2.GetServerInfoRequest())
    yield admin.Stats(admin_service_pb2.StatsRequest())
    yield admin.CheckIntegrity(admin_service_pb2.CheckIntegrityRequest())
