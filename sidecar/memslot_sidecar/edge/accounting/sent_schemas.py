"""The tool schemas that were sent with a prompt, and which of them are memslot's."""

from __future__ import annotations

import json
from typing import Any

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.parsing.names import ACTIONS

_ACTION_NAMES = tuple(ACTIONS)


def ours(schemas_json: str) -> str:
    """The part of the schemas that describes memory actions; all of the text when each does. Raises InvalidField."""
    if not schemas_json:
        return ""
    try:
        schemas = json.loads(schemas_json)
    except (ValueError, RecursionError):
        raise _not_schemas() from None
    if not isinstance(schemas, list):
        raise _not_schemas()
    kept = [schema for schema in schemas if _name(schema).endswith(_ACTION_NAMES)]
    if len(kept) == len(schemas):
        return schemas_json
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""


def _name(schema: Any) -> str:
    """The name of a tool in OpenAI's, Anthropic's or MCP's form."""
    inner = schema.get("function", schema) if isinstance(schema, dict) else None
    name = inner.get("name") if isinstance(inner, dict) else None
    return name if isinstance(name, str) else ""


def _not_schemas() -> InvalidField:
    return InvalidField("schemas_json is no JSON array: send the tools as the model got them", field="schemas_json")
