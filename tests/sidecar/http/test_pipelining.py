"""Requests that come before the answers to those before them, and what then goes wrong."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from typing import Any

import pytest
from tests.sidecar.http.serving import CALL, HEAD, Waiting, serving

from memslot_sidecar.http.connection import Connection
from memslot_sidecar.http.door import HttpDoor
from memslot_sidecar.http.sweeping import end_stuck

GARBAGE = b"NO HTTP\r\n\r\n"
LONG = HEAD[:-4] + b"\r\nx: " + b"a" * 100_000 + b"\r\n\r\n{}"
CHUNKED = HEAD.replace(b"content-length: 2", b"transfer-encoding: chunked")


def reset(writer: asyncio.StreamWriter) -> None:
    """Goes away without a word of farewell."""
    opened: socket.socket = writer.get_extra_info("socket")
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def statuses(answers: bytes) -> list[bytes]:
    """The status of each answer."""
    return re.findall(rb"HTTP/1\.1 (\d{3}) ", answers)


async def the_one(door: HttpDoor) -> Connection:
    """The only connection, once it is there."""
    while len(door.connections) != 1:
        await asyncio.sleep(0)
    return next(iter(door.connections))


@pytest.mark.parametrize("behind", [CALL, CALL * 3, HEAD, GARBAGE])
async def test_whoever_goes_away_takes_his_call_along_whatever_came_behind_it(
    behind: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """While requests wait nothing is read, so that no event tells of the caller: he is looked for once a second. Nothing is logged."""
    call = Waiting()
    async with serving(call) as (door, traffic, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CALL + behind)
        await call.begun.wait()
        connection = await the_one(door)
        reset(writer)
        await call.cancelled.wait()
        while traffic.under_way or door.connections or connection.tasks:
            await asyncio.sleep(0.001)
        assert call.count == 1
        end_stuck([connection])  # The sweep may meet one that has just ended.
    assert caplog.messages == []


@pytest.mark.parametrize("broken", [GARBAGE, CHUNKED + b"ZZ\r\n", b"CONNECT localhost:1 HTTP/1.1\r\n\r\n", LONG])  # fmt: skip
@pytest.mark.parametrize("before", [1, 3])
@pytest.mark.parametrize("waits", [False, True])
async def test_what_came_whole_is_answered_before_what_is_broken(broken: bytes, before: int, waits: bool) -> None:
    """As if the requests had come one at a time: the answers to those before, then the error, and the end, if need be without the caller."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if not waits:
            call.let_go.set()
        writer.write(CALL * before + broken + CALL)
        if waits:
            await call.begun.wait()
            end_stuck(door.connections, arrival_s=-1, idle_s=-1)
            call.let_go.set()
        answers = await reader.read()
        assert statuses(answers) == [b"200"] * before + [b"431" if broken is LONG else b"400"]
        assert json.loads(answers[answers.rindex(b"\r\n\r\n") :])["code"] in ("invalid_argument", "resource_exhausted")
        assert call.count == before
        assert len(door.connections) == 1
        end_stuck(door.connections, arrival_s=-1, idle_s=3600)
        while door.connections:
            await asyncio.sleep(0)
        writer.close()


async def test_behind_the_last_answer_no_call_is_begun() -> None:
    """A call that could not be answered is not made, also while the last answer of a server that leaves is still on its way."""
    call = Waiting(bytes(5_000_000))
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CALL * 3)
        await call.begun.wait()
        app: Any = (await the_one(door)).app
        app.leave()
        call.let_go.set()
        assert statuses(await reader.read()) == [b"200"]
        while door.connections:
            await asyncio.sleep(0)
        assert call.count == 1
        writer.close()


async def test_a_body_that_breaks_is_told() -> None:
    """Whoever waits for the rest of a body learns that none will come, and its sender reads why."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CHUNKED + b"1\r\n{\r\n")
        connection = await the_one(door)
        while not connection.tasks:
            await asyncio.sleep(0)
        writer.write(b"ZZ\r\n")
        assert statuses(await reader.read()) == [b"400"]
        while connection.tasks:
            await asyncio.sleep(0)
        assert call.count == 0
        writer.close()


async def test_behind_the_last_words_nothing_is_understood() -> None:
    """Who sends what is no request for too long, and then one, is not answered any more."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"\r\n" * 20_000)
        answer = await reader.read()
        assert statuses(answer) == [b"431"]
        writer.write(CALL)
        writer.write_eof()
        while door.connections:
            await asyncio.sleep(0.001)
        assert call.count == 0
        writer.close()


async def test_a_body_that_breaks_behind_its_answer_is_answered_once() -> None:
    """A request that was refused before its body came has had its answer."""
    async with serving(Waiting()) as (_, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CHUNKED.replace(b"/call", b"/none"))
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"ZZ\r\n")
        assert head.startswith(b"HTTP/1.1 404 ")
        assert statuses(await reader.read()) == []
        writer.close()


@pytest.mark.parametrize("begun", [HEAD[:30], HEAD + b"{"])
async def test_who_waits_for_an_answer_is_not_slow(begun: bytes) -> None:
    """What is half there behind a call that takes long does not end that call; afterwards it has its own time to come."""
    call = Waiting()
    async with serving(call) as (door, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CALL + begun)
        await call.begun.wait()
        connection = await the_one(door)
        while connection.arriving_since is None:
            await asyncio.sleep(0)
        waited_since = connection.arriving_since
        end_stuck(door.connections, arrival_s=-1)
        call.let_go.set()
        await reader.readuntil(b"{}")
        assert connection.arriving_since > waited_since
        writer.write((HEAD + b"{}").removeprefix(begun))
        assert (await reader.readuntil(b"{}")).startswith(b"HTTP/1.1 200 ")
        writer.close()


async def test_a_head_is_bounded_whatever_came_with_it() -> None:
    """A head above the limit is refused too when it came in one piece with requests before it, or began there."""
    call = Waiting()
    call.let_go.set()
    async with serving(call) as (_, _, port):
        for cut in (0, 5, 40_000):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(CALL * 400 + LONG[: len(LONG) - cut])
            answers = await reader.readexactly(1)
            writer.write(LONG[len(LONG) - cut :])
            answers += await reader.read()
            assert statuses(answers)[-2:] == [b"200", b"431"]
            writer.close()
