"""The three simple routes, for a shell and for whoever has no library: write a value, read it, forget it."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import orjson

from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_pb2 import Outcome
from memslot_sidecar.errors import InvalidBody, InvalidField, InvalidName, UnknownField
from memslot_sidecar.http.answers import JSON, Answer, Asked, Endpoint, Place
from memslot_sidecar.http.calling import remaining_s, said_in, within
from memslot_sidecar.http.connect import Coder, Decode, Encode
from memslot_sidecar.http.json_text import members
from memslot_sidecar.http.reading_json import named
from memslot_sidecar.interceptors.arrival import arrive
from memslot_sidecar.operations import body as bodies
from memslot_sidecar.routes import Route
from memslot_sidecar.services.slot_memo import ReadReply

DEFAULT_NAMESPACE = "default"
WRITE, READ, FORGET = b"/mem/write", b"/mem/read", b"/mem/forget"
"""The paths."""
_LINE = orjson.OPT_APPEND_NEWLINE
"""A shell's prompt begins behind the answer."""
_REMEMBERED_BYTES = 2048
_PLAIN = re.compile(rb"slot=([A-Za-z0-9_.~-]+)")


def places(routes: Mapping[str, Route], coder: Coder) -> dict[bytes, Place]:
    """The three places."""
    takes = frozenset({JSON})
    return {
        WRITE: Place("POST", _serving(routes["SlotService/Write"], coder, _write, _written), takes, is_call=True),
        READ: Place("GET", _serving(routes["SlotService/Read"], coder, _read, _shown), is_call=True),
        FORGET: Place("POST", _serving(routes["SlotService/Forget"], coder, _forget, _forgotten), takes, is_call=True),
    }


def _serving(route: Route, coder: Coder, decode: Decode, encode: Encode) -> Endpoint:
    operation = route.method.name
    run = coder.coded(route, decode, encode, _addressed)

    async def serve(asked: Asked) -> Answer:
        timeout_s = remaining_s(asked.headers)
        call = arrive(operation, said_in(asked.headers), timeout_s)
        work = run(asked, call)
        return Answer(await (work if timeout_s is None else within(timeout_s, work)))

    return serve


def _write(asked: Asked) -> pb.WriteRequest:
    given = _given(asked, ("slot", "value", "request_id"))
    if "value" not in given:
        raise InvalidField("value is missing: send any JSON value", field="value")
    body, content_type = _body(given["value"])
    return pb.WriteRequest(
        namespace=_namespace(asked),
        name=_text(given, "slot"),
        body=body,
        content_type=content_type,
        request_id=_text(given, "request_id", ""),
    )


def _read(asked: Asked) -> pb.ReadRequest:
    query = _query(asked, ("slot", "namespace"))
    if "slot" not in query:
        raise InvalidName("slot is missing: ask for /mem/read?slot=NAME", field="slot")
    return pb.ReadRequest(
        namespace=query["namespace"] if "namespace" in query else _said_namespace(asked), name=query["slot"]
    )


def _forget(asked: Asked) -> pb.ForgetRequest:
    given = _given(asked, ("slot", "request_id"))
    return pb.ForgetRequest(
        namespace=_namespace(asked), name=_text(given, "slot"), request_id=_text(given, "request_id", "")
    )


def _written(reply: Any) -> bytes:
    receipt, revision = _receipt(pb.WriteResponse, reply)
    told = {"slot": receipt.name, "outcome": Outcome.Name(receipt.outcome).removeprefix("OUTCOME_")}
    return orjson.dumps(told | {"revision": receipt.revision or revision, "version": receipt.version}, option=_LINE)


def _forgotten(reply: Any) -> bytes:
    receipt, revision = _receipt(pb.ForgetResponse, reply)
    told = {"slot": receipt.name, "outcome": Outcome.Name(receipt.outcome).removeprefix("OUTCOME_")}
    return orjson.dumps(told | {"revision": receipt.revision or revision}, option=_LINE)


def _receipt(kind: Any, reply: Any) -> tuple[Any, int]:
    message = kind.FromString(reply) if type(reply) is bytes else reply
    return message.receipt, message.revision


def _shown(reply: ReadReply) -> bytes:
    """``value`` is text for text, the JSON value for JSON, and base64 for anything else, as ``encoding`` then says."""
    told_once = reply.beginning
    kind, before, behind = (_remembered if len(told_once) <= _REMEMBERED_BYTES else _rendered)(told_once)
    if kind == bodies.JSON:
        value = reply.body
    elif kind.startswith("text/"):
        value = orjson.dumps(reply.body.decode())
    else:
        value = b'"%b","encoding":"base64"' % binascii.b2a_base64(reply.body, newline=False)
    return b"%b%b%b" % (before, value, behind)


def _rendered(told_once: bytes) -> tuple[str, bytes, bytes]:
    """The kind of a body, and what stands in the answer before and behind it."""
    info = pb.ReadResponse.FromString(told_once).slot.info
    told = {"content_type": info.content_type, "revision": info.revision, "version": info.version}
    before = b'{"slot":%b,"value":' % orjson.dumps(info.name)
    return bodies.essence(info.content_type), before, b",%b" % orjson.dumps(told, option=_LINE)[1:]


_remembered = lru_cache(maxsize=4096)(_rendered)


def _body(raw: str) -> tuple[bytes, str]:
    """The body for a value as it stood in the request, and its content type."""
    if not raw.startswith('"'):
        return raw.encode(), bodies.JSON
    try:
        return json.loads(raw).encode(), bodies.TEXT
    except UnicodeEncodeError:
        raise InvalidBody("value holds half a surrogate pair, which no text has", field="value") from None


def _text(given: Mapping[str, str], key: str, default: str | None = None) -> str:
    raw = given.get(key)
    if raw is None and default is not None:
        return default
    value = None if raw is None else json.loads(raw) if raw.startswith('"') else None
    try:
        if isinstance(value, str) and value.encode():
            return value
    except UnicodeEncodeError:
        pass
    raise InvalidField(f"{key} is missing or is no text", field=key)


def _given(asked: Asked, known: tuple[str, ...]) -> dict[str, str]:
    given = members(asked.body)
    for key in given:
        if key not in known:
            raise _unknown(key, known)
    return given


def _namespace(asked: Asked) -> str:
    """From the query, else from the header, else the default one."""
    query = _query(asked, ("namespace",))
    return query["namespace"] if "namespace" in query else _said_namespace(asked)


def _said_namespace(asked: Asked) -> str:
    said = asked.headers.get(b"memslot-namespace")
    return DEFAULT_NAMESPACE if said is None else _utf8(said, "the header memslot-namespace")


def _addressed(asked: Asked) -> tuple[str, str | None]:
    query = dict(parse_qsl(asked.query.decode("latin-1")))
    namespace = query["namespace"] if "namespace" in query else _said_namespace(asked)
    return namespace, query.get("slot") or named(asked.body, "slot")[0]


def _query(asked: Asked, known: tuple[str, ...]) -> dict[str, str]:
    if not asked.query:
        return {}
    if "slot" in known and (plain := _PLAIN.fullmatch(asked.query)):
        return {"slot": plain[1].decode()}
    try:
        pairs = parse_qsl(asked.query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=16)
    except (UnicodeDecodeError, ValueError):
        raise InvalidField("the query is not percent-encoded UTF-8") from None
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidField("the query says the same thing twice: leave one out")
    for key in found:
        if key not in known:
            raise _unknown(key, known)
    return found


def _utf8(raw: bytes, what: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise InvalidField(f"{what} is not UTF-8", field="namespace") from None


def _unknown(key: str, known: tuple[str, ...]) -> UnknownField:
    tellable = key.isidentifier() and key.isascii() and len(key) <= 64
    return UnknownField(
        f"the request has a field{f' {key!r}' if tellable else ''} that this route does not take; it takes {', '.join(known)}",
        field=key if tellable else "?",
    )
