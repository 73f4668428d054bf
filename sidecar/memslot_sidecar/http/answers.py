"""What goes back: a status, headers and bytes, and errors in the form of the Connect protocol."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from google.protobuf import json_format
from google.protobuf.any_pb2 import Any as AnyMessage

from memslot._google_rpc import error_details_pb2
from memslot_sidecar.errors import MemslotError, grpc_code
from memslot_sidecar.http.refusals import Header, Refused
from memslot_sidecar.status import DOMAIN, to_status

JSON = b"application/json"
PROTO = b"application/proto"
STATUSES = {
    "CANCELLED": ("canceled", 499),
    "UNKNOWN": ("unknown", 500),
    "INVALID_ARGUMENT": ("invalid_argument", 400),
    "DEADLINE_EXCEEDED": ("deadline_exceeded", 504),
    "NOT_FOUND": ("not_found", 404),
    "ALREADY_EXISTS": ("already_exists", 409),
    "PERMISSION_DENIED": ("permission_denied", 403),
    "RESOURCE_EXHAUSTED": ("resource_exhausted", 429),
    "FAILED_PRECONDITION": ("failed_precondition", 400),
    "ABORTED": ("aborted", 409),
    "OUT_OF_RANGE": ("out_of_range", 400),
    "UNIMPLEMENTED": ("unimplemented", 501),
    "INTERNAL": ("internal", 500),
    "UNAVAILABLE": ("unavailable", 503),
    "DATA_LOSS": ("data_loss", 500),
    "UNAUTHENTICATED": ("unauthenticated", 401),
}
"""Connect's name and HTTP status for each gRPC code."""

_GUARDS: Sequence[Header] = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
OK_JSON: Sequence[Header] = ((b"content-type", JSON), *_GUARDS)
OK_PROTO: Sequence[Header] = ((b"content-type", PROTO), *_GUARDS)
"""The headers of answers without an error."""


@dataclass(slots=True)
class Asked:
    """A request that has come whole."""

    headers: Mapping[bytes, bytes]
    query: bytes = b""
    body: bytes = b""
    is_json: bool = True


@dataclass(slots=True)
class Answer:
    """What is sent; ``content-length`` is added."""

    body: bytes
    headers: Sequence[Header] = OK_JSON
    status: int = 200


Endpoint = Callable[[Asked], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Place:
    """What is at a path: one endpoint, by one verb (and HEAD, where that is GET). ``takes`` are the types of bodies, none without.

    A drain waits for what ``is_call``.
    """

    verb: str
    endpoint: Endpoint
    takes: frozenset[bytes] = field(default_factory=frozenset)
    is_call: bool = False


def typed(body: bytes, content_type: bytes, status: int = 200) -> Answer:
    """An answer of a content type."""
    return Answer(body, ((b"content-type", content_type), *_GUARDS), status)


def failed(error: MemslotError) -> Answer:
    """The answer that tells an error of a call."""
    code, number = STATUSES[grpc_code(error)]
    status = to_status(error)
    headers = OK_JSON
    if error.retry_after_ms is not None:
        headers = (*OK_JSON, (b"retry-after", str(-(-error.retry_after_ms // 1000)).encode()))
    return Answer(error_body(code, status.message, status.details), headers, number)


def refused(error: Refused) -> Answer:
    """The answer that tells a refusal."""
    details = []
    if error.reason:
        detail = AnyMessage()
        detail.Pack(error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN))
        details.append(detail)
    return Answer(error_body(error.code, error.message, details), (*OK_JSON, *error.headers), error.status)


def error_body(code: str, message: str, details: Sequence[AnyMessage]) -> bytes:
    """An error as the Connect protocol writes it."""
    told: dict[str, Any] = {"code": code, "message": message}
    if details:
        told["details"] = [_detail(detail) for detail in details]
    return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


def _detail(detail: AnyMessage) -> dict[str, Any]:
    """A detail as Connect writes it: ``value`` is for programs, ``debug`` the same for people."""
    debug = json_format.MessageToDict(detail)
    name = detail.TypeName()
    del debug["@type"]
    value = base64.b64encode(detail.value).rstrip(b"=").decode()
    return {"type": name, "value": value, "debug": debug}
