"""The OpenAPI document as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from memslot import proto_path
from memslot_sidecar.http.answers import STATUSES, Answer, Asked, Place
from memslot_sidecar.http.openapi.comments import comments
from memslot_sidecar.http.openapi.schemas import Schemas
from memslot_sidecar.http.openapi.simple_paths import simple_paths
from memslot_sidecar.routes import Route

OPENAPI = b"/openapi.json"
"""The path."""
_ABOUT = (
    "Memory for LLM agents, outside the prompt, in named slots. Each method of the gRPC services whose answer is one message is a "
    "path of its own, by the Connect unary protocol; three simple routes write, read and forget one value."
)
_ERROR = "memslot.Error"
_TIMEOUT: dict[str, Any] = {
    "name": "connect-timeout-ms",
    "in": "header",
    "description": "How long the caller will wait.",
    "schema": {"type": "integer", "minimum": 1, "maximum": 9_999_999_999},
}
_REFUSALS = {403, 404, 405, 415, 431}


def places(routes: Mapping[str, Route], version: str) -> dict[bytes, Place]:
    """The place of the document, which is made when it is first asked for."""
    made: list[bytes] = []

    async def tell(_: Asked) -> Answer:
        if not made:
            made.append(await asyncio.to_thread(_rendered, list(routes.values()), version))
        return Answer(made[0])

    return {OPENAPI: Place("GET", tell)}


def document(routes: Iterable[Route], version: str, said: Mapping[str, str]) -> dict[str, Any]:
    """The document for some routes; ``said`` are the contract's comments."""
    schemas = Schemas(said)
    errors = _errors()
    unary = [route for route in routes if not route.method.server_stream]
    paths = {route.path: {"post": _operation(route, schemas, said, errors)} for route in unary}
    services = sorted({route.method.service for route in unary})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "memslot",
            "version": version,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            *({"name": name, "description": said.get(name, "")} for name in services),
            {"name": "simple", "description": "One value at a time, for a shell."},
            {"name": "probes", "description": "For whoever watches the process."},
        ],
        "paths": simple_paths(errors) | paths,
        "components": {"schemas": {_ERROR: _error_schema()} | schemas.components},
    }


def _rendered(routes: Iterable[Route], version: str) -> bytes:
    return orjson.dumps(document(routes, version, comments(Path(proto_path()))))


def _operation(route: Route, schemas: Schemas, said: Mapping[str, str], errors: dict[str, Any]) -> dict[str, Any]:
    method = route.method
    about = said.get(f"{method.service}.{method.name}", "")
    request, reply = schemas.of(method.request_type.DESCRIPTOR), schemas.of(method.response_type.DESCRIPTOR)
    return {
        "operationId": route.name.replace("/", "."),
        "tags": [method.service],
        "summary": about.partition("\n")[0],
        "description": about,
        "parameters": [_TIMEOUT],
        "requestBody": {"required": True, "content": {"application/json": {"schema": request}}},
        "responses": {"200": {"description": "Done.", "content": {"application/json": {"schema": reply}}}, **errors},
    }


def _errors() -> dict[str, Any]:
    codes: dict[int, list[str]] = {}
    for code, status in STATUSES.values():
        codes.setdefault(status, []).append(code)
    for status in _REFUSALS - codes.keys():
        codes[status] = ["refused by HTTP"]
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{_ERROR}"}}}
    return {str(status): {"description": ", ".join(codes[status]), "content": content} for status in sorted(codes)}


def _error_schema() -> dict[str, Any]:
    detail = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "examples": ["google.rpc.ErrorInfo"]},
            "value": {"type": "string", "description": "The detail, serialised, as base64."},
            "debug": {"type": "object", "description": "The same as protobuf JSON."},
        },
        "required": ["type", "value"],
    }
    return {
        "type": "object",
        "description": "An error in the form of the Connect protocol. The reason stands in the detail google.rpc.ErrorInfo.",
        "properties": {
            "code": {"type": "string", "enum": [code for code, _ in STATUSES.values()]},
            "message": {"type": "string"},
            "details": {"type": "array", "items": detail},
        },
        "required": ["code", "message"],
    }
