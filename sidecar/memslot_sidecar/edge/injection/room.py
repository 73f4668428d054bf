"""How much an injection may show: characters, tokens, and what a reply can carry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from memslot_sidecar.edge.accounting.amounts import tokens_of
from memslot_sidecar.edge.accounting.counters import Counter

_MANY_CHARS = 50_000
"""More are counted in a thread of their own."""


class Room:
    """What is left of a budget. ``max_tokens`` of 0 is no bound; ``reply`` takes bytes of what else a reply may hold, if there are so many."""

    def __init__(
        self, max_chars: int, max_tokens: int, counter: Counter, max_bytes: int, reply: Callable[[int], bool] | None
    ) -> None:
        self._chars = max_chars
        self._reply = reply
        self._bytes = max_bytes
        self._tokens = max_tokens or None
        self._counter = counter

    def may_hold(self, body_bytes: int) -> bool:
        """Whether a body of this size could fit at all; no character takes more than four bytes."""
        return body_bytes <= 4 * self._chars and body_bytes <= self._bytes

    async def take(self, text: str) -> bool:
        """Takes room for a text, if there is enough."""
        size = len(text.encode())
        if len(text) > self._chars or size > self._bytes:
            return False
        tokens = 0 if self._tokens is None else await counted(self._counter, text)
        if self._tokens is not None and tokens > self._tokens:
            return False
        if self._reply is not None and not self._reply(size):
            return False
        if self._tokens is not None:
            self._tokens -= tokens
        self._chars -= len(text)
        self._bytes -= size
        return True


async def counted(counter: Counter, text: str) -> int:
    """The tokens of a text, without holding up the event loop for a long one."""
    if len(text) <= _MANY_CHARS:
        return counter.count(text)
    return await asyncio.to_thread(tokens_of, text, counter)
