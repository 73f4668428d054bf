"""What is noted of a turn. Never a body, never an argument but a slot's name: sizes, names, revisions, reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TurnKey:
    """One turn of one conversation; either may be empty, when nobody said."""

    namespace: str
    conversation: str
    turn: str


@dataclass(frozen=True, slots=True)
class ActNote:
    """An output was read: ``characters`` long, in mode ``lenient`` or not. Its actions and rejects are notes of their own, behind it."""

    time_ms: int
    characters: int
    lenient: bool
    validate_only: bool


@dataclass(frozen=True, slots=True)
class ActionNote:
    """An action was found and executed.

    ``characters`` are those of its span, ``line_characters`` of its receipt. ``reason`` is that of the error, empty when it was done;
    ``revision`` is that of the slot that it wrote, read or forgot, 0 for none.
    """

    time_ms: int
    action: str
    name: str
    shape: str
    repaired: tuple[str, ...]
    outcome: str
    reason: str
    revision: int
    characters: int
    line_characters: int


@dataclass(frozen=True, slots=True)
class RejectNote:
    """Something looked like an action and was not executed."""

    time_ms: int
    reason: str
    start: int
    end: int
    hint: str
    line_characters: int


@dataclass(frozen=True, slots=True)
class CardNote:
    """The prompt card was handed out: made at ``card_revision``, with these names in it."""

    time_ms: int
    card_revision: int
    names: tuple[str, ...]
    characters: int


@dataclass(frozen=True, slots=True)
class InjectionNote:
    """A slot was shown. ``characters`` are those with its delimiters."""

    time_ms: int
    injection_id: str
    name: str
    revision: int
    summarised: bool
    characters: int


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A stored body was found in the turn's prompt; ``injection_id`` is empty when nothing allowed it."""

    time_ms: int
    name: str
    revision: int
    message_index: int
    field: str
    characters: int
    whole: bool
    injection_id: str


@dataclass(frozen=True, slots=True)
class Amount:
    """How many characters (code points) and tokens of something there are."""

    characters: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider said that a call used; None where it did not say."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class AccountNote:
    """The books of a turn, as memslot.v1.TurnAccount describes them. A later one of the same turn takes its place."""

    time_ms: int
    prompt: Amount
    output: Amount
    instruction: Amount
    actions: Amount
    receipts: Amount
    injected: Amount
    leaked: Amount
    inlined: Amount
    slots: int
    body_bytes_outside: int
    usage: Usage
    token_counter: str


Note: TypeAlias = ActNote | ActionNote | RejectNote | CardNote | InjectionNote | FoundNote | AccountNote
