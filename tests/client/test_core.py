"""What calls send and what they return."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format
from tests.client.fake_transport import FakeStream
from tests.client.scripted import scripted, written

from memslot import INHERIT, NEVER, Batch, Memory, MemslotError, Order, Origin, Outcome, Overflow, ReceiptWarning
from memslot._core.binding import Binding, Session
from memslot.v1.admin_service_pb2 import BackupResponse, StatsResponse
from memslot.v1.namespace_service_pb2 import ListNamespacesResponse, Namespace, UpdateNamespaceResponse
from memslot.v1.slot_pb2 import AttributeValue, Receipt, Slot, SlotInfo
from memslot.v1.slot_service_pb2 import CommitResponse, CommitResult, LookupResponse, ReadResponse

UTC = timezone.utc
REQUESTS: list[tuple[Callable[[Memory], Any], str]] = [
    (lambda m: m.write("a", "x"), 'name: "a" body: "x" content_type: "text/plain" mode: WRITE_MODE_REPLACE'),
    (
        lambda m: m.write(
            "a", [1], description="d", task_type="t", tags=["x", "y"], attributes={"n": 1, "b": False}, importance=0.5,
            pinned=False, origin=Origin.TOOL, ttl=1.5, if_absent=True,
        ),
        """name: "a" body: "[1]" content_type: "application/json" mode: WRITE_MODE_REPLACE description: "d" task_type: "t" tags: "x" tags: "y"
        attributes { key: "n" value { int64_value: 1 } } attributes { key: "b" value { bool_value: false } } importance: 0.5
        pinned: false origin: ORIGIN_TOOL ttl { seconds: 1 nanos: 500000000 } precondition { if_absent: true }""",
    ),
    (
        lambda m: m.write("a", b"", ttl=timedelta(days=1), if_revision=0, description="", tags=None, importance=None),
        """name: "a" content_type: "application/octet-stream" mode: WRITE_MODE_REPLACE description: "" ttl { seconds: 86400 }
        precondition { if_revision: 0 }""",
    ),
    (
        lambda m: m.write("a", "", ttl=NEVER),
        'name: "a" content_type: "text/plain" mode: WRITE_MODE_REPLACE never: true',
    ),
    (
        lambda m: m.write("a", "", expire_time=datetime(2026, 1, 1, tzinfo=UTC)),
        'name: "a" content_type: "text/plain" mode: WRITE_MODE_REPLACE expire_time { seconds: 1767225600 }',
    ),
    (lambda m: m.append("a", "x"), 'name: "a" body: "x" mode: WRITE_MODE_APPEND'),
    (
        lambda m: m.append("a", "x", content_type="text/csv"),
        'name: "a" body: "x" content_type: "text/csv" mode: WRITE_MODE_APPEND',
    ),
    (lambda m: m.patch("a", {"b": None}), 'name: "a" body: "{\\"b\\":null}" mode: WRITE_MODE_MERGE_PATCH'),
    (lambda m: m.patch("a", "x"), 'name: "a" body: "\\"x\\"" mode: WRITE_MODE_MERGE_PATCH'),
    (lambda m: m.patch("a", b'{"b": 1}'), 'name: "a" body: "{\\"b\\": 1}" mode: WRITE_MODE_MERGE_PATCH'),
    (lambda m: m.forget("a", if_revision=3, erase=True), 'name: "a" precondition { if_revision: 3 } erase: true'),
    (
        lambda m: m.update_info("a", description="", tags=[], pinned=False, origin=Origin.UNSPECIFIED, ttl=60, if_revision=2),
        """name: "a" info {} update_mask { paths: "description" paths: "tags" paths: "pinned" paths: "origin" }
        ttl { seconds: 60 } precondition { if_revision: 2 }""",
    ),
    (
        lambda m: m.update_info("a", attributes={"n": 1.0}, content_type="text/csv", importance=1),
        """name: "a" info { content_type: "text/csv" attributes { key: "n" value { double_value: 1 } } importance: 1 }
        update_mask { paths: "content_type" paths: "attributes" paths: "importance" }""",
    ),
    (lambda m: m.update_info("a", ttl=NEVER), 'name: "a" info {} update_mask {} never: true'),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), REQUESTS)
def test_a_mutation_says_what_its_arguments_say(call: Callable[[Memory], Any], text: str) -> None:
    """Each argument becomes its field, what is left out stays unset, and the namespace is the client's."""
    memory, transport = scripted(written())
    call(memory)
    (request,) = transport.requests
    expected = text_format.Parse(text, type(request)())
    expected.namespace, expected.request_id = "acme", request.request_id
    assert request == expected


def test_a_namespace_keeps_what_is_not_said_and_inherits_what_is_told_to() -> None:
    """None leaves a setting, INHERIT puts it into the mask without a value."""
    memory, transport = scripted(UpdateNamespaceResponse(namespace=Namespace(name="acme")))
    memory.namespaces.update(
        slot_limit=5, ttl_max=INHERIT, overflow=Overflow.EVICT_LOWEST_RANK, ttl_default=timedelta(hours=1)
    )
    (request,) = transport.requests
    assert list(request.update_mask.paths) == ["slot_limit", "ttl_default", "ttl_max", "overflow"]
    assert (request.settings.slot_limit, request.settings.overflow, request.settings.ttl_default.seconds) == (
        5,
        2,
        3600,
    )
    assert not request.settings.HasField("ttl_max")


def test_a_commit_holds_its_operations_in_order() -> None:
    """The batch becomes one request, its receipts come back in order."""
    results = [
        CommitResult(receipt=Receipt(name=name, outcome=outcome)) for name, outcome in [("a", 1), ("b", 7), ("c", 9)]
    ]  # type: ignore[arg-type]
    memory, transport = scripted(CommitResponse(results=results, revision=8))
    batch = (
        Batch()
        .write("a", "secret", if_absent=True)
        .forget("b", erase=True)
        .check("c", if_revision=3)
        .append("d", "x")
        .patch("e", {})
    )
    assert "secret" not in repr(batch)
    committed = memory.commit(batch)
    (request,) = transport.requests
    kinds = [operation.WhichOneof("operation") for operation in request.operations]
    assert kinds == ["write", "forget", "check", "write", "write"]
    assert not any(operation.write.request_id or operation.write.namespace for operation in request.operations)
    assert [receipt.outcome for receipt in committed.receipts] == [Outcome.CREATED, Outcome.FORGOTTEN, Outcome.CHECKED]
    assert (committed.revision, len(batch)) == (8, 5)


def test_a_slot_is_decoded_whole() -> None:
    """Every field reaches the caller: aware UTC times, enums, typed attributes, the value by its content type."""
    info = text_format.Parse(
        """name: "a" namespace: "acme" revision: 7 version: 2 content_type: "application/json" body_bytes: 7 description: "d"
        task_type: "t" tags: "x" attributes { key: "n" value { int64_value: 1 } } importance: 0.5 rank_score: -1.5 pinned: true
        access_count: 3 create_time { seconds: 1767225600 nanos: 1000000 } update_time { seconds: 1767225601 } written_by: "anonymous"
        origin: ORIGIN_MODEL has_summary: true has_vector: true""",
        SlotInfo(),
    )
    memory, _ = scripted(ReadResponse(slot=Slot(info=info, body=b'{"a":1}')))
    slot = memory.read("a")
    assert (slot.value, slot.text, slot.body, slot.revision, slot.name) == ({"a": 1}, '{"a":1}', b'{"a":1}', 7, "a")
    assert slot.info.create_time == datetime(2026, 1, 1, 0, 0, 0, 1000, tzinfo=UTC)
    assert (slot.info.access_time, slot.info.expire_time) == (None, None)
    assert (slot.info.attributes, slot.info.tags, slot.info.origin) == ({"n": 1}, ("x",), Origin.MODEL)
    assert type(slot.info.attributes["n"]) is int
    assert (slot.info.has_summary, slot.info.has_vector) == (True, True)
    known = {field.name for field in SlotInfo.DESCRIPTOR.fields}
    assert known | {"summary"} == set(type(slot.info).__dataclass_fields__)


def test_a_repr_shows_a_size_and_never_a_body() -> None:
    """Logs and tracebacks that print results hold no body."""
    memory, _ = scripted(ReadResponse(slot=Slot(info=SlotInfo(name="a", content_type="text/plain"), body=b"secret")))
    slot = memory.read("a")
    assert "secret" not in f"{slot!r} {slot} {[slot]!r} {slot.info!r}"
    assert "6 bytes" in repr(slot)


def test_an_unchanged_slot_is_none() -> None:
    """The cheap poll answers None while nothing changed."""
    memory, transport = scripted(ReadResponse(not_modified=True))
    assert memory.read_if_changed("a", 7) is None
    assert transport.requests[0].if_revision_not == 7


def test_numbers_of_a_newer_server_become_unspecified() -> None:
    """An outcome or warning that this client does not know does no harm."""
    memory, _ = scripted(written(outcome=99, warnings=[1, 99]))
    receipt = memory.write("a", "b")
    assert receipt.outcome is Outcome.UNSPECIFIED
    assert receipt.warnings == (ReceiptWarning.SLOT_LIMIT_NEAR, ReceiptWarning.UNSPECIFIED)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.write("a", "secret", ttl=1, expire_time=datetime.now(UTC)),
        lambda m: m.write("a", "secret", if_absent=True, if_revision=1),
        lambda m: m.write("a", "secret", ttl=float("inf")),
        lambda m: m.write("a", "secret", ttl=1e300),
        lambda m: m.write("a", "secret", expire_time=datetime(2030, 1, 1)),  # noqa: DTZ001 - the point
        lambda m: m.write("a", "secret", attributes={"n": 2**63}),
        lambda m: m.write("a", "secret", attributes={"n": None}),
        lambda m: m.write("a", "secret", tag=["x"]),
        lambda m: m.write("a", "secret", timeout=0),
        lambda m: m.forget_matching(),
        lambda m: m.commit(Batch().check("a")),
    ],
)
def test_arguments_that_cannot_work_are_refused_before_a_call(call: Callable[[Memory], Any]) -> None:
    """Two expiries, two preconditions, times that are none, unknown keywords, a missing choice; the value is not repeated."""
    memory, transport = scripted()
    with pytest.raises((ValueError, TypeError)) as raised:
        call(memory)
    assert "secret" not in str(raised.value)
    assert transport.asked == []


def test_a_timeout_is_the_calls_own_else_the_clients() -> None:
    """Every call has a deadline, 10 s unless it is set; infinity is none."""
    memory, transport = scripted(*[written()] * 4)
    for timeout in (None, 2, timedelta(milliseconds=500), float("inf")):
        memory.write("a", "b", timeout=timeout)
    assert [ask.timeout_s for ask in transport.asked] == [10.0, 2.0, 0.5, None]


def test_another_namespace_is_bound_on_the_same_connection() -> None:
    """The bound client talks of its namespace; closing one closes both."""
    memory, transport = scripted(LookupResponse(), ListNamespacesResponse())
    other = memory.namespace("acme/b")
    assert list(other.lookup(order=Order.NAME)) == []
    assert (transport.requests[0].namespace, other.namespace_path, memory.namespace_path) == (
        "acme/b",
        "acme/b",
        "acme",
    )
    assert list(other.namespaces.list("acme")) == []
    other.close()
    assert transport.closed


def test_a_backup_becomes_a_whole_file_of_its_owner(tmp_path: Path) -> None:
    """The copy is written, synced and private; an existing file is not touched."""
    chunks = [
        BackupResponse(chunk=b"abc", total_bytes=5, revision=7),
        BackupResponse(chunk=b"de", total_bytes=5, revision=7),
    ]
    memory = Memory(Binding(Session(), "acme"), FakeStream(chunks))
    info = memory.backup(tmp_path / "copy.db")
    assert ((tmp_path / "copy.db").read_bytes(), info.total_bytes, info.revision) == (b"abcde", 5, 7)
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        memory.backup(str(tmp_path / "copy.db"))
    target = io.BytesIO()
    memory.backup(target)
    assert target.getvalue() == b"abcde"
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


@pytest.mark.parametrize("answers", [[BackupResponse(chunk=b"abc", total_bytes=5)], [], [MemslotError("lost")]])
def test_a_backup_that_broke_off_leaves_no_file(tmp_path: Path, answers: list[Any]) -> None:
    """Half a copy is never taken for a whole one."""
    memory = Memory(Binding(Session(), "acme"), FakeStream(answers))
    with pytest.raises(MemslotError):
        memory.backup(tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_stats_count_calls_and_projections() -> None:
    """Counters come as plain values."""
    reply = text_format.Parse(
        'slots: 3 calls { method: "SlotService/Read" code: "OK" count: 2 } projections { name: "audit" watermark: 9 } uptime { seconds: 61 }',
        StatsResponse(),
    )
    memory, _ = scripted(reply)
    stats = memory.stats()
    assert (stats.slots, stats.calls[0].count, stats.projections, stats.uptime) == (
        3,
        2,
        {"audit": 9},
        timedelta(seconds=61),
    )
    assert {field.name for field in StatsResponse.DESCRIPTOR.fields} == set(type(stats).__dataclass_fields__)


def test_attributes_keep_their_types() -> None:
    """A bool is no int, an int no float."""
    values = {"s": "1", "i": 1, "d": 1.0, "b": True}
    memory, transport = scripted(written())
    memory.write("a", "b", attributes=values)
    kinds = {key: value.WhichOneof("kind") for key, value in transport.requests[0].attributes.items()}
    assert kinds == {"s": "string_value", "i": "int64_value", "d": "double_value", "b": "bool_value"}
    assert AttributeValue().WhichOneof("kind") is None
