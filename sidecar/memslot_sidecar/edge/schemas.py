"""The schemas of the actions, as hosted APIs want them.

Whatever arguments they offer, Act takes; it takes more (see edge/acting/arguments.py), which are not worth their tokens in every prompt. For
the same reason nothing forbids other arguments: Act refuses them by itself, with a receipt that tells which there are.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from memslot_sidecar.edge.language import Language
from memslot_sidecar.parsing.names import ACTIONS


class ToolForm(enum.IntEnum):
    """Whose form a schema has (values as in the contract)."""

    OPENAI = 1
    ANTHROPIC = 2
    MCP = 3


_TEXT: Mapping[str, Any] = {"type": "string"}
_ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "slot": _TEXT,
    "value": {},
    "description": _TEXT,
    "query": _TEXT,
    "name_prefix": _TEXT,
}
"""By name. A value is any JSON value. A limit need not be offered: a model that is told of one tends to set it too low."""
_OFFERED: Mapping[str, tuple[str, ...]] = {
    "mem_write": ("slot", "value", "description"),
    "mem_append": ("slot", "value"),
    "mem_patch": ("slot", "value"),
    "mem_read": ("slot",),
    "mem_forget": ("slot",),
    "mem_lookup": ("name_prefix",),
    "mem_search": ("query",),
}
_TOLD: Mapping[str, tuple[str, str]] = {
    "mem_write": ("Store a value in a named slot, replacing what is there", "写入槽位（覆盖）"),
    "mem_append": ("Add to the end of a slot", "追加到槽位"),
    "mem_patch": ("Change parts of a JSON slot (RFC 7396)", "修改 JSON 槽位（RFC 7396）"),
    "mem_read": ("Read a slot before you answer about it", "读取槽位"),
    "mem_forget": ("Delete a slot", "删除槽位"),
    "mem_lookup": ("List slot names", "列出槽位名称"),
    "mem_search": ("Find slots by words", "按词语查找槽位"),
}


@lru_cache(maxsize=256)
def schemas_json(form: ToolForm, language: Language, actions: Collection[str] = ()) -> str:
    """A compact JSON array of the schemas of ``actions``, all when it is empty, in the order of the table."""
    wanted = [action for action in ACTIONS if not actions or action in actions]
    schemas = [_schema(form, action, _TOLD[action][language - 1]) for action in wanted]
    return json.dumps(schemas, ensure_ascii=False, separators=(",", ":"))


def _schema(form: ToolForm, action: str, told: str) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {name: _ARGUMENTS[name] for name in _OFFERED[action]},
    }
    if ACTIONS[action].required:
        parameters["required"] = list(ACTIONS[action].required)
    if form is ToolForm.OPENAI:
        return {"type": "function", "function": {"name": action, "description": told, "parameters": parameters}}
    key = "input_schema" if form is ToolForm.ANTHROPIC else "inputSchema"
    return {"name": action, "description": told, key: parameters}
