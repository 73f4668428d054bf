"""Names that other systems break on, through every method and into the audit trail; and namespaces that look alike."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.faults.asking import append, failure_of, pages, read, write
from tests.faults.trail import Event
from tests.system.process import Served

from memslot.v1 import filter_pb2, namespace_service_pb2, slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

NAMES = [
    "用户偏好",
    "a'b\"c",
    "50%_x",
    "😀",
    "a-b.c#d",
    "a\\b",
    "a b",
    "é",
    "*",
    "%",
    "_",
    "a?b=c&d/e:f",
    "--",
    ";DROP TABLE slots",
]
FORGOTTEN, LEFT = NAMES[::2], sorted(NAMES[1::2], key=len, reverse=True)
NAMESPACES = ["acme/a@b.com", "auth0|x", "用户-7", "😀/50%_x/a'b\"c", "*"]
BY_NAME = pb.LOOKUP_ORDER_NAME
TWINS = ["acme/a", "acme/a/b", "acme/ab", "acme_a", "acme/_", "acme/%", "acmeXa", "acme", "Acme/a", "acme/a\u0301"]


@pytest.fixture(params=["sqlite", "ram"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A sidecar on either store, with its audit trail in a file."""
    flags = ("--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit.jsonl", "--versions-kept", 3)
    with Served("--store", request.param, "--listen", "127.0.0.1:0", *flags) as running:
        yield running.ready()


def test_any_name_survives_every_method(served: Served, tmp_path: Path) -> None:
    """A slot with such a name is written, found by every kind of lookup, read, described, changed, committed, listed with its versions
    and forgotten under exactly this name, and stands so in the audit trail."""
    for namespace in NAMESPACES:
        _lives(served.slots(), namespace)
    assert served.stop() == 0
    events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {event["namespace"] for event in events} == set(NAMESPACES)
    for namespace in NAMESPACES:
        _stand_in([event for event in events if event["namespace"] == namespace])


def _lives(slots: SlotServiceStub, namespace: str) -> None:
    """All slots of a namespace, from their first write until they are forgotten."""
    for name in NAMES:
        _live(slots, namespace, name)
    batch = slots.BatchRead(pb.BatchReadRequest(namespace=namespace, names=NAMES)).results
    described = slots.Describe(pb.DescribeRequest(namespace=namespace, names=NAMES)).results
    assert [result.slot.info.name for result in batch] == [result.info.name for result in described] == NAMES
    _be_found(slots, namespace)
    commit = pb.CommitRequest(namespace=namespace)
    for name in NAMES:
        commit.operations.add(write=pb.WriteRequest(name=name, body=b"3"))
    assert [result.receipt.name for result in slots.Commit(commit).results] == NAMES
    for name in FORGOTTEN:
        assert slots.Forget(pb.ForgetRequest(namespace=namespace, name=name)).receipt.name == name
    for name in LEFT:
        matching = pb.ForgetMatchingRequest(namespace=namespace, filter={"name_prefix": name})
        assert slots.ForgetMatching(matching).forgotten == 1
        assert failure_of(slots.Read, read(name, namespace)).reason == "SLOT_NOT_FOUND"


def _stand_in(events: Sequence[Event]) -> None:
    """Every name, in the events of one namespace."""
    told: dict[str, list[list[str]]] = {}
    for event in events:
        told.setdefault(event["operation"], []).append(event["names"])
    one_by_one = [[name] for name in NAMES]
    assert told["UpdateInfo"] == told["ListVersions"] == told["ReadVersion"] == one_by_one
    assert told["Write"] == [[name] for name in NAMES for _ in range(2)]
    assert told["Read"] == one_by_one + [[name] for name in LEFT]
    assert told["BatchRead"] == told["Describe"] == told["Commit"] == [NAMES]
    assert told["Forget"] == [[name] for name in FORGOTTEN]
    assert told["ForgetMatching"] == [[name] for name in LEFT]


def _live(slots: SlotServiceStub, namespace: str, name: str) -> None:
    """A slot's life, up to its second version."""
    request = write(name, b"1", namespace, task_type=name, tags=[name], description=name)
    request.attributes[name].string_value = name
    created = slots.Write(request).receipt
    assert created.name == name
    slots.Write(append(name, b"2", namespace))
    update = pb.UpdateInfoRequest(namespace=namespace, name=name, info=slot_pb2.SlotInfo(importance=0.5))
    update.update_mask.paths.append("importance")
    slots.UpdateInfo(update)
    slot = slots.Read(read(name, namespace)).slot
    assert (slot.info.name, slot.info.namespace, slot.body) == (name, namespace, b"12")
    assert len(slots.ListVersions(pb.ListVersionsRequest(namespace=namespace, name=name)).versions) == 2
    older = pb.ReadVersionRequest(namespace=namespace, name=name, version_revision=created.revision)
    assert slots.ReadVersion(older).slot.body == b"1"


def _be_found(slots: SlotServiceStub, namespace: str) -> None:
    """Pages in every view, and conditions of every kind."""
    in_order = sorted(NAMES, key=str.encode)
    for view in (pb.LOOKUP_VIEW_NAMES, pb.LOOKUP_VIEW_INFO):
        assert pages(slots, pb.LookupRequest(namespace=namespace, view=view, page_size=1, order_by=BY_NAME)) == [
            [name] for name in in_order
        ]
    for name in NAMES:
        value = filter_pb2.StringSet(values=[name])
        attribute = filter_pb2.AttributeCondition(key=name, eq={"string_value": name})
        for condition in ({"tags_any": value}, {"task_type_in": value}, {"attribute": attribute}):
            found = slots.Lookup(pb.LookupRequest(namespace=namespace, filter=condition))
            assert [info.name for info in found.slots] == [name]
        with_prefix = [other for other in in_order if other.startswith(name)]
        by_field = pb.LookupRequest(namespace=namespace, name_prefix=name, order_by=BY_NAME)
        by_filter = pb.LookupRequest(namespace=namespace, filter={"name_prefix": name}, order_by=BY_NAME)
        for request in (by_field, by_filter):
            assert [info.name for info in slots.Lookup(request).slots] == with_prefix


def test_any_namespace_is_configured_and_listed(served: Served) -> None:
    """A namespace with such a name is configured, got, listed under its parent and deleted, and touches no other."""
    namespaces, slots = served.namespaces(), served.slots()
    for namespace in NAMESPACES + TWINS:
        settings = namespace_service_pb2.NamespaceSettings(slot_limit=2)
        namespaces.UpdateNamespace(namespace_service_pb2.UpdateNamespaceRequest(namespace=namespace, settings=settings))
        slots.Write(write("x", b"x", namespace))
    every = [n.name for n in namespaces.ListNamespaces(namespace_service_pb2.ListNamespacesRequest()).namespaces]
    expected = {_nfc(namespace) for namespace in NAMESPACES + TWINS}
    assert every == sorted(expected, key=str.encode)
    for namespace in list(expected):
        request = namespace_service_pb2.ListNamespacesRequest(parent=namespace)
        listed = [n.name for n in namespaces.ListNamespaces(request).namespaces]
        assert listed == [n for n in every if n == namespace or n.startswith(namespace + "/")]
        got = namespaces.GetNamespace(namespace_service_pb2.GetNamespaceRequest(namespace=namespace)).namespace
        assert (got.name, got.slot_count, got.settings.slot_limit) == (namespace, 1, 2)
    for namespace in list(expected):
        namespaces.DeleteNamespace(namespace_service_pb2.DeleteNamespaceRequest(namespace=namespace, force=True))
        expected.remove(namespace)
        left = namespaces.ListNamespaces(namespace_service_pb2.ListNamespacesRequest()).namespaces
        assert {n.name for n in left} == expected


def test_namespaces_that_look_alike_are_apart(served: Served) -> None:
    """`acme/a` never sees `acme/ab` or `acme_a`: not in lookups, recursive or not, nor in totals, nor does forgetting touch them."""
    slots = served.slots()
    twins = [_nfc(twin) for twin in TWINS]
    for namespace in ("acme/a", "acme/_", "acme/%", "acme_a"):
        for twin in twins:
            slots.Write(write("x", twin.encode(), twin))
        inside = {twin for twin in twins if twin == namespace or twin.startswith(namespace + "/")}
        found = slots.Lookup(pb.LookupRequest(namespace=namespace, total=True))
        assert ([info.name for info in found.slots], found.total) == (["x"], 1)
        below = slots.Lookup(pb.LookupRequest(namespace=namespace, recursive=True, total=True))
        assert {info.namespace for info in below.slots} == inside
        assert below.total == len(inside)
        request = pb.ForgetMatchingRequest(namespace=namespace, all=True, recursive=True)
        assert slots.ForgetMatching(request).forgotten == len(inside)
        for twin in set(twins) - inside:
            assert slots.Read(read("x", twin)).slot.body.decode() == twin


def test_wildcards_of_sql_are_ordinary_characters(served: Served) -> None:
    """`_`, `%`, `*` and `?` in a prefix match themselves only, in whichever way a prefix is given."""
    slots = served.slots()
    for name in ("a_b", "axb", "a%b", "a*b", "a?b", "a[b", "A_B", "ab"):
        slots.Write(write(name))
    for prefix in ("a_", "a%", "a*", "a?", "a["):
        by_field = pb.LookupRequest(namespace="acme/task", name_prefix=prefix)
        by_filter = pb.LookupRequest(namespace="acme/task", filter={"name_prefix": prefix})
        for request in (by_field, by_filter):
            assert [info.name for info in slots.Lookup(request).slots] == [f"{prefix}b"]


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
