"""Errors: one class a reason, with what the server said."""

from __future__ import annotations

import pytest
from google.rpc import error_details_pb2, status_pb2
from tests.client.scripted import status

from memslot import errors
from memslot._core.reasons import BY_CODE, BY_REASON, error_for
from memslot._transport.status import rpc_error
from memslot_sidecar import errors as server


def _tree(cls: type[server.MemslotError]) -> list[type[server.MemslotError]]:
    return [cls, *(found for child in cls.__subclasses__() for found in _tree(child))]


@pytest.mark.parametrize(
    "cls", sorted(_tree(server.MemslotError), key=lambda cls: cls.reason), ids=lambda cls: cls.reason
)
def test_every_reason_of_the_server_has_a_class(cls: type[server.MemslotError]) -> None:
    """What the server can say is caught by name, and by its code's class."""
    code = server.grpc_code(cls("x"))
    error = error_for("x", reason=cls.reason, code=code)
    assert cls.reason == "FAILED_PRECONDITION" or type(error) is BY_REASON[cls.reason]
    assert error.code == code
    assert type(error).code == code


def test_reasons_of_others_are_none() -> None:
    """A proxy's ErrorInfo names its reason, not the sidecar's: beside the sidecar's it is passed over, alone it is gRPC's own failure."""
    foreign = error_details_pb2.ErrorInfo(reason="SLOT_NOT_FOUND", domain="proxy.example", metadata={"limit": "1"})
    alone, beside = status_pb2.Status(code=13, message="told"), status(10, "REVISION_MISMATCH", current_revision="7")
    alone.details.add().Pack(foreign)
    beside.details.add().Pack(foreign)
    error = rpc_error("INTERNAL", "", [("grpc-status-details-bin", alone.SerializeToString())])
    assert (type(error), error.reason, error.metadata, len(error.details)) == (errors.InternalError, "", {}, 1)
    error = rpc_error("ABORTED", "", [("grpc-status-details-bin", beside.SerializeToString())])
    assert (type(error), error.metadata) == (errors.RevisionMismatch, {"current_revision": "7"})


@pytest.mark.parametrize(
    ("code", "cls"),
    [
        ("NOT_FOUND", errors.NotFound),
        ("INVALID_ARGUMENT", errors.InvalidRequest),
        ("ABORTED", errors.Aborted),
        ("DATA_LOSS", errors.StoreCorrupt),
        ("INTERNAL", errors.InternalError),
        ("UNIMPLEMENTED", errors.Unimplemented),
        ("OUT_OF_RANGE", errors.MemslotError),
    ],
)
def test_a_reason_of_a_newer_server_is_its_codes_class(code: str, cls: type[errors.MemslotError]) -> None:
    """A client meets reasons that it does not know."""
    error = error_for("x", reason="NEW_REASON", code=code)
    assert (type(error), error.reason, error.code) == (cls, "NEW_REASON", code)


def test_the_status_in_the_trailers_is_read_whole() -> None:
    """Message, reason, metadata, field and retry delay reach the caller."""
    said = status(3, "BODY_TOO_LARGE", "too large", size="5000", limit="4096")
    bad, retry = error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    bad.field_violations.add(field="operations[3].write.body", description="too large")
    retry.retry_delay.FromMilliseconds(1500)
    said.details.add().Pack(bad)
    said.details.add().Pack(retry)
    error = rpc_error(
        "INVALID_ARGUMENT", "ignored", [("x", "y"), ("grpc-status-details-bin", said.SerializeToString())]
    )
    assert isinstance(error, errors.BodyTooLarge)
    assert (error.message, error.field, error.retry_after_s) == ("too large", "operations[3].write.body", 1.5)
    assert (error.size, error.limit, error.metadata) == (5000, 4096, {"size": "5000", "limit": "4096"})
    assert str(error) == "BODY_TOO_LARGE: too large"


def test_errors_tell_their_numbers_and_names() -> None:
    """Metadata that belongs to a reason is typed."""
    full = error_for(
        "",
        reason="SLOT_LIMIT_REACHED",
        code="RESOURCE_EXHAUSTED",
        metadata={"limit": "2", "used": "2", "lowest_ranked": '["a"]'},
    )
    assert isinstance(full, errors.SlotLimitReached)
    assert (full.limit, full.used, full.lowest_ranked) == (2, 2, ("a",))
    assert errors.SlotExists(metadata={"current_revision": "7"}).current_revision == 7
    assert errors.InvalidName(metadata={"position": "0"}).position == 0
    assert errors.InvalidName().position is None
    assert errors.TooManyMatches(metadata={"matches": "9"}).matches == 9
    assert errors.InternalError(metadata={"error_id": "e1"}).error_id == "e1"
    assert errors.IndexBehind(metadata={"indexed_revision": "12"}).indexed_revision == 12
    mismatch = errors.DimensionMismatch(metadata={"expected": "384", "given": "3"})
    assert (mismatch.expected, mismatch.given) == (384, 3)
    outdated = errors.IndexOutdated(metadata={"made_by": "e5", "configured": "hashing"})
    assert (outdated.made_by, outdated.configured) == ("e5", "hashing")
    assert errors.SlotLimitReached().lowest_ranked == ()


@pytest.mark.parametrize("trailers", [None, [], [("grpc-status-details-bin", b"\xff\xff")]])
def test_a_failure_without_details_is_told_by_its_code(trailers: list[tuple[str, bytes]] | None) -> None:
    """What gRPC says by itself, or a broken trailer, still is an exception of the right kind."""
    error = rpc_error("UNAVAILABLE", "connection reset", trailers)
    assert (type(error), error.reason, error.message) == (errors.Unavailable, "", "connection reset")


def test_a_status_with_an_unknown_code_is_unknown() -> None:
    """Numbers that gRPC does not define do no harm."""
    error = rpc_error("UNKNOWN", "", [("grpc-status-details-bin", status_pb2.Status(code=99).SerializeToString())])
    assert error.code == "UNKNOWN"


def test_every_class_is_announced() -> None:
    """What can be raised can be named: the module exports each class of the tree, those of codes included."""
    announced = {getattr(errors, name) for name in errors.__all__}
    assert set(BY_REASON.values()) <= announced
    assert set(BY_CODE.values()) <= announced
