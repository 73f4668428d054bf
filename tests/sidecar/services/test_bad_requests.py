"""Wrong requests: what each is answered with, by code, reason and field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from tests.sidecar.services.served import START_MS, Served, served, store_maker

from memslot._google_rpc import error_details_pb2
from memslot.v1.filter_pb2 import (
    AttributeCondition,
    AttributeValueList,
    DoubleRange,
    Filter,
    FilterList,
    Int64Range,
    OriginSet,
    StringSet,
    TimeRange,
)
from memslot.v1.namespace_service_pb2 import (
    DeleteNamespaceRequest,
    GetNamespaceRequest,
    ListNamespacesRequest,
    NamespaceSettings,
    UpdateNamespaceRequest,
)
from memslot.v1.slot_pb2 import AttributeValue, Precondition, SlotInfo
from memslot.v1.slot_service_pb2 import (
    BatchReadRequest,
    CommitCheck,
    CommitOperation,
    CommitRequest,
    DescribeRequest,
    ForgetMatchingRequest,
    ForgetRequest,
    ListVersionsRequest,
    LookupRequest,
    ReadRequest,
    ReadVersionRequest,
    UpdateInfoRequest,
    WriteRequest,
)
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.model import NamespaceSettings as Settings
from memslot_sidecar.rules import Limits, NamespaceRule
from memslot_sidecar.status import to_status, trailer_bytes

BAD, MISSING, PRECONDITION = "INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION"
FULL, ABORTED, EXISTS = "RESOURCE_EXHAUSTED", "ABORTED", "ALREADY_EXISTS"
NUMBERS = {BAD: 3, MISSING: 5, EXISTS: 6, FULL: 8, PRECONDITION: 9, ABORTED: 10}
NAN = float("nan")
IF_ABSENT = Precondition(if_absent=True)
A = Filter(name_prefix="a")
SLOT_A = {"namespace": "ns", "name": "a"}


def write(**fields: Any) -> WriteRequest:
    """A write that is right but for ``fields``."""
    return WriteRequest(**{"namespace": "ns", "name": "new", "body": b"x"} | fields)


def update(mask: Sequence[str] = (), **fields: Any) -> UpdateInfoRequest:
    """An update of a slot that exists."""
    return UpdateInfoRequest(**SLOT_A | {"update_mask": FieldMask(paths=mask)} | fields)


def forget(**fields: Any) -> ForgetRequest:
    """A forget of a slot that exists."""
    return ForgetRequest(**SLOT_A | fields)


def commit(*operations: Any, **fields: Any) -> CommitRequest:
    """A commit of operations, each from its message; None is one that is not set."""
    kinds = {WriteRequest: "write", ForgetRequest: "forget", CommitCheck: "check", type(None): None}
    made = [CommitOperation(**({kinds[type(o)]: o} if o is not None else {})) for o in operations]
    return CommitRequest(**{"namespace": "ns", "operations": made} | fields)


def lookup(filter: Filter | None = None, **fields: Any) -> LookupRequest:  # noqa: A002 - the field's name
    """A lookup that is right but for ``fields``."""
    return LookupRequest(**{"namespace": "ns", "filter": filter} | fields)


def attribute(**fields: Any) -> LookupRequest:
    """A lookup by one attribute."""
    return lookup(Filter(attribute=AttributeCondition(**{"key": "k"} | fields)))


def settings(**fields: Any) -> UpdateNamespaceRequest:
    """New settings for a namespace."""
    return UpdateNamespaceRequest(namespace="ns", settings=NamespaceSettings(**fields))


def nested(depth: int) -> Filter:
    """A filter that is so many levels deep."""
    node = A
    for _ in range(depth - 1):
        node = Filter(all_of=FilterList(filters=[node]))
    return node


def many(count: int) -> FilterList:
    """So many filters."""
    return FilterList(filters=[A] * count)


def strings(count: int) -> StringSet:
    """So many strings."""
    return StringSet(values=[f"s{i}" for i in range(count)])


def seconds(value: float) -> Timestamp:
    """A point in time."""
    return Timestamp(seconds=int(value))


NOW_S = START_MS // 1000

# Each row: what is wrong, the request, the code, the reason, the field.
ROWS: list[tuple[str, Message, str, str, str]] = [
    # Names
    ("no name", write(name=""), BAD, "INVALID_NAME", "name"),
    ("a name of 129 bytes", write(name="é" * 65), BAD, "INVALID_NAME", "name"),
    ("a control character", write(name="a\nb"), BAD, "INVALID_NAME", "name"),
    ("a bidirectional override", write(name="a\u202eb"), BAD, "INVALID_NAME", "name"),
    ("a leading space", write(name=" a"), BAD, "INVALID_NAME", "name"),
    ("a trailing space", ReadRequest(namespace="ns", name="a "), BAD, "INVALID_NAME", "name"),
    ("no namespace", write(namespace=""), BAD, "INVALID_NAME", "namespace"),
    ("nine segments", write(namespace="/".join("abcdefghi")), BAD, "INVALID_NAME", "namespace"),
    ("an empty segment", lookup(namespace="a//b"), BAD, "INVALID_NAME", "namespace"),
    ("a segment of dots", GetNamespaceRequest(namespace="a/.."), BAD, "INVALID_NAME", "namespace"),
    ("a bad second name", DescribeRequest(namespace="ns", names=["a", ""]), BAD, "INVALID_NAME", "names[1]"),
    ("a bad parent", ListNamespacesRequest(parent="a//"), BAD, "INVALID_NAME", "parent"),
    ("a long prefix", lookup(name_prefix="a" * 129), BAD, "INVALID_NAME", "name_prefix"),
    ("a prefix of no name", lookup(name_prefix="a\0"), BAD, "INVALID_NAME", "name_prefix"),
    ("a filter's prefix of no name", lookup(Filter(name_prefix="\x7f")), BAD, "INVALID_NAME", "filter.name_prefix"),
    # Write
    ("a body over the limit", write(body=b"x" * 4097), BAD, "BODY_TOO_LARGE", "body"),
    ("text that is no UTF-8", write(body=b"\xff", content_type="text/html"), BAD, "INVALID_BODY", "body"),
    ("JSON that is none", write(body=b"{", content_type="application/json"), BAD, "INVALID_BODY", "body"),
    ("NaN in JSON", write(body=b"[NaN]", content_type="application/json"), BAD, "INVALID_BODY", "body"),
    ("deep JSON", write(body=b"[" * 101 + b"]" * 101, content_type="application/json"), BAD, "INVALID_BODY", "body"),
    ("a bad content type", write(content_type="text"), BAD, "INVALID_FIELD", "content_type"),
    ("a long description", write(description="x" * 161), BAD, "INVALID_FIELD", "description"),
    ("a description of two lines", write(description="a\nb"), BAD, "INVALID_FIELD", "description"),
    ("a long task type", write(task_type="x" * 129), BAD, "INVALID_FIELD", "task_type"),
    ("33 tags", write(tags=[f"t{i}" for i in range(33)]), BAD, "INVALID_FIELD", "tags"),
    ("an empty tag", write(tags=["a", ""]), BAD, "INVALID_FIELD", "tags[1]"),
    ("33 attributes", write(attributes={f"k{i}": AttributeValue(bool_value=True) for i in range(33)}), BAD, "INVALID_FIELD", "attributes"),
    ("an attribute without value", write(attributes={"k": AttributeValue()}), BAD, "INVALID_FIELD", "attributes['k']"),
    ("an attribute without key", write(attributes={"": AttributeValue(int64_value=1)}), BAD, "INVALID_FIELD", "attributes"),
    ("an attribute of NaN", write(attributes={"k": AttributeValue(double_value=NAN)}), BAD, "INVALID_FIELD", "attributes['k']"),
    ("a long attribute", write(attributes={"k": AttributeValue(string_value="x" * 1025)}), BAD, "INVALID_FIELD", "attributes['k']"),
    ("an importance above 1", write(importance=1.01), BAD, "INVALID_FIELD", "importance"),
    ("an importance of NaN", write(importance=NAN), BAD, "INVALID_FIELD", "importance"),
    ("a vector of NaN", write(vector=[1.0, NAN]), BAD, "INVALID_FIELD", "vector[1]"),
    ("an infinite vector", write(vector=[float("inf")]), BAD, "INVALID_FIELD", "vector[0]"),
    ("a vector of zeros", write(vector=[0.0, -0.0]), BAD, "INVALID_FIELD", "vector"),
    ("a vector of 4097 numbers", write(vector=[1.0] * 4097), BAD, "INVALID_FIELD", "vector"),
    ("a vector where none is kept", write(vector=[1.0]), PRECONDITION, "INDEX_NOT_ENABLED", "vector"),
    ("a long summary", write(summary="x" * 2001), BAD, "INVALID_FIELD", "summary"),
    ("a summary with a control character", write(summary="a\x1bb"), BAD, "INVALID_FIELD", "summary"),
    ("an unknown origin", write(origin=99), BAD, "INVALID_FIELD", "origin"),
    ("an unknown mode", write(mode=4), BAD, "INVALID_FIELD", "mode"),
    ("a ttl of zero", write(ttl=Duration()), BAD, "INVALID_FIELD", "ttl"),
    ("a negative ttl", write(ttl=Duration(nanos=-1)), BAD, "INVALID_FIELD", "ttl"),
    ("a ttl of mixed signs", write(ttl=Duration(seconds=1, nanos=-1)), BAD, "INVALID_FIELD", "ttl.nanos"),
    ("a ttl of too many nanos", write(ttl=Duration(nanos=1_000_000_000)), BAD, "INVALID_FIELD", "ttl.nanos"),
    ("a ttl out of range", write(ttl=Duration(seconds=315_576_000_001)), BAD, "INVALID_FIELD", "ttl.seconds"),
    ("a past expiry", write(expire_time=seconds(NOW_S - 1)), BAD, "INVALID_FIELD", "expire_time"),
    ("an expiry in the year 10000", write(expire_time=seconds(253_402_300_800)), BAD, "INVALID_FIELD", "expire_time.seconds"),
    ("an expiry of negative nanos", write(expire_time=Timestamp(seconds=NOW_S + 9, nanos=-1)), BAD, "INVALID_FIELD", "expire_time.nanos"),
    ("never false", write(never=False), BAD, "INVALID_FIELD", "never"),
    ("an empty precondition", write(precondition=Precondition()), BAD, "INVALID_FIELD", "precondition"),
    ("if_absent false", write(precondition=Precondition(if_absent=False)), BAD, "INVALID_FIELD", "precondition.if_absent"),
    ("if_revision zero", write(precondition=Precondition(if_revision=0)), BAD, "INVALID_FIELD", "precondition.if_revision"),
    ("a request id that is no UUID", write(request_id="again"), BAD, "INVALID_FIELD", "request_id"),
    ("a request id of endless hyphens", write(request_id="-" * 5000 + "0" * 32), BAD, "INVALID_FIELD", "request_id"),
    ("a request id in braces", write(request_id="{6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11}"), BAD, "INVALID_FIELD", "request_id"),
    ("a slot that exists", write(name="a", precondition=IF_ABSENT), EXISTS, "SLOT_EXISTS", "precondition.if_absent"),
    ("another revision", write(name="a", precondition=Precondition(if_revision=7)), ABORTED, "REVISION_MISMATCH", "precondition.if_revision"),
    ("appending JSON to text", write(name="a", mode=2, content_type="application/json"), PRECONDITION, "CONTENT_TYPE_MISMATCH", "content_type"),
    ("a patch of another content type", write(name="new", mode=3, body=b"{}", content_type="text/plain"), PRECONDITION, "CONTENT_TYPE_MISMATCH", "content_type"),
    ("patching text", write(name="a", mode=3, body=b"{}"), PRECONDITION, "CONTENT_TYPE_MISMATCH", "mode"),
    ("a patch that is no JSON", write(mode=3, body=b"x"), BAD, "INVALID_BODY", "body"),
    ("one slot too many", write(namespace="tiny", name="b"), FULL, "SLOT_LIMIT_REACHED", ""),
    ("more than the store may hold", write(namespace="wide", body=b"x" * 4000), FULL, "STORE_FULL", ""),
    # UpdateInfo
    ("nothing to update", update(), BAD, "INVALID_FIELD", "update_mask"),
    ("a mask of no field", update(["body"]), BAD, "INVALID_FIELD", "update_mask"),
    ("a mask of one attribute", update(["attributes.k"]), BAD, "INVALID_FIELD", "update_mask"),
    ("clearing the content type", update(["content_type"]), BAD, "INVALID_FIELD", "info.content_type"),
    ("a content type that does not fit", update(["content_type"], info=SlotInfo(content_type="application/json")), BAD, "INVALID_BODY", "info.content_type"),
    ("an update to an unknown origin", update(["origin"], info=SlotInfo(origin=9)), BAD, "INVALID_FIELD", "info.origin"),
    ("an update to a bad importance", update(["importance"], info=SlotInfo(importance=-1)), BAD, "INVALID_FIELD", "info.importance"),
    ("an update to no attribute value", update(["attributes"], info=SlotInfo(attributes={"k": AttributeValue()})), BAD, "INVALID_FIELD", "info.attributes['k']"),
    ("an update to a past expiry", update(expire_time=seconds(1)), BAD, "INVALID_FIELD", "expire_time"),
    ("an update of an absent slot", update(["pinned"], name="absent"), MISSING, "SLOT_NOT_FOUND", "name"),
    ("an update of another revision", update(["pinned"], precondition=Precondition(if_revision=9)), ABORTED, "REVISION_MISMATCH", "precondition.if_revision"),
    # Read, Describe, BatchRead, versions
    ("an absent slot", ReadRequest(namespace="ns", name="absent"), MISSING, "SLOT_NOT_FOUND", "name"),
    ("no names", DescribeRequest(namespace="ns"), BAD, "INVALID_FIELD", "names"),
    ("1001 names", BatchReadRequest(namespace="ns", names=["a"] * 1001), BAD, "INVALID_FIELD", "names"),
    ("a negative byte budget", BatchReadRequest(namespace="ns", names=["a"], max_bytes=-1), BAD, "INVALID_FIELD", "max_bytes"),
    ("versions of an absent slot", ListVersionsRequest(namespace="ns", name="absent"), MISSING, "SLOT_NOT_FOUND", "name"),
    ("a negative page of versions", ListVersionsRequest(namespace="ns", name="a", page_size=-1), BAD, "INVALID_FIELD", "page_size"),
    ("a token of no listing", ListVersionsRequest(namespace="ns", name="a", page_token="AAAA"), BAD, "INVALID_PAGE_TOKEN", "page_token"),
    ("a version of revision 0", ReadVersionRequest(namespace="ns", name="a"), BAD, "INVALID_FIELD", "version_revision"),
    ("a version that is not kept", ReadVersionRequest(namespace="ns", name="a", version_revision=77), MISSING, "VERSION_NOT_FOUND", "version_revision"),
    ("a version of an absent slot", ReadVersionRequest(namespace="ns", name="x", version_revision=1), MISSING, "SLOT_NOT_FOUND", "name"),
    # Forget, ForgetMatching
    ("forgetting what must be absent", forget(precondition=IF_ABSENT), BAD, "INVALID_FIELD", "precondition.if_absent"),
    ("forgetting another revision", forget(precondition=Precondition(if_revision=9)), ABORTED, "REVISION_MISMATCH", "precondition.if_revision"),
    ("neither filter nor all", ForgetMatchingRequest(namespace="ns"), BAD, "INVALID_FIELD", "filter"),
    ("filter and all", ForgetMatchingRequest(namespace="ns", filter=A, all=True), BAD, "INVALID_FIELD", "all"),
    ("an empty filter", ForgetMatchingRequest(namespace="ns", filter=Filter()), BAD, "INVALID_FILTER", "filter"),
    ("a negative maximum", ForgetMatchingRequest(namespace="ns", all=True, max=-1), BAD, "INVALID_FIELD", "max"),
    ("more matches than the maximum", ForgetMatchingRequest(namespace="ns", all=True, max=1), PRECONDITION, "TOO_MANY_MATCHES", "max"),
    # Lookup
    ("a negative page", lookup(page_size=-1), BAD, "INVALID_FIELD", "page_size"),
    ("a negative reply", lookup(max_bytes=-1), BAD, "INVALID_FIELD", "max_bytes"),
    ("an unknown view", lookup(view=3), BAD, "INVALID_FIELD", "view"),
    ("an unknown order", lookup(order_by=8), BAD, "INVALID_FIELD", "order_by"),
    ("a token that is none", lookup(page_token="?"), BAD, "INVALID_PAGE_TOKEN", "page_token"),
    ("a token of junk", lookup(page_token="Zm9vYmFyYmF6cXV4"), BAD, "INVALID_PAGE_TOKEN", "page_token"),
    # Filters
    ("an unset filter", lookup(Filter()), BAD, "INVALID_FILTER", "filter"),
    ("an empty list of filters", lookup(Filter(all_of=FilterList())), BAD, "INVALID_FILTER", "filter.all_of.filters"),
    ("65 filters in a list", lookup(Filter(any_of=many(65))), BAD, "INVALID_FILTER", "filter.any_of.filters"),
    ("an unset part", lookup(Filter(none_of=FilterList(filters=[A, Filter()]))), BAD, "INVALID_FILTER", "filter.none_of.filters[1]"),
    ("a depth of 17", lookup(nested(17)), BAD, "INVALID_FILTER", "filter" + ".all_of.filters[0]" * 16),
    ("257 nodes", lookup(Filter(all_of=FilterList(filters=[Filter(any_of=many(63))] * 4))), BAD, "INVALID_FILTER", "filter"),
    ("an empty prefix", lookup(Filter(name_prefix="")), BAD, "INVALID_FILTER", "filter.name_prefix"),
    ("an empty set of task types", lookup(Filter(task_type_in=StringSet())), BAD, "INVALID_FILTER", "filter.task_type_in.values"),
    ("257 tags", lookup(Filter(tags_any=strings(257))), BAD, "INVALID_FILTER", "filter.tags_any.values"),
    ("no tags of all", lookup(Filter(tags_all=StringSet())), BAD, "INVALID_FILTER", "filter.tags_all.values"),
    ("no tags of none", lookup(Filter(tags_none=StringSet())), BAD, "INVALID_FILTER", "filter.tags_none.values"),
    ("a time range without ends", lookup(Filter(created=TimeRange())), BAD, "INVALID_FILTER", "filter.created"),
    ("a reversed time range", lookup(Filter(updated=TimeRange(**{"from": seconds(2)}, until=seconds(1)))), BAD, "INVALID_FILTER", "filter.updated"),
    ("a time out of range", lookup(Filter(accessed=TimeRange(until=Timestamp(nanos=-1)))), BAD, "INVALID_FILTER", "filter.accessed.until.nanos"),
    ("a time before year 1", lookup(Filter(expires=TimeRange(**{"from": seconds(-62_135_596_801)}))), BAD, "INVALID_FILTER", "filter.expires.from.seconds"),
    ("an importance without ends", lookup(Filter(importance=DoubleRange())), BAD, "INVALID_FILTER", "filter.importance"),
    ("an importance from NaN", lookup(Filter(importance=DoubleRange(min=NAN))), BAD, "INVALID_FILTER", "filter.importance.min"),
    ("a reversed importance", lookup(Filter(importance=DoubleRange(min=1, max=0))), BAD, "INVALID_FILTER", "filter.importance"),
    ("a size without ends", lookup(Filter(body_bytes=Int64Range())), BAD, "INVALID_FILTER", "filter.body_bytes"),
    ("a negative size", lookup(Filter(body_bytes=Int64Range(max=-1))), BAD, "INVALID_FILTER", "filter.body_bytes.max"),
    ("no origins", lookup(Filter(origin_in=OriginSet())), BAD, "INVALID_FILTER", "filter.origin_in.values"),
    ("a filter of an unknown origin", lookup(Filter(origin_in=OriginSet(values=[1, 9]))), BAD, "INVALID_FILTER", "filter.origin_in.values[1]"),
    ("an attribute filter without key", attribute(key="", exists=True), BAD, "INVALID_FILTER", "filter.attribute.key"),
    ("an attribute filter without comparison", attribute(), BAD, "INVALID_FILTER", "filter.attribute"),
    ("comparing with nothing", attribute(gt=AttributeValue()), BAD, "INVALID_FILTER", "filter.attribute.gt"),
    ("comparing with NaN", attribute(eq=AttributeValue(double_value=NAN)), BAD, "INVALID_FILTER", "filter.attribute.eq"),
    ("comparing with a long text", attribute(ne=AttributeValue(string_value="x" * 1025)), BAD, "INVALID_FILTER", "filter.attribute.ne"),
    ("an attribute in nothing", attribute(**{"in": AttributeValueList()}), BAD, "INVALID_FILTER", "filter.attribute.in.values"),
    ("an attribute in an unset value", attribute(**{"in": AttributeValueList(values=[AttributeValue(int64_value=1), AttributeValue()])}), BAD, "INVALID_FILTER", "filter.attribute.in.values[1]"),
    # Commit
    ("no operations", commit(), BAD, "INVALID_FIELD", "operations"),
    ("129 operations", commit(*[write(namespace="", name=f"n{i}") for i in range(129)]), BAD, "INVALID_FIELD", "operations"),
    ("an unset operation", commit(write(namespace=""), None), BAD, "INVALID_FIELD", "operations[1]"),
    ("a namespace of its own", commit(write()), BAD, "INVALID_FIELD", "operations[0].write.namespace"),
    ("a request id of its own", commit(forget(namespace="", request_id="x")), BAD, "INVALID_FIELD", "operations[0].forget.request_id"),
    ("a check without condition", commit(CommitCheck(name="a")), BAD, "INVALID_FIELD", "operations[0].check.precondition"),
    ("a check of revision -1", commit(CommitCheck(name="a", precondition=Precondition(if_revision=-1))), BAD, "INVALID_FIELD", "operations[0].check.precondition.if_revision"),
    ("a repeated name", commit(write(namespace=""), forget(namespace="", name="new")), BAD, "INVALID_FIELD", "operations[1].forget.name"),
    ("a bad name in a commit", commit(write(namespace="", name="\t")), BAD, "INVALID_NAME", "operations[0].write.name"),
    ("a bad ttl in a commit", commit(write(namespace="", ttl=Duration(seconds=-1))), BAD, "INVALID_FIELD", "operations[0].write.ttl"),
    ("a bad vector in a commit", commit(write(namespace="", vector=[NAN])), BAD, "INVALID_FIELD", "operations[0].write.vector[0]"),
    ("a bad summary in a commit", commit(write(namespace="", summary="\0")), BAD, "INVALID_FIELD", "operations[0].write.summary"),
    ("a large body in a commit", commit(write(namespace="", body=b"x" * 5000)), BAD, "BODY_TOO_LARGE", "operations[0].write.body"),
    ("a check that fails", commit(CommitCheck(name="a", precondition=IF_ABSENT)), EXISTS, "SLOT_EXISTS", "operations[0].check.precondition.if_absent"),
    # Namespaces
    ("a slot limit of 0", settings(slot_limit=0), BAD, "INVALID_FIELD", "settings.slot_limit"),
    ("a body limit above the ceiling", settings(body_limit_bytes=3_900_001), BAD, "INVALID_FIELD", "settings.body_limit_bytes"),
    ("101 versions", settings(versions_kept=101), BAD, "INVALID_FIELD", "settings.versions_kept"),
    ("a default ttl of 0", settings(ttl_default=Duration()), BAD, "INVALID_FIELD", "settings.ttl_default"),
    ("a bad largest ttl", settings(ttl_max=Duration(seconds=-1, nanos=1)), BAD, "INVALID_FIELD", "settings.ttl_max.nanos"),
    ("an unknown overflow", settings(overflow=3), BAD, "INVALID_FIELD", "settings.overflow"),
    ("an unknown index mode", settings(index_mode=4), BAD, "INVALID_FIELD", "settings.index_mode"),
    ("an unknown vector index", settings(vector_index=6), BAD, "INVALID_FIELD", "settings.vector_index"),
    ("an unknown summary mode", settings(summary_mode=-1), BAD, "INVALID_FIELD", "settings.summary_mode"),
    ("an unknown embedder", settings(embedder="bert"), BAD, "INVALID_FIELD", "settings.embedder"),
    ("an empty embedder", settings(embedder=""), BAD, "INVALID_FIELD", "settings.embedder"),
    ("an embedder that the server lacks", settings(embedder="e5"), BAD, "INVALID_FIELD", "settings.embedder"),
    ("summaries of empty bodies", settings(summary_above_bytes=0), BAD, "INVALID_FIELD", "settings.summary_above_bytes"),
    ("summaries below a rank of NaN", settings(summary_below_rank=NAN), BAD, "INVALID_FIELD", "settings.summary_below_rank"),
    ("a setting above the cap", UpdateNamespaceRequest(namespace="tiny", settings=NamespaceSettings(slot_limit=2)), BAD, "SETTING_ABOVE_CAP", "settings.slot_limit"),
    ("a mask of no setting", UpdateNamespaceRequest(namespace="ns", update_mask=FieldMask(paths=["ttl_default_ms"])), BAD, "INVALID_FIELD", "update_mask"),
    ("an absent namespace", GetNamespaceRequest(namespace="absent"), MISSING, "NAMESPACE_NOT_FOUND", "namespace"),
    ("a negative page of namespaces", ListNamespacesRequest(page_size=-1), BAD, "INVALID_FIELD", "page_size"),
    ("deleting what is not there", DeleteNamespaceRequest(namespace="absent"), MISSING, "NAMESPACE_NOT_FOUND", "namespace"),
    ("deleting what holds slots", DeleteNamespaceRequest(namespace="ns"), PRECONDITION, "NAMESPACE_NOT_EMPTY", "force"),
]  # fmt: skip


async def _filled(run: Served) -> None:
    """Two slots where the requests look for them, and a namespace that is full."""
    for namespace, name in (("ns", "a"), ("ns", "b"), ("tiny", "a"), ("wide", "a")):
        await run(WriteRequest(namespace=namespace, name=name, body=b"text" * (1 if namespace != "wide" else 1000)))


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
async def test_wrong_requests_are_refused(kind: str, tmp_path: Path) -> None:
    """Each wrong request is answered with its code, reason and field, in less than 4 KiB, and changes nothing."""
    rules = (NamespaceRule("tiny", Settings(slot_limit=1), Settings(slot_limit=1)),)
    limits = Limits(store_limit_bytes_per_root=6000)
    found, wanted = {}, {}
    async with served(store_maker(kind, tmp_path), rules=rules, limits=limits) as run:
        await _filled(run)
        before = run.store.revision
        for title, request, *expected in ROWS:
            wanted[title] = (*expected, True, before)
            try:
                await run(request)
            except MemslotError as error:
                found[title] = (*_told(error), run.store.revision)
            else:
                found[title] = ("OK", "", "", True, run.store.revision)
    assert {title: answer for title, answer in found.items() if answer != wanted[title]} == {}


def test_there_is_a_row_for_much_that_can_go_wrong() -> None:
    """Titles are unique, and there are at least sixty rows."""
    assert len({title for title, *_ in ROWS}) == len(ROWS) >= 60


def _told(error: MemslotError) -> tuple[str, str, str, bool]:
    """Code, reason and field as the status tells them, and whether the status is complete and small enough."""
    status = to_status(error)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    code = next(code for code, number in NUMBERS.items() if number == status.code)
    field = error.field
    violation = error_details_pb2.BadRequest()
    if code == BAD:
        assert any(detail.Unpack(violation) for detail in status.details)
        field = violation.field_violations[0].field
    return code, info.reason, field, trailer_bytes(status) < 4096
