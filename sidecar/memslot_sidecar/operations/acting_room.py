"""How much of an output is acted on: what there is no room to answer is not executed, and one reject tells of it."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.budget import REPLY_LIMIT_BYTES, info_bytes
from memslot_sidecar.parsing import Action, Parsed, Reject

ACTIONS_LIMIT = 1_000
REJECTS_LIMIT = 200
_MARGIN_BYTES = 50_000
_ACTION_BYTES = 2_500
"""Upper bound of what an action's receipt or status takes, and its line at three places."""
_REJECT_BYTES = 1_000
_ANSWER_BYTES = 200


class Room:
    """The bytes that a reply to one output may still take."""

    def __init__(self, parsed: Parsed, rejects: Sequence[Reject]) -> None:
        self._left = REPLY_LIMIT_BYTES - _MARGIN_BYTES - _utf8(parsed.user_text)
        self._left -= sum(_REJECT_BYTES + 2 * _utf8(one.call_id) for one in rejects)
        self._left -= sum(_ANSWER_BYTES + 8 * _utf8(one.call_id) for one in parsed.replies_to)
        self._actions = 0
        if self._left < 0:
            raise InvalidField("output is too large to be answered: split it", field="output")

    def take_action(self, action: Action) -> bool:
        """Whether there is room for an action besides a body that it reads."""
        self._actions += 1
        if self._actions > ACTIONS_LIMIT:
            return False
        return self.take(_ACTION_BYTES + _utf8(action.arguments_json) + 2 * _utf8(action.call_id))

    def take_slot(self, record: SlotRecord) -> bool:
        """Whether there is room for a slot with its body."""
        return self.take(info_bytes(record) + record.body_bytes)

    def take_names(self, names: Sequence[str]) -> bool:
        """Whether there is room for names, which stand in the result and, some of them, in the lines."""
        return self.take(4 * sum(_utf8(name) + 4 for name in names))

    def take(self, size: int) -> bool:
        """Whether there is room for so many bytes, which are then taken."""
        if size > self._left:
            return False
        self._left -= size
        return True


def told_rejects(rejects: Sequence[Reject]) -> Sequence[Reject]:
    """The rejects that are told: of very many the first, and one for all that follow."""
    if len(rejects) <= REJECTS_LIMIT:
        return rejects
    rest = rejects[REJECTS_LIMIT:]
    hint = f"{len(rest)} more places look like actions: write fewer and complete ones"
    return [*rejects[:REJECTS_LIMIT], Reject("TOO_MANY_REJECTS", rest[0].start, rest[-1].end, hint)]


def not_run(rest: Sequence[Action]) -> Reject:
    """The reject of all actions that there is no room for."""
    hint = (
        f"{len(rest)} more actions are too many for one output (at most {ACTIONS_LIMIT}, and what the reply has room for): "
        "write them in the next one"
    )
    return Reject("TOO_MANY_ACTIONS", rest[0].start, rest[-1].end, hint)


def _utf8(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
