"""What the parser hands out, and what a recogniser hands to the parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Action:
    """One memory action that is complete. ``arguments`` are JSON values as they were written; ``slot`` is in NFC."""

    name: str
    arguments: Mapping[str, Any]
    arguments_json: str
    """The arguments as JSON text: integers keep every digit, and so do decimals that a double would round."""
    start: int
    end: int
    """The span in characters of the output."""
    repaired: tuple[str, ...] = ()
    """What lenient mode mended, in the order of the text; empty for an action that strict mode takes too."""
    call_id: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Reject:
    """What looked like an action and was not run. ``hint`` says what to change and quotes no argument."""

    reason: str
    start: int
    end: int
    hint: str
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A call id that a hosted API wants to see answered, and in whose form (``openai``, ``anthropic`` or empty)."""

    call_id: str
    form: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """All that was found, each list in the order of the text."""

    actions: tuple[Action, ...]
    rejects: tuple[Reject, ...]
    user_text: str
    """The output without the actions that were taken, without what wrapped them and without closed reasoning."""
    replies_to: tuple[Reply, ...]


@dataclass(slots=True)
class Call:
    """What a recogniser found: a name and its arguments, not yet checked."""

    name: str
    arguments: Any
    """An object, a text that should hold one, a list of them, or None when the call gave none."""
    start: int
    end: int
    shape: str
    call_id: str = ""
    repaired: list[str] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)
    """Reasons why this cannot be an action in any mode."""


class Broken(Exception):
    """A text is not what a decoder reads, from ``position`` on."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position
        self.reason = reason
