"""Actions that stand in a prompt, because a history holds what the model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memslot_sidecar.edge.accounting.amounts import Span
from memslot_sidecar.edge.inspection.findings import PromptText
from memslot_sidecar.parsing import parse
from memslot_sidecar.parsing.names import ACTIONS

_ACTION_NAMES = tuple(ACTIONS)
_MODEL_ROLES = frozenset({"assistant", "model"})
_CALL = re.compile(r"(.*\])(?:\.\w+)?\.name")
"""The path of a call's name: the call is the last element of a list around it, as in ``tool_calls[0].function.name``."""


def actions_in(texts: Sequence[PromptText]) -> Iterator[Span]:
    """Actions in the messages of the model, or anywhere in a prompt that is one text: as text, or as calls in a provider's form."""
    models = {text.message_index for text in texts if text.field == "role" and text.text in _MODEL_ROLES}
    one_text = len(texts) == 1 and not texts[0].field
    called = {(text.message_index, call) for text in texts if (call := _called(text))}
    for number, text in enumerate(texts):
        if _within(text, called):
            yield number, 0, len(text.text)
        elif "mem_" in text.text and (one_text or text.message_index in models):
            yield from ((number, action.start, action.end) for action in parse(text.text, lenient=True).actions)


def _called(text: PromptText) -> str:
    """The path of the call whose name this text is, if it is one of our actions."""
    found = _CALL.fullmatch(text.field) if text.text.endswith(_ACTION_NAMES) else None
    return found[1] if found else ""


def _within(text: PromptText, called: set[tuple[int, str]]) -> bool:
    end = text.field.rfind("]") + 1
    while end > 0:
        if (text.message_index, text.field[:end]) in called:
            return True
        end = text.field.rfind("]", 0, end - 1) + 1
    return False
