"""GetToolSchemas: the actions as tools of a hosted API. Looks at no slot."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.call import Call
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.schemas import ToolForm, schemas_json
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.parsing.names import ACTIONS


def tool_schemas(call: Call, form: ToolForm, language: Language, actions: Sequence[str]) -> str:
    """A compact JSON array of the schemas of some actions, or of all. Raises InvalidField for an unknown one."""
    for position, action in enumerate(actions):
        if action not in ACTIONS:
            field = f"actions[{position}]"
            raise InvalidField(f"{field}: there is no {action[:64]!r}; choose of {', '.join(ACTIONS)}", field=field)
    call.outcome = "LISTED"
    call.count = len(set(actions)) or len(ACTIONS)
    return schemas_json(form, language, frozenset(actions))
