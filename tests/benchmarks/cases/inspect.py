"""InspectPrompt of 200 KB against 10,000 slots: the first one, which reads all of them, and those that follow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from functools import lru_cache
from itertools import count

import numpy as np
from tests.benchmarks.alternate import Series, Spread, alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.connection import Sidecar, connected
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.load import Filling, fill
from tests.benchmarks.processes import sidecar

from memslot.v1.agent_service_pb2 import InspectPromptRequest
from memslot.v1.slot_service_pb2 import ReadRequest, WriteRequest

NAMESPACE = "bench/inspected"
SIZES = (1024, 4096)
PROMPT_CHARS = 200_000
PLANTED = (7, 5_000, 9_999)
"""Slots of which the prompt holds a part."""

_SEED = 20_250_301
_WORDS = 6_000
_ELSEWHERE = 10**6


async def run(bench: Bench) -> Outcome:
    """For bodies of 1 KiB and of 4 KiB."""
    figures: list[Figure] = []
    turns: dict[str, Series] = {}
    for size in SIZES:
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(sidecar(bench.empty_dir(), bench.work_dir, unix=bench.plan.unix))
            client = await stack.enter_async_context(connected(running))
            measured, series = await _measured(bench, client, size)
            figures += measured
            turns[f"inspect, {size} bytes"] = series
    return Outcome(tuple(figures), turns)


async def _measured(bench: Bench, client: Sidecar, size: int) -> tuple[list[Figure], Series]:
    slots = bench.plan.peers
    await fill(client, _filling(slots, size))
    inspections = Inspections(client, slots, size)
    before = client.running.resident_bytes()
    begin = time.perf_counter()
    read_ms = await _reads_meanwhile(client, inspections(0))
    first_s = time.perf_counter() - begin
    after = client.running.resident_bytes()
    series = (await alternate({"inspect": inspections}, bench.plan, callers=1))["inspect"]
    inspections.write = True
    written = [await _timed_ms(inspections) for _ in range(20)]
    steady_ms = await _reads_meanwhile(client, _several(inspections))
    about = f"{slots:,} slots of {size} bytes"
    return [
        Figure.of(f"InspectPrompt p50, {about}", series.spread("p50_ms"), "ms", at_most(150)),
        Figure.of(f"... with a Write before each, {about}", Spread.of(written), "ms", at_most(150)),
        Figure(f"the first InspectPrompt, {about}", first_s * 1e3, "ms"),
        Figure(f"slowest Read during the first, {about}", read_ms, "ms"),
        Figure(f"slowest Read during later ones, {about}", steady_ms, "ms"),
        Figure(f"memory after the first less before, {about}", (after - before) / 1e6, "MB"),
    ], series


class Inspections:
    """Inspects the same prompt; with ``write`` a slot is written before. Raises AssertionError unless the planted slots are found."""

    def __init__(self, client: Sidecar, slots: int, size: int) -> None:
        self._client = client
        self._planted = [min(number, slots - 1) for number in PLANTED]
        self._size = size
        self._turns = count()
        self.write = False
        self._request = InspectPromptRequest(namespace=NAMESPACE, prompt=self._prompt())

    async def __call__(self, _caller: int) -> None:
        """Inspects."""
        if self.write:
            body = text(_ELSEWHERE * 2 + next(self._turns), self._size).encode()
            await self._client.slots.Write(WriteRequest(namespace=NAMESPACE, name=name_of(1), body=body))
        reply = await self._client.agent.InspectPrompt(self._request)
        if reply.incomplete or {found.name for found in reply.findings} != {name_of(one) for one in self._planted}:
            raise AssertionError("an inspection found other slots than those whose parts were planted")

    def _prompt(self) -> str:
        others = "\n".join(text(_ELSEWHERE + number, self._size) for number in range(PROMPT_CHARS // self._size))
        parts = " -- ".join(text(number, self._size)[100:400].replace(" ", "\n") for number in self._planted)
        return others[: PROMPT_CHARS - len(parts) - 4] + " -- " + parts


def text(number: int, size: int) -> str:
    """A text of words that it shares with others, in an order of its own."""
    words, use = _vocabulary()
    return " ".join(np.random.default_rng((_SEED, number)).choice(words, size // 4, p=use))[:size].ljust(size, ".")


def name_of(number: int) -> str:
    """The name of a slot."""
    return f"memory-{number:07d}"


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Words, and how often each is used: some stand in nearly every text."""
    random = np.random.default_rng(_SEED)
    letters = np.array(list("aabcdeeefghiiklmnnooprrsttuvw"))
    words = ["".join(random.choice(letters, random.integers(2, 10))) for _ in range(_WORDS)]
    use = 1 / (np.arange(_WORDS) + 10.0)
    return words, use / use.sum()


def _filling(slots: int, size: int) -> Filling:
    def body_of(number: int) -> bytes:
        return text(number, size).encode()

    def write_of(number: int) -> WriteRequest:
        return WriteRequest(name=name_of(number), body=body_of(number), content_type="text/plain")

    return Filling(NAMESPACE, slots, name_of, body_of, write_of)


async def _timed_ms(inspections: Inspections) -> float:
    begin = time.perf_counter()
    await inspections(0)
    return (time.perf_counter() - begin) * 1e3


async def _several(inspections: Inspections) -> None:
    for _ in range(10):
        await inspections(0)


async def _reads_meanwhile(client: Sidecar, work: Awaitable[None]) -> float:
    """The slowest of the Reads, one after the other, that another caller makes while something is done: how long the loop was held up."""
    task = asyncio.ensure_future(work)
    slowest = 0.0
    while not task.done():
        begin = time.perf_counter()
        await client.slots.Read(ReadRequest(namespace=NAMESPACE, name=name_of(2)))
        slowest = max(slowest, time.perf_counter() - begin)
        await asyncio.sleep(0.001)
    await task
    return slowest * 1e3
