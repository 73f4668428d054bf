"""What is noted in the ledger of actions and rejects."""

from __future__ import annotations

from memslot_sidecar.edge.notes import ActionNote, RejectNote
from memslot_sidecar.operations.acting import Done
from memslot_sidecar.parsing import Reject


def action_note(done: Done, time_ms: int) -> ActionNote:
    """Of an action that was found."""
    action = done.action
    return ActionNote(
        time_ms=time_ms,
        action=action.name,
        name=done.name,
        shape=action.shape,
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
