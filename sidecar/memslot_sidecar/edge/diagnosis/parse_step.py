"""Step 2: what was found in the output, and what only looked like an action."""

from __future__ import annotations

from collections.abc import Iterator

from memslot_sidecar import names
from memslot_sidecar.edge.diagnosis.evidence import Evidence, Finding, Verdict
from memslot_sidecar.edge.notes import ActionNote, RejectNote
from memslot_sidecar.errors import InvalidName
from memslot_sidecar.parsing import Action


def look(evidence: Evidence) -> Iterator[Finding]:
    """What is to be said of the parse: as it was noted, or, for an output that is given, as it would be now."""
    noted = [note for note in evidence.turn.notes if isinstance(note, ActionNote | RejectNote)]
    for note in noted:
        if isinstance(note, ActionNote):
            yield _action(note.action, note.name, note.shape, note.repaired)
        else:
            yield _reject(note.reason, note.start, note.end, note.hint)
    if evidence.strict is None or evidence.lenient is None:
        return
    if not noted:
        for action in evidence.strict.actions:
            yield _action(action.name, slot_of(action), action.shape, action.repaired)
        for reject in evidence.strict.rejects:
            yield _reject(reject.reason, reject.start, reject.end, reject.hint)
    more = len(evidence.lenient.actions) - len(evidence.strict.actions)
    if more > 0:
        yield Finding(Verdict.WARNING, "LENIENT_FINDS_MORE", {"count": more})


def slot_of(action: Action) -> str:
    """The slot that an action is about; empty when it is about none, or what stands there is no name but may be anything."""
    slot = action.arguments.get("slot")
    try:
        return names.slot_name(slot) if isinstance(slot, str) else ""
    except InvalidName:
        return ""


def _action(action: str, name: str, shape: str, repaired: tuple[str, ...]) -> Finding:
    values = {"action": action, "name": name, "shape": shape or "json"}
    if repaired:
        return Finding(
            Verdict.WARNING,
            "REPAIRED" if name else "REPAIRED_NAMELESS",
            values | {"repairs": ", ".join(repaired)},
            name,
        )
    return Finding(Verdict.OK, "PARSED" if name else "PARSED_NAMELESS", values, name)


def _reject(reason: str, start: int, end: int, hint: str) -> Finding:
    return Finding(Verdict.BROKEN, "REJECTED", {"reason": reason, "start": start, "end": end, "hint": hint})
