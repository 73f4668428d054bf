"""Fields that this server does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message
from tests.sidecar.services.served import served

from memslot.v1.filter_pb2 import AttributeCondition, Filter, FilterList, TimeRange
from memslot.v1.namespace_service_pb2 import DeleteNamespaceRequest, NamespaceSettings, UpdateNamespaceRequest
from memslot.v1.slot_pb2 import AttributeValue, Precondition, SlotInfo
from memslot.v1.slot_service_pb2 import (
    CommitCheck,
    CommitOperation,
    CommitRequest,
    ForgetMatchingRequest,
    ForgetRequest,
    LookupRequest,
    ReadRequest,
    UpdateInfoRequest,
    WriteRequest,
)
from memslot_sidecar.errors import UnknownField, grpc_code
from memslot_sidecar.services.unknown_fields import refuse_unknown

NEWER = b"\xa2\x06\x03new"
"""Field 100, three bytes."""
SLOT = {"namespace": "ns", "name": "a"}
NESTED = Filter(all_of=FilterList(filters=[Filter(name_prefix="a"), Filter(attribute=AttributeCondition(key="k"))]))

PLACES: list[tuple[str, Message, Callable[[Any], Message], str]] = [
    ("write", WriteRequest(**SLOT), lambda m: m, ""),
    ("attribute", WriteRequest(**SLOT, attributes={"k": AttributeValue(int64_value=1)}), lambda m: m.attributes["k"], "attributes['k']"),
    ("expiry", WriteRequest(**SLOT, ttl={"seconds": 1}), lambda m: m.ttl, "ttl"),
    ("precondition", WriteRequest(**SLOT, precondition=Precondition(if_absent=True)), lambda m: m.precondition, "precondition"),
    ("info", UpdateInfoRequest(**SLOT, info=SlotInfo(pinned=True)), lambda m: m.info, "info"),
    ("mask", UpdateInfoRequest(**SLOT, update_mask={"paths": ["pinned"]}), lambda m: m.update_mask, "update_mask"),
    ("forget", ForgetRequest(**SLOT), lambda m: m, ""),
    ("forget matching", ForgetMatchingRequest(namespace="ns", all=True), lambda m: m, ""),
    ("filter of forget", ForgetMatchingRequest(namespace="ns", filter=NESTED), lambda m: m.filter.all_of.filters[1].attribute, "filter.all_of.filters[1].attribute"),
    ("commit", CommitRequest(namespace="ns"), lambda m: m, ""),
    ("check", CommitRequest(namespace="ns", operations=[CommitOperation(check=CommitCheck(name="a"))]), lambda m: m.operations[0].check, "operations[0].check"),
    ("filter", LookupRequest(namespace="ns", filter=Filter(name_prefix="a")), lambda m: m.filter, "filter"),
    ("newer node", LookupRequest(namespace="ns", filter=Filter()), lambda m: m.filter, "filter"),
    ("list of filters", LookupRequest(namespace="ns", filter=NESTED), lambda m: m.filter.all_of, "filter.all_of"),
    ("time range", LookupRequest(namespace="ns", filter=Filter(created=TimeRange(until={"seconds": 1}))), lambda m: m.filter.created.until, "filter.created.until"),
    ("settings", UpdateNamespaceRequest(namespace="ns", settings=NamespaceSettings(slot_limit=1)), lambda m: m.settings, "settings"),
    ("delete", DeleteNamespaceRequest(namespace="ns"), lambda m: m, ""),
]  # fmt: skip


@pytest.mark.parametrize(("message", "place", "path"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])
async def test_an_unknown_field_in_a_mutation_or_filter_is_refused(
    message: Message, place: Callable[[Any], Message], path: str
) -> None:
    """An older server never takes part of a newer mutation, nor a newer filter for "all"."""
    request = type(message).FromString(message.SerializeToString())
    place(request).MergeFromString(NEWER)
    async with served() as run:
        await run(WriteRequest(**SLOT, body=b"x"))
        with pytest.raises(UnknownField) as refused:
            await run(request)
        assert run.store.revision == 1
    error = refused.value
    assert (grpc_code(error), error.reason, error.field) == ("INVALID_ARGUMENT", "UNKNOWN_FIELD", path)
    assert error.metadata["field_number"] == "100"


async def test_an_unknown_field_elsewhere_is_ignored() -> None:
    """A newer client's hint in a read, or beside the filter of a lookup, does no harm."""
    async with served() as run:
        await run(WriteRequest(**SLOT, body=b"x"))
        read = await run.raw("Read", ReadRequest(**SLOT).SerializeToString() + NEWER)
        found = await run.raw("Lookup", LookupRequest(namespace="ns").SerializeToString() + NEWER)
    assert read.slot.body == b"x"
    assert [slot.name for slot in found.slots] == ["a"]


def test_the_callers_message_is_left_as_it_was() -> None:
    """Looking for unknown fields does not drop them from a message that is not ours."""
    request = WriteRequest.FromString(WriteRequest(**SLOT).SerializeToString() + NEWER)
    before = request.SerializeToString()
    with pytest.raises(UnknownField):
        refuse_unknown(request)
    assert request.SerializeToString() == before
