"""One turn of a closed loop: so many callers, each sends its next call when it has its answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

Operation = Callable[[int], Awaitable[None]]
"""One call of the caller of that number; raises when the answer is wrong."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn measured."""

    calls: int
    per_s: float
    p50_ms: float
    p99_ms: float


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of the values do not exceed (nearest rank). ``ordered`` ascends and is not empty."""
    rank = -int(-share * len(ordered) // 1)
    return ordered[max(rank, 1) - 1]


async def take_turn(operation: Operation, *, callers: int, seconds: float, warm_s: float) -> Turn:
    """Lets the callers call for ``seconds``, after ``warm_s`` that are not counted. Raises what ``operation`` raises.

    Calls begun in time are counted when they end, and the time until the last answer counts too.
    """
    await _loops(operation, callers, warm_s)
    begin = time.perf_counter()
    took = await _loops(operation, callers, seconds)
    elapsed = time.perf_counter() - begin
    took.sort()
    return Turn(len(took), len(took) / elapsed, percentile(took, 0.5) * 1e3, percentile(took, 0.99) * 1e3)


async def _loops(operation: Operation, callers: int, seconds: float) -> list[float]:
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def loop(caller: int) -> None:
        begin = time.perf_counter()
        while begin < end:
            await operation(caller)
            now = time.perf_counter()
            took.append(now - begin)
            begin = now

    await asyncio.gather(*(loop(caller) for caller in range(callers)))
    return took
