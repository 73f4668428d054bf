"""Connections where nothing goes on are ended, and calls of those who went away are cancelled."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from tests.sidecar.http.serving import CALL, HEAD, Waiting, serving

from memslot_sidecar.http.connection import Connection
from memslot_sidecar.http.door import HttpDoor
from memslot_sidecar.http.sweeping import end_stuck


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


async def test_a_connection_is_idle_since_its_last_answer() -> None:
    """However long ago the first one was."""
    call = Waiting()
    call.let_go.set()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        times = []
        for _ in range(3):
            writer.write(CALL)
            await reader.readuntil(b"{}")
            times += [connection.idle_since or 0 for connection in door.connections]
        assert times == sorted(set(times))
        writer.close()


async def test_too_much_in_one_piece_is_refused() -> None:
    """A body that came with its head is measured too; the connection is kept."""
    call = Waiting()
    call.let_go.set()
    async with serving(call) as (_, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for size, status in ((2001, b"429"), (2000, b"200")):
            writer.write(HEAD.replace(b"length: 2", b"length: %d" % size) + b" " * size)
            assert (await reader.readuntil(b"}")).lstrip()[9:12] == status
        assert call.count == 1
        writer.close()


@pytest.mark.parametrize("rest", [b"{}", b"\r\n"])
async def test_what_comes_behind_an_answer_does_not_keep_a_connection(rest: bytes) -> None:
    """A body that comes when its request was refused already, and an empty line, are no use of a connection."""
    async with serving(Waiting()) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = b"/none" if rest == b"{}" else b"/call"
        sent = HEAD.replace(b"/call", path) if rest == b"{}" else b"GET /none HTTP/1.1\r\n\r\n"
        writer.write(sent)
        await _read_error(reader)
        writer.write(rest)
        await asyncio.sleep(0.01)
        while all(connection.idle_since is None for connection in door.connections):
            await asyncio.sleep(0.001)
        end_stuck(door.connections, arrival_s=3600, idle_s=-1)
        assert await _rest(reader) == b""
        writer.close()


async def test_the_end_of_a_connection_does_not_wait_for_its_reader() -> None:
    """A connection that nobody uses is closed also when the last answer, or a piece of it, was never taken."""
    call = Waiting(bytes(30_000))
    call.let_go.set()
    async with serving(call) as (door, _, port):
        with socket.create_connection(("127.0.0.1", port)) as silent:
            silent.sendall(CALL)
            await call.begun.wait()
            (connection,) = door.connections
            transport: Any = connection.transport
            while not transport.get_write_buffer_size():
                while connection.idle_since is None:
                    await asyncio.sleep(0)
                told = call.count
                silent.sendall(CALL)
                while call.count == told:
                    await asyncio.sleep(0)
            assert connection.unread_since is None
            end_stuck(door.connections, idle_s=-1)
            while door.connections:
                await asyncio.sleep(0.001)


async def test_a_body_is_kept_no_longer_than_its_call() -> None:
    """A connection that waits for its next request does not hold the last one in memory."""
    call = Waiting()
    call.let_go.set()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD.replace(b"length: 2", b"length: 1000") + b" " * 1000)
        await reader.readuntil(b"{}")
        (connection,) = door.connections
        assert not connection.cycle.body
        writer.close()


async def test_half_a_request_does_not_hold_up_a_door_that_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be refused when it came; a call that is under way has all of its time, also when half of another came behind it."""
    monkeypatch.setattr("memslot_sidecar.http.door._LATE_S", -1)
    monkeypatch.setattr("memslot_sidecar.http.door._LOOK_S", 0.01)
    call = Waiting()
    async with serving(call) as (door, _, port):
        ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for (_, writer), sent in zip(ends, (HEAD + b"{", HEAD[:30], CALL + HEAD[:30]), strict=True):
            writer.write(sent)
        await call.begun.wait()
        while len(door.connections) < 3:
            await asyncio.sleep(0)
        closing = asyncio.create_task(door.close(3600))
        for reader, _ in ends[:2]:
            assert await _rest(reader) == b""
        assert not closing.done()
        call.let_go.set()
        assert b" 200 OK" in await _rest(ends[2][0])
        await closing
        for _, writer in ends:
            writer.close()


async def test_who_waits_for_a_body_when_the_door_closes_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """When the grace is over, the sender of half a body reads in the form of all errors that nothing was done."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"{")
        while not any(connection.tasks for connection in door.connections):
            await asyncio.sleep(0)
        await door.close(0)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert json.loads(body)["code"] == "unavailable"
        assert call.count == 0
        writer.close()
    assert [said for said in caplog.messages if "Cancel 1 running task" not in said] == []


async def test_an_answer_that_nobody_takes_is_dropped_when_the_door_closes(caplog: pytest.LogCaptureFixture) -> None:
    """Nor does it leave a trace in the log, whether or not the caller sent more."""
    call = Waiting(bytes(30_000_000))
    call.let_go.set()
    async with serving(call) as (door, traffic, port):
        with socket.create_connection(("127.0.0.1", port)) as silent:
            silent.sendall(CALL * 3)
            connection = await _unread(door)
            while traffic.under_way != 1 or call.count != 2:
                await asyncio.sleep(0)
            await door.close(0)
            while connection.tasks:
                await asyncio.sleep(0)
            assert traffic.under_way == 0
    assert [said for said in caplog.messages if "Cancel 1 running task" not in said] == []


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


async def _read_error(reader: asyncio.StreamReader) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
