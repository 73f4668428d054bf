"""The driver of plain HTTP, run as ``python -m tests.conformance.http_driver``: what a careful user writes without a client.

Every method is called by POST with protobuf JSON. A call that gets no answer, or UNAVAILABLE, is repeated under the same request id.
"""

from __future__ import annotations

import base64
import uuid
from typing import Any

import httpx
from google.protobuf import json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from tests.conformance.driver_loop import Answer, Request, failure, serve
from tests.conformance.http_client import HttpClient, NoAnswer

from memslot._core.raw import unary_methods
from memslot._google_rpc import error_details_pb2

_INFO, _BAD_REQUEST = error_details_pb2.ErrorInfo, error_details_pb2.BadRequest


class Unsupported(Exception):
    """Plain HTTP has no such thing."""


class Clients:
    """The connections that were opened, by name."""

    def __init__(self) -> None:
        self._opened: dict[str, HttpClient] = {}

    def answer(self, request: Request) -> Answer:
        """Does what one line asks for."""
        try:
            done: Answer = getattr(self, f"_{request['op']}")(request)
        except Unsupported as error:
            return {"unsupported": str(error)}
        return done

    def _open(self, request: Request) -> Answer:
        self._opened[request["client"]] = HttpClient.opened(request)
        return {"ok": True}

    def _close(self, request: Request) -> Answer:
        if request.get("keep"):
            raise Unsupported("plain HTTP has no client that could be closed")
        self._opened.pop(request["client"]).close()
        return {"ok": True}

    def _call(self, request: Request) -> Answer:
        method = unary_methods()[request["method"].removeprefix("memslot.v1.")]
        body = dict(request["request"])
        mutation = "request_id" in method.request.DESCRIPTOR.fields_by_name
        if mutation:
            body["requestId"] = body.get("requestId") or str(uuid.uuid4())
        client = self._opened[request["client"]]
        told = _settled(client, "POST", f"/{request['method']}", mutation, body, request.get("timeout_ms"))
        return {"reply": told.json()} if isinstance(told, httpx.Response) else told

    def _do(self, request: Request) -> Answer:
        client, arguments = self._opened[request["client"]], request.get("arguments", {})
        match request["verb"]:
            case "write":
                return _write(client, arguments)
            case "read":
                return _read(client, arguments)
            case "forget":
                return _forget(client, arguments)
        raise Unsupported("plain HTTP has no idiomatic layer but three simple routes")


def _write(client: HttpClient, arguments: dict[str, Any]) -> Answer:
    if arguments["kind"] == "bytes" or not {"name", "kind", "value"}.issuperset(arguments):
        raise Unsupported("the simple route takes a slot and a JSON value")
    body = {"slot": arguments["name"], "value": arguments["value"], "request_id": str(uuid.uuid4())}
    told = _settled(client, "POST", "/mem/write", True, body)
    if not isinstance(told, httpx.Response):
        return told
    written = told.json()
    return {
        "result": {
            "outcome": written["outcome"],
            "name": written["slot"],
            "version": str(written["version"]),
            "revision": str(written["revision"]),
        }
    }


def _read(client: HttpClient, arguments: dict[str, Any]) -> Answer:
    told = _settled(client, "GET", "/mem/read", False, {"slot": arguments["name"]})
    if not isinstance(told, httpx.Response):
        return told
    read = told.json()
    kind = "bytes" if "encoding" in read else "text" if read["content_type"].startswith("text/") else "json"
    kept = {"value": read["value"], "content_type": read["content_type"], "revision": str(read["revision"])}
    return {"result": {"kind": kind, **kept}}


def _forget(client: HttpClient, arguments: dict[str, Any]) -> Answer:
    body = {"slot": arguments["name"], "request_id": str(uuid.uuid4())}
    told = _settled(client, "POST", "/mem/forget", True, body)
    return {"result": {"outcome": told.json()["outcome"]}} if isinstance(told, httpx.Response) else told


def _settled(
    client: HttpClient, verb: str, path: str, mutation: bool, sent: dict[str, Any], timeout_ms: int | None = None
) -> httpx.Response | Answer:
    """The reply, or what went wrong: an answer of the server is certain, no answer to a mutation is not."""
    try:
        reply = client.request(verb, path, sent, timeout_ms)
    except NoAnswer as error:
        own_reason = "OUTCOME_UNKNOWN" if mutation else ""
        kind, text = type(error).__name__, f"{error!r}: {error}"
        return {"error": failure(code=error.code, own_reason=own_reason, kind=kind, text=text)}
    return reply if reply.status_code == 200 else {"error": _error(reply)}


def _error(reply: httpx.Response) -> dict[str, Any]:
    """An error as the Connect protocol writes it."""
    told = reply.json()
    details = [_detail(detail) for detail in told.get("details", ())]
    info, bad = _INFO(), _BAD_REQUEST()
    for detail in details:
        _ = detail.Unpack(info) or detail.Unpack(bad)
    code = told["code"].upper()
    return failure(
        code="CANCELLED" if code == "CANCELED" else code,
        reason=info.reason,
        metadata=dict(info.metadata),
        field=bad.field_violations[0].field if bad.field_violations else "",
        details=[json_format.MessageToDict(detail) for detail in details],
        kind=f"HTTP {reply.status_code}",
        text=f"{reply.status_code} {reply.text}",
    )


def _detail(told: dict[str, str]) -> AnyMessage:
    value = told["value"]
    raw = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    return AnyMessage(type_url=f"type.googleapis.com/{told['type']}", value=raw)


if __name__ == "__main__":
    serve(Clients().answer)
