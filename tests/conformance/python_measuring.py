"""How long unary calls of the Python client take, and how many a second there are."""

from __future__ import annotations

import asyncio
import time
from statistics import median
from typing import Any

from google.protobuf import json_format

from memslot import aio
from memslot._core.raw import unary_methods

_WARM_UP = 10


def measure(target: str, request: dict[str, Any]) -> dict[str, float]:
    """Calls a method so many times, so many at once, after a tenth of them to warm up."""
    return asyncio.run(_measured(target, request))


async def _measured(target: str, request: dict[str, Any]) -> dict[str, float]:
    method = unary_methods()[request["method"].removeprefix("memslot.v1.")]
    message = json_format.ParseDict(request["request"], method.request())
    taken: list[float] = []

    async def caller(calls: int) -> None:
        for _ in range(calls):
            begin = time.perf_counter()
            await memory.call(method.name, message)
            taken.append(time.perf_counter() - begin)

    async def all_callers(calls: int) -> float:
        taken.clear()
        callers = min(request["concurrency"], calls)
        begin = time.perf_counter()
        await asyncio.gather(*(caller(calls // callers) for _ in range(callers)))
        return time.perf_counter() - begin

    async with aio.connect(target) as memory:
        await all_callers(max(1, request["calls"] // _WARM_UP))
        seconds = await all_callers(request["calls"])
    return {"p50_ms": median(taken) * 1000, "per_second": len(taken) / seconds}
