"""Connections where nothing goes on are ended, and calls of those who went away are cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memslot_sidecar.http.answers import Answer, Asked, Place
from memslot_sidecar.http.app import App
from memslot_sidecar.http.connection import Connection, end_stuck
from memslot_sidecar.http.door import HttpDoor
from memslot_sidecar.traffic import Traffic

HEAD = b"POST /call HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n"


class Waiting:
    """A call that waits until it is let go; how it ended is told."""

    def __init__(self, reply: bytes = b"{}") -> None:
        self.begun, self.let_go, self.cancelled = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._reply = reply

    async def __call__(self, _: Asked) -> Answer:
        """The call."""
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


async def test_a_caller_who_goes_away_takes_the_call_along() -> None:
    """As behind gRPC, a call that nobody waits for any more is cancelled, and forgotten by the drain."""
    call = Waiting()
    async with serving(call) as (_, traffic, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"{}")
        await call.begun.wait()
        assert traffic.under_way == 1
        writer.close()
        await call.cancelled.wait()
        while traffic.under_way:
            await asyncio.sleep(0)


async def test_a_call_under_way_is_answered_when_the_door_closes() -> None:
    """A door that closes takes nobody in, and lets out who is inside."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"{}")
        await call.begun.wait()
        closing = asyncio.create_task(door.close(30))
        await asyncio.sleep(0)
        call.let_go.set()
        assert (await reader.read()).endswith(b"{}")
        await closing
        writer.close()


async def test_a_call_that_does_not_end_is_cut_off() -> None:
    """When the grace is over the caller is told that the outcome is not known."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"{}")
        await call.begun.wait()
        await door.close(0)
        assert call.cancelled.is_set()
        assert (await reader.read()).startswith(b"HTTP/1.1 503 ")
        writer.close()


async def test_who_sends_too_slowly_is_cut_off() -> None:
    """Half a head, half a body and silence are ended after a time; a call that takes long is not."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        for (_, writer), sent in zip(ends, (b"", HEAD[:30], HEAD + b"{", HEAD + b"{}"), strict=True):
            writer.write(sent)
        await call.begun.wait()
        connections = door.connections
        while len(connections) < 4:
            await asyncio.sleep(0)
        end_stuck(connections, arrival_s=3600)
        assert not any(connection.transport.is_closing() for connection in connections)
        end_stuck(connections, arrival_s=-1)
        for reader, _ in ends[:3]:
            assert await _rest(reader) == b""
        call.let_go.set()
        assert (await ends[3][0].readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        for _, writer in ends:
            writer.close()


async def test_a_connection_that_nobody_uses_is_closed() -> None:
    """It may wait between requests, not for ever; one where a call is under way or a request arrives is not idle."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        (idle, idle_writer), (busy, busy_writer) = ends
        call.let_go.set()
        idle_writer.write(HEAD + b"{}")
        await idle.readuntil(b"{}")
        call.begun.clear()
        call.let_go.clear()
        busy_writer.write(HEAD + b"{}")
        await call.begun.wait()
        end_stuck(door.connections, idle_s=3600)
        assert len(door.connections) == 2
        end_stuck(door.connections, idle_s=-1)
        assert await idle.read() == b""
        call.let_go.set()
        await busy.readuntil(b"{}")
        busy_writer.write(HEAD[:30])
        while any(connection.idle_since is not None for connection in door.connections):
            await asyncio.sleep(0)
        end_stuck(door.connections, idle_s=-1)
        busy_writer.write(HEAD[30:] + b"{}")
        assert await busy.readuntil(b"{}")
        for _, writer in ends:
            writer.close()


async def test_who_does_not_read_is_cut_off() -> None:
    """An answer that nobody takes does not stay in memory."""
    call = Waiting(bytes(30_000_000))
    call.let_go.set()
    async with serving(call) as (door, _, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"{}")
        connection = await _unread(door)
        end_stuck(door.connections, leaving_s=3600)
        assert connection.unread_since is not None
        end_stuck(door.connections, leaving_s=-1)
        while door.connections:
            await asyncio.sleep(0.001)
        writer.close()


async def _unread(door: HttpDoor) -> Connection:
    while True:
        for connection in door.connections:
            if connection.unread_since is not None:
                return connection
        await asyncio.sleep(0.001)


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
