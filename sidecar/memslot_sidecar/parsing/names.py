"""The one table of actions, and how a written name is matched to it.

Names are exact; ``functions.`` is the one prefix that counts as exact. A prefix of the host's own (``mcp__notes__``) counts when the
caller says it is ours. Another spelling of the same name is a repair, another namespace or a near miss is a reject.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Signature:
    """What an action needs, and the order in which its arguments are documented."""

    required: tuple[str, ...]
    order: tuple[str, ...]


_STORING = Signature(required=("slot", "value"), order=("slot", "value"))
_ONE_SLOT = Signature(required=("slot",), order=("slot",))

ACTIONS = {
    "mem_write": _STORING,
    "mem_append": _STORING,
    "mem_patch": _STORING,
    "mem_read": _ONE_SLOT,
    "mem_forget": _ONE_SLOT,
    "mem_lookup": Signature(required=(), order=("name_prefix", "limit")),
    "mem_search": Signature(required=("query",), order=("query", "limit")),
}
TEXT_ARGUMENTS = frozenset({"slot", "query", "name_prefix"})
NAME_KEYS = ("action", "name", "function", "tool", "tool_name", "function_name", "recipient_name")
ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs")
STRUCTURED_CHAT = frozenset({"action_input", "tool_input"})
"""Argument keys of a format in which one action a turn is asked for, and a single argument may be a bare text."""
BARE_TEXT = re.compile(r"[^\s\"'`{}\[\](),:=<>][^\"'`{}\[\]<>\n]{0,1000}")
BESIDE_ARGUMENTS = frozenset(
    {"id", "type", "index", "call_id", "tool_call_id", "thought", "thoughts", "inner_thoughts", "reasoning"}
)
"""Keys that may stand beside the arguments of a flat action and belong to the call."""

_VERBS = "write|append|patch|read|forget|lookup|search"
NAME = r"mem_(?:" + _VERBS + r")(?![A-Za-z0-9_])"
MENTION = re.compile(
    r"[mM\\\u200b-\u200d\u2060\ufeff\u00ad](?:(?<=[mM])[eE][mM](?:_|[\W_]{0,3}(?:"
    + _VERBS
    + r"))|(?<=\\)u00[0-7]|(?<![mM\\])|(?<=[mM])em(?:Write|Append|Patch|Read|Forget|Lookup|Search))"
)
"""Wherever a name may stand, also one that is torn, escaped or spelt otherwise. Where none is, no action is."""

_CALLERS = ("default_api.", "tools.", "tool.", "function.", "api.", "functions:", "functions_")
_NAMESPACED = re.compile(r".*[.:/_-]" + NAME + r"\Z", re.DOTALL)
_NAME_LIMIT = 120
_MEANT = {
    "mem_write": "add create put remember save set store update",
    "mem_patch": "edit merge modify",
    "mem_read": "fetch get load open recall retrieve show",
    "mem_forget": "clear delete drop erase remove",
    "mem_lookup": "keys list ls names slots",
    "mem_search": "find grep query",
}
_SYNONYMS = {f"mem_{verb}": name for name, verbs in _MEANT.items() for verb in verbs.split()}
"""Which action a model meant that took its name from elsewhere; it is told, and nothing is executed."""
_COMPACT = {name.replace("_", ""): name for name in ACTIONS}


@dataclass(frozen=True)
class Resolved:
    """An action's ``name`` with the ``repair`` it took, or the ``reason`` why it is none; all empty for a foreign name."""

    name: str = ""
    repair: str = ""
    reason: str = ""
    nearest: str = ""

    @property
    def foreign(self) -> bool:
        """The name is another tool's or no tool's: not our business."""
        return not self.name and not self.reason


@lru_cache(maxsize=1024)
def resolve(written: str, own_prefixes: tuple[str, ...] = ()) -> Resolved:
    """The action that a written name means."""
    if len(written) > _NAME_LIMIT:
        return Resolved()
    for prefix in ("", "functions.", *own_prefixes):
        if written.startswith(prefix) and written[len(prefix) :] in ACTIONS:
            return Resolved(written[len(prefix) :])
    compact = re.sub(r"[\W_]", "", written.removeprefix("functions.")).lower()
    if name := _COMPACT.get(compact) or _COMPACT.get(compact.removesuffix("json")):
        return Resolved(name, repair="name_spelling")
    for caller in _CALLERS:
        if written.startswith(caller) and written[len(caller) :] in ACTIONS:
            return Resolved(written[len(caller) :], repair="name_prefix")
    if _NAMESPACED.match(written):
        return Resolved(reason="FOREIGN_NAMESPACE")
    return _near(
        next((written[len(ours) :] for ours in ("functions.", *own_prefixes) if written.startswith(ours)), written)
    )


def _near(written: str) -> Resolved:
    if not written.startswith("mem_"):
        return Resolved()
    near = difflib.get_close_matches(written, ACTIONS, n=1, cutoff=0.6)
    meant = _SYNONYMS.get(written.lower()) or (near[0] if near else " or ".join(ACTIONS))
    return Resolved(reason="UNKNOWN_ACTION", nearest=meant)
