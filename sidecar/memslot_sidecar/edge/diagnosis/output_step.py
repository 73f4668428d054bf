"""Step 1: was there an output, did it ask for anything, and does the answer stand on what is stored?"""

from __future__ import annotations

from collections.abc import Iterator

from memslot_sidecar.edge.diagnosis.evidence import Evidence, Finding, Turn, Verdict
from memslot_sidecar.edge.notes import ActionNote, ActNote, InjectionNote, RejectNote

_WRITES = ("mem_write", "mem_append", "mem_patch")


def look(evidence: Evidence) -> Iterator[Finding]:
    """What is to be said of the output."""
    noted = [note for note in evidence.turn.notes if isinstance(note, ActNote)]
    parsed = evidence.strict
    if not noted and parsed is None:
        yield Finding(Verdict.UNKNOWN, "NO_OUTPUT")
    for note in noted:
        how = "OUTPUT_READ_LENIENT" if note.lenient else "OUTPUT_READ"
        yield Finding(Verdict.OK, how, {"characters": note.characters})
        if note.validate_only:
            yield Finding(Verdict.WARNING, "VALIDATED_ONLY")
    asked = any(isinstance(note, ActionNote | RejectNote) for note in evidence.turn.notes)
    if parsed is not None:
        asked = asked or bool(parsed.actions or parsed.rejects)
    if (noted or parsed is not None) and not asked:
        yield Finding(Verdict.WARNING, "NO_ACTION")
    yield from _answer(evidence)


def _answer(evidence: Evidence) -> Iterator[Finding]:
    answer = evidence.answer
    if answer is None:
        return
    there = [name for name in evidence.names if name in evidence.slots]
    unread = [name for name in there if not _known_to_model(evidence, name)]
    if there and len(unread) == len(there):
        for name in unread:
            yield Finding(Verdict.BROKEN, "ANSWER_WITHOUT_READ", {"name": name}, name, evidence.slots[name].revision)
    elif not there and not any(map(_looked, evidence.answering)):
        yield Finding(Verdict.BROKEN, "ANSWER_WITHOUT_LOOKING")
    for name in answer.differs_from:
        if evidence.asked or _shown(evidence, name):
            yield Finding(Verdict.BROKEN, "ANSWER_DIFFERS", {"name": name}, name, evidence.slots[name].revision)


def _known_to_model(evidence: Evidence, name: str) -> bool:
    """Whether the slot was read or shown, or the turn wrote it itself."""
    wrote = any(note.outcome == "DONE" and note.name == name for note in evidence.turn.actions(*_WRITES))
    return wrote or _shown(evidence, name)


def _shown(evidence: Evidence, name: str) -> bool:
    return any(turn.showed(name) for turn in evidence.answering)


def _looked(turn: Turn) -> bool:
    """Whether a turn did anything with memory: who was told something has nothing to look up."""
    return bool(turn.actions()) or any(isinstance(note, InjectionNote) for note in turn.notes)
