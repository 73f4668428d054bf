"""The simple routes and the probes, as OpenAPI tells them: they are in no descriptor."""

from __future__ import annotations

from typing import Any

Tree = dict[str, Any]

_SLOT: Tree = {"type": "string", "minLength": 1, "description": "The slot's name."}
_REQUEST_ID: Tree = {
    "type": "string",
    "format": "uuid",
    "description": "A repeat with the same id returns the first answer and changes nothing.",
}
_REVISION: Tree = {"type": "integer", "description": "The slot's revision, or the store's where there is no slot."}
_VERSION: Tree = {"type": "integer", "description": "How often the slot was written since it was created."}
_NAMESPACE: Tree = {"schema": {"type": "string", "default": "default"}}
_NAMESPACES: list[Tree] = [
    {"name": "namespace", "in": "query", "description": "The namespace; it goes before the header.", **_NAMESPACE},
    {"name": "memslot-namespace", "in": "header", "description": "The namespace.", **_NAMESPACE},
]
_QUERY: Tree = {"name": "slot", "in": "query", "required": True, "schema": _SLOT, "description": "The slot's name."}
_OUTCOME: Tree = {"slot": {"type": "string"}, "outcome": {"type": "string"}, "revision": _REVISION}


def simple_paths(errors: Tree) -> Tree:
    """The paths; ``errors`` are the answers that tell an error."""
    refused = {"403": errors["403"]}
    write = _object(
        {"slot": _SLOT, "value": {"description": "Any JSON value."}, "request_id": _REQUEST_ID}, "slot", "value"
    )
    forget = _object({"slot": _SLOT, "request_id": _REQUEST_ID}, "slot")
    read = {
        "slot": {"type": "string"},
        "value": {"description": "A text for text, the JSON value for JSON, else base64."},
        "encoding": {"type": "string", "enum": ["base64"], "description": "Set when the value is base64."},
        "content_type": {"type": "string"},
        "revision": _REVISION,
        "version": _VERSION,
    }
    written = _object({**_OUTCOME, "version": _VERSION})
    return {
        "/mem/write": {
            "post": {
                "operationId": "mem.write",
                "tags": ["simple"],
                "summary": "Writes a value to a slot.",
                "description": "A text is stored as text/plain, any other JSON value as application/json, as it was written.",
                "parameters": _NAMESPACES,
                "requestBody": _body(write),
                "responses": {"200": _json("Written.", written), **errors},
            }
        },
        "/mem/read": {
            "get": {
                "operationId": "mem.read",
                "tags": ["simple"],
                "summary": "Reads the value of a slot.",
                "parameters": [_QUERY, *_NAMESPACES],
                "responses": {"200": _json("The value.", _object(read)), **errors},
            }
        },
        "/mem/forget": {
            "post": {
                "operationId": "mem.forget",
                "tags": ["simple"],
                "summary": "Forgets a slot; outcome ABSENT when there is none.",
                "parameters": _NAMESPACES,
                "requestBody": _body(forget),
                "responses": {"200": _json("Forgotten.", _object(_OUTCOME)), **errors},
            }
        },
        "/healthz": _probe("healthz", "Whether the process lives.", {"200": _text("It does."), **refused}),
        "/readyz": _probe(
            "readyz",
            "Whether calls are served.",
            {"200": _text("They are."), "503": _text("Not yet, or no longer."), **refused},
        ),
        "/metrics": _probe("metrics", "What is counted, for Prometheus.", {"200": _text("The metrics."), **refused}),
    }


def _object(properties: Tree, *required: str) -> Tree:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | {"required": list(required)} if required else schema


def _body(schema: Tree) -> Tree:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _json(description: str, schema: Tree) -> Tree:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _text(description: str) -> Tree:
    return {"description": description, "content": {"text/plain": {"schema": {"type": "string"}}}}


def _probe(name: str, summary: str, responses: Tree) -> Tree:
    return {"get": {"operationId": name, "tags": ["probes"], "summary": summary, "responses": responses}}
