"""Step 5: what the turn cost."""

from __future__ import annotations

from collections.abc import Iterator

from memslot_sidecar.edge.diagnosis.evidence import Evidence, Finding, Verdict
from memslot_sidecar.edge.notes import AccountNote


def look(evidence: Evidence) -> Iterator[Finding]:
    """What is to be said of the tokens: of this turn, and of the next one, whose prompt holds what this one left."""
    turns = [evidence.turn, *evidence.after[:1]]
    accounts = [(turn.key.turn, note) for turn in turns for note in turn.notes if isinstance(note, AccountNote)]
    if not accounts:
        yield Finding(Verdict.UNKNOWN, "NOT_RECORDED")
    for turn, account in accounts:
        values = {
            "turn": turn,
            "prompt": account.prompt.characters,
            "inlined": account.inlined.characters,
            "leaked": account.leaked.characters,
            "instruction": account.instruction.characters,
        }
        if account.leaked.characters:
            yield Finding(Verdict.BROKEN, "LEAKED", values)
        if account.prompt.characters < account.inlined.characters:
            yield Finding(Verdict.OK, "SAVES", values)
        elif account.instruction.characters >= account.prompt.characters - account.inlined.characters > 0:
            yield Finding(Verdict.WARNING, "INSTRUCTION_COSTS_MORE", values)
        else:
            yield Finding(Verdict.WARNING, "INLINING_CHEAPER", values)
