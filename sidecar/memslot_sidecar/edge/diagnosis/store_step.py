"""Step 3: what was done to the store, and what became of it since."""

from __future__ import annotations

from collections.abc import Iterator

from memslot_sidecar.edge.diagnosis.evidence import GONE, Event, Evidence, Finding, Verdict
from memslot_sidecar.edge.notes import ActionNote
from memslot_sidecar.model import Change

_WRITES = ("mem_write", "mem_append", "mem_patch")
_BODIES = (Change.CREATED, Change.OVERWRITTEN, Change.APPENDED, Change.PATCHED)
_SINCE = {
    Change.FORGOTTEN: ("FORGOTTEN_SINCE", Verdict.WARNING),
    Change.EXPIRED: ("EXPIRED_SINCE", Verdict.BROKEN),
    Change.EVICTED: ("EVICTED_SINCE", Verdict.BROKEN),
}
_BEFORE = {
    Change.FORGOTTEN: "READ_AFTER_FORGOTTEN",
    Change.EXPIRED: "READ_AFTER_EXPIRED",
    Change.EVICTED: "READ_AFTER_EVICTED",
}


def look(evidence: Evidence) -> Iterator[Finding]:
    """What is to be said of the store: of each action, else of the slots that were asked for."""
    wanted = set(evidence.names)
    acted = [note for note in evidence.turn.actions() if not wanted or not note.name or note.name in wanted]
    for note in acted:
        yield from _action(evidence, note)
    done = {note.name for note in acted}
    for name in (name for name in dict.fromkeys(evidence.names) if name not in done):
        record = evidence.slots.get(name)
        if record is None:
            yield from _absent(evidence, name)
        else:
            values = {"name": name, "revision": record.revision}
            yield Finding(Verdict.OK, "IS_STORED", values, name, record.revision)
    if not evidence.all_told:
        yield Finding(Verdict.UNKNOWN, "FEED_ENDS")


def _action(evidence: Evidence, note: ActionNote) -> Iterator[Finding]:
    values = {"action": note.action, "name": note.name, "revision": note.revision, "reason": note.reason}
    if note.outcome == "VALID":
        yield Finding(Verdict.WARNING, "NOT_EXECUTED", values, note.name)
    elif note.outcome == "REFUSED":
        yield Finding(Verdict.BROKEN, "REFUSED", values, note.name)
    elif note.outcome == "NOT_FOUND":
        yield _not_found(evidence, note)
    elif note.action in _WRITES:
        yield Finding(Verdict.OK, "WRITTEN", values, note.name, note.revision)
        yield from _since(evidence, note)
    elif note.action == "mem_read":
        yield Finding(Verdict.OK, "READ", values, note.name, note.revision)
    else:
        yield Finding(Verdict.OK, "DONE" if note.name else "LISTED", values, note.name, note.revision)


def _since(evidence: Evidence, note: ActionNote) -> Iterator[Finding]:
    """What happened to a slot after it was written."""
    later = [event for event in evidence.events.get(note.name, ()) if event.revision > note.revision]
    record = evidence.slots.get(note.name)
    if record is not None and record.revision == note.revision:
        return
    gone = [event for event in later if event.change in GONE]
    changed = [event for event in later if event.change in _BODIES]
    if gone and (record is None or gone[-1].revision > (changed[-1].revision if changed else 0)):
        reason, verdict = _SINCE[gone[-1].change]
        yield _told(verdict, reason, note, gone[-1])
    elif record is None:
        reason = "EXPIRED_SINCE" if evidence.all_told else "GONE_SINCE"
        yield Finding(Verdict.BROKEN, reason, _values(note, None), note.name, note.revision)
    elif changed:
        yield _told(Verdict.WARNING, "CHANGED_SINCE", note, changed[-1])


def _not_found(evidence: Evidence, note: ActionNote) -> Finding:
    """Why a slot was not there when it was asked for."""
    events = evidence.events.get(note.name, ())
    before = [event for event in events if event.time_ms <= note.time_ms]
    gone = [event for event in before if event.change in GONE]
    if gone:
        return _told(Verdict.BROKEN, _BEFORE[gone[-1].change], note, gone[-1])
    created = next((event for event in events if event.change in _BODIES and event.time_ms >= note.time_ms), None)
    record = evidence.slots.get(note.name)
    if created is not None:
        return _told(Verdict.BROKEN, "READ_BEFORE_WRITTEN", note, created)
    if record is not None and record.created_ms >= note.time_ms:
        values = _values(note, None) | {"since": record.created_revision}
        return Finding(Verdict.BROKEN, "READ_BEFORE_WRITTEN", values, note.name, record.created_revision)
    near = evidence.nearest.get(note.name, "")
    reason = "NEVER_WRITTEN_NEAR" if near else "NEVER_WRITTEN"
    return Finding(Verdict.BROKEN, reason, _values(note, None) | {"nearest": near}, note.name)


def _absent(evidence: Evidence, name: str) -> Iterator[Finding]:
    """What is to be said of a slot that is not there and that the turn did not touch."""
    gone = [event for event in evidence.events.get(name, ()) if event.change in GONE]
    if gone:
        reason, _ = _SINCE[gone[-1].change]
        yield Finding(Verdict.BROKEN, reason, _who(gone[-1]) | {"name": name, "revision": 0}, name, gone[-1].revision)
        return
    near = evidence.nearest.get(name, "")
    reason = "NEVER_WRITTEN_NEAR" if near else "NEVER_WRITTEN"
    yield Finding(Verdict.BROKEN, reason, {"name": name, "nearest": near}, name)


def _told(verdict: Verdict, reason: str, note: ActionNote, event: Event) -> Finding:
    return Finding(verdict, reason, _values(note, event), note.name, event.revision)


def _values(note: ActionNote, event: Event | None) -> dict[str, object]:
    values: dict[str, object] = {"action": note.action, "name": note.name, "revision": note.revision}
    return values | (_who(event) if event is not None else {"since": 0, "who": "", "turn": ""})


def _who(event: Event) -> dict[str, object]:
    """Where a change came from, as far as it is known."""
    call = event.call
    return {"since": event.revision, "who": call.agent or call.caller.id, "turn": call.turn}
