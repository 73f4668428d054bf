"""What is noted in the ledger of actions and rejects."""

from __future__ import annotations

import re
from bisect import bisect_right

from memslot_sidecar.edge.notes import ActionNote, RejectNote
from memslot_sidecar.operations.acting import Done
from memslot_sidecar.parsing import Reject

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


class Fences:
    """Where an output opens and closes fences of code."""

    def __init__(self, output: str) -> None:
        self._starts = [match.start() for match in _FENCE.finditer(output)]

    def around(self, position: int) -> bool:
        """Whether a position lies in a fence."""
        return bisect_right(self._starts, position) % 2 == 1


def action_note(done: Done, time_ms: int, fences: Fences) -> ActionNote:
    """Of an action that was found."""
    action = done.action
    return ActionNote(
        time_ms=time_ms,
        action=action.name,
        name=done.name,
        shape=f"{action.shape}, fenced" if fences.around(action.start) else action.shape,
        repaired=action.repaired,
        outcome=done.outcome.name,
        reason=done.error.reason if done.error is not None else "",
        revision=done.revision,
        characters=action.end - action.start,
        line_characters=len(done.line),
    )


def reject_note(reject: Reject, line_characters: int, time_ms: int) -> RejectNote:
    """Of what looked like an action."""
    return RejectNote(time_ms, reject.reason, reject.start, reject.end, reject.hint, line_characters)
