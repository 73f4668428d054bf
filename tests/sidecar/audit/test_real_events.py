"""The events that a real sidecar leaves, for every RPC, done and refused."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.sidecar.audit.harness import Event, eventually, file_events, operations_in

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import filter_pb2, slot_pb2
from memslot.v1 import namespace_service_pb2 as namespaces
from memslot.v1 import slot_service_pb2 as slots
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.stores.base import Store

NS = "acme/support/task-42"
CANARY = "0xCANARY-nobody-may-see-this"
BODY = CANARY.encode()
REQUEST_ID = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
SAID = [
    ("memslot-agent", "planner"),
    ("memslot-conversation", "c-7"),
    ("memslot-turn", "3"),
    ("traceparent", "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"),
]
W, P = slots.WriteRequest, slot_pb2.Precondition
JSON = '{"a":"' + CANARY + '"}'

CALLS: Sequence[tuple[str, Any, str, str]] = (
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY, request_id=REQUEST_ID), "OK", "CREATED"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY, request_id=REQUEST_ID), "OK", "REPEATED"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=b"x", request_id=REQUEST_ID), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY + b"2"), "OK", "OVERWRITTEN"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY + b"2"), "OK", "UNCHANGED"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY, mode=slots.WRITE_MODE_APPEND), "OK", "APPENDED"),
    ("SlotService/Write", W(namespace=NS, name="用户偏好😀", body=JSON.encode(), content_type="application/json"), "OK", "CREATED"),
    ("SlotService/Write", W(namespace=NS, name="用户偏好😀", body=b'{"b":1}', mode=slots.WRITE_MODE_MERGE_PATCH), "OK", "PATCHED"),
    ("SlotService/Write", W(namespace=NS, name="bad", body=JSON.encode() + b"}", content_type="application/json"), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/Write", W(namespace=NS, name="big", body=BODY * 1000), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/Write", W(namespace="/", name="plan", body=BODY), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/Write", W(namespace=NS, name="plan", body=BODY, precondition=P(if_revision=1)), "ABORTED", "FAILED"),
    ("SlotService/Write", W(namespace=f"{NS}/brief", name="brief", body=BODY, ttl=Duration(nanos=1_000_000)), "OK", "CREATED"),
    ("SlotService/UpdateInfo", slots.UpdateInfoRequest(namespace=NS, name="gone"), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/Read", slots.ReadRequest(namespace=NS, name="plan"), "OK", "READ"),
    ("SlotService/Read", slots.ReadRequest(namespace=NS, name="gone"), "NOT_FOUND", "FAILED"),
    ("SlotService/BatchRead", slots.BatchReadRequest(namespace=NS, names=["plan", "gone"]), "OK", "READ"),
    ("SlotService/Describe", slots.DescribeRequest(namespace=NS, names=["plan"]), "OK", "DESCRIBED"),
    ("SlotService/Lookup", slots.LookupRequest(namespace=NS), "OK", "LISTED"),
    ("SlotService/Lookup", slots.LookupRequest(namespace=NS, filter=filter_pb2.Filter()), "INVALID_ARGUMENT", "FAILED"),
    ("SlotService/ListVersions", slots.ListVersionsRequest(namespace=NS, name="plan"), "OK", "LISTED"),
    ("SlotService/ReadVersion", slots.ReadVersionRequest(namespace=NS, name="plan", version_revision=1), "NOT_FOUND", "FAILED"),
    ("SlotService/Commit", slots.CommitRequest(namespace=NS, operations=[
        slots.CommitOperation(write=W(name="a", body=BODY)),
        slots.CommitOperation(write=W(name="b", body=BODY)),
        slots.CommitOperation(forget=slots.ForgetRequest(name="plan")),
    ]), "OK", "COMMITTED"),
    ("SlotService/Forget", slots.ForgetRequest(namespace=NS, name="a"), "OK", "FORGOTTEN"),
    ("SlotService/Forget", slots.ForgetRequest(namespace=NS, name="a"), "OK", "ABSENT"),
    ("SlotService/ForgetMatching", slots.ForgetMatchingRequest(namespace=NS, all=True), "OK", "FORGOTTEN"),
    ("SlotService/ForgetMatching", slots.ForgetMatchingRequest(namespace=NS), "INVALID_ARGUMENT", "FAILED"),
    ("NamespaceService/UpdateNamespace", namespaces.UpdateNamespaceRequest(
        namespace=NS, settings=namespaces.NamespaceSettings(slot_limit=1, overflow=namespaces.OVERFLOW_EVICT_LOWEST_RANK, ttl_refresh_on_read=True)
    ), "OK", "CONFIGURED"),
    ("SlotService/Write", W(namespace=NS, name="first", body=BODY), "OK", "CREATED"),
    ("SlotService/Write", W(namespace=NS, name="second", body=BODY, ttl=Duration(seconds=100)), "OK", "CREATED"),
    ("NamespaceService/GetNamespace", namespaces.GetNamespaceRequest(namespace=NS), "OK", "READ"),
    ("NamespaceService/GetNamespace", namespaces.GetNamespaceRequest(namespace="other"), "NOT_FOUND", "FAILED"),
    ("NamespaceService/ListNamespaces", namespaces.ListNamespacesRequest(), "OK", "LISTED"),
    ("NamespaceService/DeleteNamespace", namespaces.DeleteNamespaceRequest(namespace=NS), "FAILED_PRECONDITION", "FAILED"),
    ("NamespaceService/DeleteNamespace", namespaces.DeleteNamespaceRequest(namespace=NS, force=True), "OK", "DELETED"),
    ("AdminService/GetServerInfo", admin.GetServerInfoRequest(), "OK", "READ"),
    ("AdminService/Stats", admin.StatsRequest(), "OK", "READ"),
    ("AdminService/CheckIntegrity", admin.CheckIntegrityRequest(), "OK", "CHECKED"),
)  # fmt: skip


async def do_all(sidecar: Sidecar) -> list[str]:
    """Makes all calls; returns the errors."""
    errors = []
    for method, request, _, _ in CALLS:
        try:
            await sidecar.dispatch(method, request, SAID)
        except MemslotError as error:
            errors.append(f"{error} {error.metadata}")
    return errors


@pytest.fixture(scope="module", params=["ram", "sqlite"])
def events(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """What all calls leave, in their order; checked against the schema."""
    directory: Path = tmp_path_factory.mktemp("real")
    path = directory / "audit.jsonl"

    async def run() -> None:
        sidecar = Sidecar(
            Config(
                store=request.param,
                data_dir=directory,
                audit_file=str(path),
                sweep_interval_s=0.05,
                cache_bytes=1 << 20,
            )
        )
        await sidecar.start()
        try:
            errors = await do_all(sidecar)
            assert CANARY not in "".join(errors)
            await eventually(lambda: b'"Expire"' in path.read_bytes(), "the brief slot is swept")
        finally:
            await sidecar.stop()

    asyncio.run(run())
    assert CANARY.encode() not in path.read_bytes()
    return file_events(path)


def test_each_call_leaves_one_event_with_its_outcome_and_code(events: list[Event]) -> None:
    """Every RPC, done, unchanged, repeated and refused, leaves exactly one event, in the order of the answers."""
    operations_in(events)
    ended = [event for event in events if event.get("last_part", True) and event["operation"] != "Expire"]
    told = [(event["operation"], event["code"], event["outcome"]) for event in ended]
    assert told == [(method.split("/")[1], code, outcome) for method, _, code, outcome in CALLS]


def test_each_revision_has_its_event(events: list[Event]) -> None:
    """The mutations' revisions are numbered without gaps, and each is told once."""
    revisions = [event["revision"] for event in events if event.get("mutation")]
    assert sorted(revisions) == list(range(1, len(revisions) + 1))


def test_events_say_who_asked_and_why(events: list[Event]) -> None:
    """What the caller said about itself is told, apart from who it is."""
    for event in events:
        if event["operation"] == "Expire":
            assert event["caller"] == {"id": "system", "source": "process", "verified": True}
            continue
        assert event["caller"] == {"id": "anonymous", "source": "none", "verified": False}
        assert (event["agent"], event["conversation"], event["turn"]) == ("planner", "c-7", "3")
        assert event["trace_id"] == "ab" * 16
    assert [event.get("request_id") for event in events[:4]] == [REQUEST_ID] * 3 + [None]


def test_overwriting_and_evicting_can_be_counted(events: list[Event]) -> None:
    """Each replaced body is told with the revision that it had, each evicted slot with its name."""
    made = {(event["outcome"], *event["names"]): event["revision"] for event in events if event.get("mutation")}
    overwritten = {
        event["revision"]: event["overwritten_revision"] for event in events if "overwritten_revision" in event
    }
    assert overwritten == {
        made["OVERWRITTEN", "plan"]: made["CREATED", "plan"],
        made["APPENDED", "plan"]: made["OVERWRITTEN", "plan"],
        made["PATCHED", "用户偏好😀"]: made["CREATED", "用户偏好😀"],
    }
    evicted = [
        change["name"] for event in events for change in event.get("changes", ()) if change["change"] == "EVICTED"
    ]
    assert evicted == ["first"]


def test_names_are_told_for_every_change(events: list[Event]) -> None:
    """A commit and a forget of all name each slot."""
    commit, forget = (next(e for e in events if e["operation"] == name) for name in ("Commit", "ForgetMatching"))
    assert [(change["name"], change["change"]) for change in commit["changes"]] == [
        ("a", "CREATED"),
        ("b", "CREATED"),
        ("plan", "FORGOTTEN"),
    ]
    assert {"b", "用户偏好😀"} <= set(forget["names"])
    assert forget["count"] == len(forget["names"])


async def test_what_nobody_foresaw_is_told_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unexpected exception leaves its event, INTERNAL, and nothing of the exception's text."""
    path = tmp_path / "audit.jsonl"
    sidecar = Sidecar(Config(store="ram", audit_file=str(path)))
    await sidecar.start()

    def fail(_self: Store, *_: object) -> None:
        raise ValueError(CANARY)

    monkeypatch.setattr(type(sidecar.store), "read", fail)
    with caplog.at_level(logging.CRITICAL), pytest.raises(MemslotError, match="unforeseen"):
        await sidecar.dispatch("SlotService/Read", slots.ReadRequest(namespace=NS, name="plan"), SAID)
    await sidecar.stop()
    (event,) = file_events(path)
    assert (event["code"], event["names"]) == ("INTERNAL", ["plan"])
    assert CANARY.encode() not in path.read_bytes()


async def test_ten_thousand_slots_are_forgotten_and_named(tmp_path: Path) -> None:
    """Forgetting ten thousand slots names them all, in one event of short lines."""
    path = tmp_path / "audit.jsonl"
    sidecar = Sidecar(Config(store="ram", audit_file=str(path), slot_limit=10_000))
    await sidecar.start()
    names = [f"slot '{number}' 用户" for number in range(10_000)]
    for start in range(0, 10_000, 100):
        writes = [slots.CommitOperation(write=W(name=name, body=b"x")) for name in names[start : start + 100]]
        await sidecar.dispatch("SlotService/Commit", slots.CommitRequest(namespace=NS, operations=writes))
    await sidecar.dispatch("SlotService/ForgetMatching", slots.ForgetMatchingRequest(namespace=NS, all=True))
    await sidecar.stop()
    told = [event for event in file_events(path) if event["operation"] == "ForgetMatching"]
    assert sorted(name for event in told for name in event["names"]) == sorted(names)
    assert len({event["event_id"] for event in told}) == 1
    assert told[-1]["count"] == 10_000
