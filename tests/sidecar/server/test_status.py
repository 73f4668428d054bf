"""From a domain error to google.rpc.Status."""

from __future__ import annotations

import base64
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from memslot_sidecar import errors
from memslot_sidecar.status import to_status


def detail(status: status_pb2.Status, kind: Any) -> Any:
    """The only detail of a kind."""
    found = [kind.FromString(any_.value) for any_ in status.details if any_.Is(kind.DESCRIPTOR)]
    assert len(found) == 1
    return found[0]


def every_error() -> list[type[errors.MemslotError]]:
    """The whole tree."""
    waiting, found = [errors.MemslotError], []
    while waiting:
        cls = waiting.pop()
        found.append(cls)
        waiting += cls.__subclasses__()
    return found


@pytest.mark.parametrize("cls", every_error(), ids=lambda cls: cls.__name__)
def test_every_error_has_a_code_and_a_reason(cls: type[errors.MemslotError]) -> None:
    """Each error of the tree becomes a status with its code and an ErrorInfo of our domain."""
    error = cls("what and why", metadata={"key": "value"})
    status = to_status(error)
    info = detail(status, error_details_pb2.ErrorInfo)
    assert status.code == grpc.StatusCode[errors.grpc_code(error)].value[0]
    assert (info.domain, info.reason, dict(info.metadata)) == ("memslot", cls.reason, {"key": "value"})
    assert status.message == "what and why"


def test_field_to_blame_is_a_bad_request() -> None:
    """An error about a field names it as BadRequest does."""
    status = to_status(errors.InvalidName("bad", field="operations[3].write.name"))
    (violation,) = detail(status, error_details_pb2.BadRequest).field_violations
    assert (violation.field, violation.description) == ("operations[3].write.name", "bad")


@pytest.mark.parametrize("cls", [errors.RevisionMismatch, errors.SlotExists, errors.NamespaceNotEmpty])
def test_broken_condition_is_a_precondition_failure(cls: type[errors.MemslotError]) -> None:
    """A condition that did not hold is told as PreconditionFailure, with what it was about."""
    status = to_status(cls("no", metadata={"namespace": "acme/a", "name": "plan"}))
    (violation,) = detail(status, error_details_pb2.PreconditionFailure).violations
    assert (violation.type, violation.subject) == (cls.reason, "acme/a/plan")


def test_missing_thing_is_named() -> None:
    """What was not found is told as ResourceInfo."""
    slot = to_status(errors.SlotNotFound("no", metadata={"namespace": "acme", "name": "plan"}))
    namespace = to_status(errors.NamespaceNotFound("no", metadata={"namespace": "acme"}))
    told = [detail(status, error_details_pb2.ResourceInfo) for status in (slot, namespace)]
    assert [(info.resource_type, info.resource_name) for info in told] == [
        ("memslot.v1.Slot", "acme/plan"),
        ("memslot.v1.Namespace", "acme"),
    ]


def test_retry_is_told_with_its_delay() -> None:
    """An error that a retry may mend says when."""
    status = to_status(errors.StoreUnavailable("later", retry_after_ms=1500))
    assert detail(status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() == 1500


@pytest.mark.parametrize("text", ["x", "長", "%", "\n", "\ud800"])
def test_trailer_stays_below_4_kib(text: str) -> None:
    """However long names and messages are, in whatever script, the trailer is below 4 KiB and still tells code and reason."""
    metadata = {f"key{index}": text * 5000 for index in range(6)}
    status = to_status(errors.RevisionMismatch(text * 5000, field=text * 5000, metadata=metadata))
    details = base64.b64encode(status.SerializeToString())
    message = "".join(c if 0x20 <= ord(c) < 0x7F and c != "%" else "%XX" * len(c.encode()) for c in status.message)
    assert len(details) + len(message) + len("grpc-status-details-bin" + "grpc-message" + "grpc-status" + "10") < 4096
    assert detail(status, error_details_pb2.ErrorInfo).reason == "REVISION_MISMATCH"


def test_numbers_survive_long_texts() -> None:
    """What a program acts on stays whole beside a text that is cut."""
    metadata = {"current_revision": "1234567890123456789", "lowest_ranked": "n" * 9000}
    info = detail(to_status(errors.RevisionMismatch("m" * 9000, metadata=metadata)), error_details_pb2.ErrorInfo)
    assert info.metadata["current_revision"] == "1234567890123456789"
    assert info.metadata["lowest_ranked"].endswith("…")
