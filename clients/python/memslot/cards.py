"""The prompt card: how a model uses memory, and which slots there are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptCard:
    """What a model is told of its memory.

    ``text`` belongs into the system prompt, and is the same until it is renewed; ``tail`` belongs to the end of the prompt, says what changed
    since, and is empty when nothing did. ``listed`` of the ``slots`` that there are have their names in the text, which was made at
    ``card_revision``. ``renewed`` tells whether this call made it. ``tokens`` of the text were counted by ``token_counter``.
    """

    text: str
    tail: str
    listed: int
    slots: int
    card_revision: int
    renewed: bool
    tokens: int
    token_counter: str
    revision: int

    def __str__(self) -> str:
        return self.text
