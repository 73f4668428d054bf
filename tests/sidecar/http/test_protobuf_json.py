"""Requests and replies as protobuf JSON: what the library says, faster where it matters, stricter where it would guess."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InvalidField, UnknownField
from memslot_sidecar.http.reading_json import reader
from memslot_sidecar.http.writing_json import ReadReplies, writer
from memslot_sidecar.services.slot_memo import ReadReply

CANARY = "canary-7f3a"
READ, WRITE, LOOKUP, COMMIT = (
    reader(kind) for kind in (pb.ReadRequest, pb.WriteRequest, pb.LookupRequest, pb.CommitRequest)
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


@given(TEXTS, TEXTS, st.booleans())
def test_a_request_is_what_the_library_reads(namespace: str, name: str, ascii_only: bool) -> None:
    """The short way for plain texts makes the message that the long way makes, whatever letters are in them."""
    text = json.dumps({"namespace": namespace, "name": name}, ensure_ascii=ascii_only)
    assert READ(text.encode()) == json_format.Parse(text, pb.ReadRequest())


PARTS = st.sampled_from(["name", "namespace", "pageToken", "page_token", "namePrefix", "mode", "body", "view", "x", ""])


@given(
    st.lists(st.tuples(PARTS, st.sampled_from(['"a"', '""', '"\u00e9"', '"\\u0061"', '"\x00"', "null", "1", "{}", '{"a":"b"}'])), max_size=4),
    st.sampled_from(["", " ", "\ufeff", "\x00", "x"]),
    st.sampled_from(["", " ", "\n", "\x00", "}", ","]),
)  # fmt: skip
def test_the_short_way_is_taken_only_where_it_ends_as_the_long_one(
    members: list[tuple[str, str]], before: str, behind: str
) -> None:
    """The same message or the same error, for keys that come twice or under both of their names, other kinds and broken text alike."""
    text = f"{before}{{{','.join(f'{json.dumps(key)}:{value}' for key, value in members)}}}{behind}".encode()
    for kind in (pb.ReadRequest, pb.WriteRequest, pb.LookupRequest):
        short = _outcome(kind, text)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("memslot_sidecar.http.reading_json._plain_fields", lambda *_: None)
            assert _outcome(kind, text) == short


def _outcome(kind: Any, text: bytes) -> Any:
    try:
        return reader(kind)(text)
    except InvalidField as error:
        return type(error), error.field, error.message


@given(st.builds(slot_pb2.SlotInfo, name=TEXTS, revision=st.integers(1, 2**63 - 1), tags=st.lists(TEXTS, max_size=3)),
       st.binary(max_size=50), st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2**63 - 1))  # fmt: skip
def test_a_reply_of_read_is_what_the_library_writes(
    info: slot_pb2.SlotInfo, body: bytes, rank: float, revision: int
) -> None:
    """A reply in two parts is the whole, as bytes and as JSON, the first time and from memory."""
    info.name = info.name or "x"
    reply = ReadReply(pb.ReadResponse(slot=slot_pb2.Slot(info=info)).SerializeToString(), body, rank, revision)
    info.rank_score = rank
    whole = pb.ReadResponse(revision=revision, slot=slot_pb2.Slot(body=body, info=info))
    assert pb.ReadResponse.FromString(reply.SerializeToString()) == whole
    replies = ReadReplies()
    for _ in range(2):
        assert json_format.Parse(replies.write(reply), pb.ReadResponse()) == whole


def test_a_reply_of_one_part_is_written_too() -> None:
    """A reply of Read that is a message, and one of another method, serialised or not, are written as they are."""
    for reply in (pb.ReadResponse(not_modified=True, revision=9), pb.ReadResponse()):
        assert json_format.Parse(ReadReplies().write(reply), pb.ReadResponse()) == reply
    found = pb.LookupResponse(revision=2**60)
    for said in (found, found.SerializeToString()):
        assert json.loads(writer(pb.LookupResponse)(said)) == {"revision": str(2**60)}


@pytest.mark.parametrize(
    ("read", "text", "where"),
    [
        (READ, '{"nam":"x"}', "nam"),
        (READ, '{"name":"x","nam":1}', "nam"),
        (WRITE, '{"precondition":{"ifRevison":"1"}}', "precondition.ifRevison"),
        (COMMIT, '{"operations":[{},{"write":{"nmae":"x"}}]}', "operations[1].write.nmae"),
        (WRITE, '{"attributes":{"a":{"sting":"x"}}}', "attributes.sting"),
        (READ, json.dumps({CANARY: "x"}), "?"),
    ],
)
def test_an_unknown_field_is_refused_by_its_path(read: Any, text: str, where: str) -> None:
    """Wherever it stands: a field that this server does not know is never left out silently."""
    with pytest.raises(UnknownField) as caught:
        read(text.encode())
    assert caught.value.field == where
    assert CANARY not in caught.value.message


@pytest.mark.parametrize(
    ("read", "text", "where"),
    [
        (WRITE, json.dumps({"body": CANARY + "$"}), "body"),
        (WRITE, '{"body":"QQQQQ"}', "body"),
        (COMMIT, '{"operations":[{"write":{"body":"Q!=="}}]}', "operations[0].write.body"),
        (WRITE, json.dumps({"name": "\ud800" + CANARY}), "name"),
        (WRITE, json.dumps({"tags": CANARY}), "tags"),
        (WRITE, json.dumps({"tags": [1, CANARY]}), "tags"),
        (WRITE, json.dumps({"mode": CANARY}), "mode"),
        (WRITE, json.dumps({"ttl": CANARY}), "ttl"),
        (WRITE, json.dumps({"pinned": CANARY}), "pinned"),
        (LOOKUP, json.dumps({"pageSize": CANARY}), "page_size"),
        (LOOKUP, '{"pageSize":99999999999}', "page_size"),
        (LOOKUP, '{"filter":{"allOf":{"filters":3}}}', "filter.all_of.filters"),
        (WRITE, '{"ttl":"1s","never":true}', ""),
        (READ, '{"name":1,"name":2}', ""),
        (READ, '{"name":"a","name":"b"}', ""),
        (WRITE, '{"importance":NaN}', ""),
        (WRITE, f'{{"pageSize":{"9" * 5000}}}', ""),
        (READ, "", ""), (READ, "[]", ""), (WRITE, '{"precondition":[]}', "precondition"), (WRITE, '{"attributes":{"a":""}}', "attributes"), (READ, "{", ""), (READ, '{"name":"a"} x', ""), (READ, "\ufeff{}", ""),
        (READ, "[" * 100_000, ""), (LOOKUP, '{"filter":' * 2000 + "{}" + "}" * 2000, ""),
        (LOOKUP, '{"filter":' + '{"allOf":{"filters":[' * 60 + "]}}" * 60 + "}", ""),
        (LOOKUP, '{"filter":' + '{"allOf":{"filters":[' * 300 + "]}}" * 300 + "}", ""),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_by_its_field(read: Any, text: str, where: str) -> None:
    """An error names the field and what it takes, and never tells the value: that may be a piece of a body."""
    with pytest.raises(InvalidField) as caught:
        read(text.encode("utf-8", "surrogatepass"))
    assert type(caught.value) is InvalidField
    assert where in ("", caught.value.field)
    assert CANARY not in caught.value.message


def test_however_deep_what_does_not_fit_lies_each_part_is_read_once_more_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A request is not read anew at each level to find what is wrong: that would hold up everybody else."""
    read = 0
    parse = json_format.ParseDict

    def counted(value: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal read
        read += len(json.dumps(value))
        return parse(value, *args, **kwargs)

    monkeypatch.setattr(json_format, "ParseDict", counted)
    leaves = ",".join(['{"namePrefix":"a"}'] * 300)
    text = '{"filter":' + '{"allOf":{"filters":[' * 30 + leaves + ',{"x":1}' + "]}}" * 30 + "}"
    with pytest.raises(UnknownField, match="'x'"):
        LOOKUP(text.encode())
    assert read < 3 * len(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from(["name", "body", "tags", "ttl", "filter", "allOf", "filters", "attributes", "x"]) | TEXTS,
                        inner, max_size=4), max_leaves=8))  # fmt: skip
def test_any_json_is_a_request_or_an_error_of_ours(value: Any) -> None:
    """Nothing that comes as JSON makes anything but a message or an error that the caller understands."""
    for read in (READ, WRITE, LOOKUP, COMMIT):
        with suppress(InvalidField):
            read(json.dumps(value).encode())


def test_text_that_is_not_utf_8_is_refused() -> None:
    """JSON is UTF-8, and no other encoding is guessed."""
    for text in (b'{"name":"\xff"}', '{"name":"x"}'.encode("utf-16")):
        with pytest.raises(InvalidField):
            READ(text)
