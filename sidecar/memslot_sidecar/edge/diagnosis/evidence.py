"""What is known of a turn when it is diagnosed, and what a diagnosis says. Never a body."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memslot_sidecar.edge.inspection.findings import Found
from memslot_sidecar.edge.notes import AccountNote, ActionNote, FoundNote, InjectionNote, Note, TurnKey
from memslot_sidecar.model import CallInfo, Change, SlotRecord
from memslot_sidecar.parsing import Parsed

GONE = (Change.FORGOTTEN, Change.EXPIRED, Change.EVICTED)


class Step(enum.IntEnum):
    """The steps of a turn, in order (values as in the contract)."""

    OUTPUT = 1
    PARSE = 2
    STORE = 3
    PROMPT = 4
    TOKENS = 5


class Verdict(enum.IntEnum):
    """How a step went (values as in the contract)."""

    UNKNOWN = 0
    OK = 1
    WARNING = 2
    BROKEN = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found. ``values`` are what its text holds: names, numbers and reasons."""

    verdict: Verdict
    reason: str
    values: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """What the change feed tells of one slot."""

    revision: int
    time_ms: int
    change: Change
    call: CallInfo


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with its notes."""

    key: TurnKey
    notes: Sequence[Note]

    @property
    def looked_through(self) -> bool:
        """Whether its prompt was inspected."""
        return any(isinstance(note, AccountNote | FoundNote) for note in self.notes)

    def actions(self, *kinds: str) -> Sequence[ActionNote]:
        """Its actions, of all kinds or of some."""
        return [note for note in self.notes if isinstance(note, ActionNote) and (not kinds or note.action in kinds)]

    def showed(self, name: str) -> bool:
        """Whether a slot's body was given out in this turn, by a read or an injection."""
        return any(note.outcome == "DONE" and note.name == name for note in self.actions("mem_read")) or any(
            isinstance(note, InjectionNote) and note.name == name for note in self.notes
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that the user got, compared with slots: those of whose words it has none, though they are short."""

    differs_from: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the steps look at.

    ``turn`` is the one in question, ``before`` and ``after`` are those of its conversation around it. ``names`` are the slots that matter,
    ``slots`` what they are now (live ones only), ``events`` what happened to them as far as the feed goes back (``all_told`` says
    that it goes back far enough). ``strict`` and ``lenient`` are the given output as it would be read now, ``found`` what stands in the
    given prompt (``uncompared`` says that not all could be compared), ``answer`` what is known of the given answer; each None where it was
    not given. ``asked`` says that the slot was asked for by name.
    """

    turn: Turn
    before: Sequence[Turn]
    after: Sequence[Turn]
    names: Sequence[str]
    slots: Mapping[str, SlotRecord]
    events: Mapping[str, Sequence[Event]]
    all_told: bool
    nearest: Mapping[str, str]
    strict: Parsed | None = None
    lenient: Parsed | None = None
    found: Sequence[Found] | None = None
    uncompared: bool = False
    answer: Answer | None = None
    asked: bool = False

    @property
    def answering(self) -> Sequence[Turn]:
        """The turns whose reads an answer may stand on: this one, and the one before, whose results it was given."""
        return [*self.before[-1:], self.turn]
