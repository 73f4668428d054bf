"""Prompts for chat templates that want the user's and the assistant's messages in turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memslot._core.histories import messages_of


def alternating(messages: Iterable[Any]) -> list[Any]:
    """Return ``messages`` with those joined that stand behind one of the same role, where both are plain texts.

    Receipts, the card's tail and injections are messages of their own, often the user's beside the user's. Most models take that; the chat
    templates of some local ones refuse it. Join them for the call alone, ``chat(memslot.alternating(prompt))``: in the history they stay
    apart, so that ``scrub`` finds them. Messages with tool calls or of several parts stay as they are. Raises TypeError for what is no list
    of messages.
    """
    joined: list[Any] = []
    for message in messages_of(messages):
        if joined and _plain(message) and _plain(joined[-1]) and message["role"] == joined[-1]["role"]:
            joined[-1] = {**joined[-1], "content": f"{joined[-1]['content']}\n\n{message['content']}"}
        else:
            joined.append(message)
    return joined


def _plain(message: Any) -> bool:
    """Whether a message is nothing but a text and who said it."""
    return (
        isinstance(message, Mapping) and message.keys() == {"role", "content"} and isinstance(message["content"], str)
    )
