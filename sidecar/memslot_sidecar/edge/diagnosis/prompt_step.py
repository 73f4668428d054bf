"""Step 4: the next prompt: does it name the slot, was it read, and did a body come back?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memslot_sidecar.edge.diagnosis.evidence import Evidence, Finding, Turn, Verdict
from memslot_sidecar.edge.notes import CardNote, FoundNote

_WRITES = ("mem_write", "mem_append", "mem_patch")
_TOLD = 20


def look(evidence: Evidence) -> Iterator[Finding]:
    """What is to be said of the prompt that followed."""
    yield from _bodies(evidence)
    written = dict.fromkeys(note.name for note in evidence.turn.actions(*_WRITES) if note.outcome == "DONE")
    wanted = [name for name in dict.fromkeys((*evidence.names, *written)) if name in evidence.slots]
    if wanted:
        yield from _card(evidence, wanted)
    for name in written:
        if name in wanted and evidence.after and not any(turn.showed(name) for turn in evidence.after):
            yield Finding(Verdict.WARNING, "NEVER_READ", {"name": name}, name)


def _bodies(evidence: Evidence) -> Iterator[Finding]:
    """Bodies in the prompt: the one that was given, else the next one that was looked through."""
    if evidence.found is not None:
        places = [
            (one.name, one.revision, one.message_index, one.characters, one.injection_id) for one in evidence.found
        ]
        turn = ""
    else:
        looked = _looked_through(evidence)
        if looked is None:
            yield Finding(Verdict.UNKNOWN, "NO_PROMPT")
            return
        turn = looked.key.turn
        places = [
            (note.name, note.revision, note.message_index, note.characters, note.injection_id)
            for note in looked.notes
            if isinstance(note, FoundNote)
        ]
    leaked = [place for place in places if not place[4]]
    for name, revision, message, characters, _ in leaked[:_TOLD]:
        values = {"name": name, "message": message, "characters": characters, "turn": turn}
        yield Finding(Verdict.BROKEN, "BODY_CAME_BACK", values, name, revision)
    for name, revision, _, characters, injection in places:
        if injection:
            values = {"name": name, "characters": characters, "injection": injection}
            yield Finding(Verdict.OK, "BODY_INJECTED", values, name, revision)
    if evidence.uncompared:
        yield Finding(Verdict.WARNING, "NOT_ALL_COMPARED")
    elif not leaked:
        yield Finding(Verdict.OK, "NO_BODY")


def _looked_through(evidence: Evidence) -> Turn | None:
    """The first turn behind this one whose prompt was looked through; else this one."""
    candidates: Sequence[Turn] = [*evidence.after, evidence.turn]
    return next((turn for turn in candidates if turn.looked_through), None)


def _card(evidence: Evidence, wanted: Sequence[str]) -> Iterator[Finding]:
    """Whether the prompt's card, or its tail, names the slots."""
    turns = [*evidence.before, evidence.turn, *evidence.after[:1]]
    cards = [note for turn in turns for note in turn.notes if isinstance(note, CardNote)]
    if not cards:
        yield Finding(Verdict.WARNING, "NO_CARD")
        return
    card = cards[-1]
    for name in wanted:
        if name in card.names:
            yield Finding(Verdict.OK, "ON_CARD", {"name": name}, name)
        elif evidence.slots[name].created_revision > card.card_revision:
            yield Finding(Verdict.WARNING, "NEWER_THAN_CARD", {"name": name}, name)
        else:
            yield Finding(Verdict.BROKEN, "NOT_ON_CARD", {"name": name, "listed": len(card.names)}, name)
