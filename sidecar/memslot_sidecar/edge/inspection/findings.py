"""What an inspection looks through, and what it says. Never a body: names, places and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptText:
    """One text of a prompt: ``field`` says where in message ``message_index`` it stands.

    A ``structure`` is a whole message as JSON without white space: it holds what stands in several of the message's texts.
    """

    message_index: int
    field: str
    text: str
    structure: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a slot's body in a text: characters ``start`` to ``end`` of it. ``injection_id`` is empty when nothing allows it."""

    name: str
    revision: int
    message_index: int
    field: str
    start: int
    end: int
    tokens: int
    whole: bool
    injection_id: str

    @property
    def characters(self) -> int:
        """How many characters of the text those are."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Inspection:
    """The findings in the order of the prompt, as memslot.v1.InspectPromptResponse describes them.

    ``characters`` were looked through, structures not counted; ``leaked_characters`` of them stand in findings that nothing allows, each
    counted once. ``incomplete`` says in words what was not done; it is empty when all was.
    """

    findings: Sequence[Found]
    characters: int
    leaked_characters: int
    slots: int
    incomplete: str
    token_counter: str
    revision: int
