"""What an inspection of a prompt says. Never a body: names, places and sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptFinding:
    """A stored body, or a part of one, in a prompt.

    It stands in characters ``start`` to ``end`` of the text that ``field`` names in message ``message_index`` (0 and empty for a prompt that is
    one text). ``field`` is empty too for a body that several texts of a message make up together; the place is then one in the message as
    JSON without white space. ``whole``: all of the body stands there. ``injection_id`` is the injection that allows it, if one does.
    """

    name: str
    revision: int
    message_index: int
    field: str
    start: int
    end: int
    characters: int
    tokens: int
    whole: bool
    injection_id: str | None = None

    @property
    def allowed(self) -> bool:
        """Whether an injection of the turn allows it."""
        return self.injection_id is not None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What of the namespace's bodies stands in a prompt.

    ``findings`` are in the order of the prompt, those included that an injection of the turn allows. ``leaked_characters`` stand in those that
    nothing allows, out of ``characters`` that were looked through. ``slots`` were compared; ``incomplete`` says in words what was not, and is
    empty when all was. ``token_counter`` counted the tokens.
    """

    findings: tuple[PromptFinding, ...]
    characters: int
    leaked_characters: int
    slots: int
    incomplete: str
    token_counter: str
    revision: int

    @property
    def leaked(self) -> tuple[PromptFinding, ...]:
        """The findings that no injection allows; empty when nothing is leaked."""
        return tuple(finding for finding in self.findings if not finding.allowed)
