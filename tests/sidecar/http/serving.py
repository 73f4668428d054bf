"""A door with one place, whose call waits until it is let go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memslot_sidecar.http.answers import Answer, Asked, Place
from memslot_sidecar.http.app import App
from memslot_sidecar.http.door import HttpDoor
from memslot_sidecar.traffic import Traffic

HEAD = b"POST /call HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n"


CALL = HEAD + b"{}"


class Waiting:
    """A call that waits until it is let go; how it ended is told."""

    def __init__(self, reply: bytes = b"{}") -> None:
        self.begun, self.let_go, self.cancelled = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.count = 0
        self._reply = reply

    async def __call__(self, _: Asked) -> Answer:
        """The call."""
        self.count += 1
        self.begun.set()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return Answer(self._reply)


@asynccontextmanager
async def serving(call: Waiting) -> AsyncIterator[tuple[HttpDoor, Traffic, int]]:
    """A door with one place."""
    traffic = Traffic()
    places = {b"/call": Place("POST", call, frozenset({b"application/json"}), is_call=True)}
    door = HttpDoor(["127.0.0.1:0"], App(places, None, traffic, 1000), 0o600, "--http-listen")
    await door.open()
    try:
        yield door, traffic, int(door.addresses[0].rpartition(":")[2])
    finally:
        await door.close(0)
