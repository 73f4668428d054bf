"""The prompt card: how a model uses memory, and which slots there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


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

    def around(self, history: Iterable[Any], *, role: str = "system", tail_role: str = "user") -> list[Any]:
        """Return a prompt: the card, then the messages of ``history`` and, if anything changed, the tail.

        The tail stands at the end, or before the last message where that is the user's, so that a model reads last what it was asked. As
        long as the history only grows, a prompt shares every byte with the one before, up to that one's tail. Messages are dicts, or
        objects of a provider's SDK. Raises TypeError for a text or a single message.
        """
        if isinstance(history, str | bytes | Mapping) or not isinstance(history, Iterable):
            raise TypeError(f"history is a list of messages, not {type(history).__name__}")
        messages = list(history)
        if self.tail:
            asked = bool(messages) and _role(messages[-1]) == "user"
            messages.insert(len(messages) - asked, {"role": tail_role, "content": self.tail})
        return [{"role": role, "content": self.text}, *messages]

    def __str__(self) -> str:
        return self.text


def _role(message: Any) -> object:
    return message.get("role") if isinstance(message, Mapping) else getattr(message, "role", None)
