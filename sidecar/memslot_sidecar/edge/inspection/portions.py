"""Bodies as they are read for an inspection: so many that a thread has something to do, and the loop is held up by none of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from memslot_sidecar.model import StoredSlot
from memslot_sidecar.stores.base import Store

PORTION_BYTES = 512 * 1024
_TURN_S = 0.004
"""How long the loop reads bodies before others have a turn."""
_ESCAPED = "application/json"


@dataclass(frozen=True, slots=True)
class Body:
    """A body to be looked for. ``escaped`` ones are JSON: they are also found with the escapes in their strings undone."""

    name: str
    revision: int
    text: str
    escaped: bool = False


class Portioned:
    """Bodies of one portion. What is no text is left out."""

    def __init__(self) -> None:
        self.bodies: list[Body] = []
        self._bytes = 0
        self._turn_s = time.monotonic() + _TURN_S

    @property
    def full(self) -> bool:
        """Whether these are enough."""
        return self._bytes >= PORTION_BYTES

    def add(self, stored: StoredSlot) -> bool:
        """Adds a body, if it is a text."""
        self._bytes += len(stored.body)
        try:
            text = stored.body.decode()
        except UnicodeDecodeError:
            return False
        record = stored.record
        self.bodies.append(Body(record.name, record.revision, text, record.content_type.startswith(_ESCAPED)))
        return True

    async def turn(self) -> None:
        """Lets others have a turn, if it is time."""
        if time.monotonic() >= self._turn_s:
            await asyncio.sleep(0)
            self._turn_s = time.monotonic() + _TURN_S


async def portions(store: Store, namespace: str, names: Iterable[str]) -> AsyncGenerator[tuple[list[Body], int], None]:
    """The bodies of slots, a portion at a time, and how many slots were read for it; those that are gone have none."""
    portion, read = Portioned(), 0
    for name in names:
        await portion.turn()
        stored = store.read(namespace, name)
        read += 1
        if stored is not None:
            portion.add(stored)
        if portion.full:
            yield portion.bodies, read
            portion, read = Portioned(), 0
    if read:
        yield portion.bodies, read
