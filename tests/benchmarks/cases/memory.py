"""What a served process takes when nobody calls, and with the large store after it was used."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tests.benchmarks.bench import Bench
from tests.benchmarks.cases.read import Reads
from tests.benchmarks.connection import connected
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.looking_up import QUERIES, page_through
from tests.benchmarks.measure import take_turn
from tests.benchmarks.processes import sidecar

_MB = 1e6
_SETTLE_S = 1.0


async def run(bench: Bench) -> Outcome:
    """Resident memory of the process and its children, in units of 1,000,000 bytes; CPU as a share of one core."""
    idle_mb, idle_cpu = await _idle(bench)
    large_mb, used_mb, large_cpu = await _large(bench)
    return Outcome(
        (
            Figure("idle resident memory, empty store", idle_mb, "MB", at_most(70)),
            Figure("idle CPU, empty store", idle_cpu * 100, "% of a core", at_most(1)),
            Figure("resident memory, large store, just started", large_mb, "MB", at_most(300)),
            Figure("resident memory, large store, after reads and lookups", used_mb, "MB", at_most(300)),
            Figure("idle CPU, large store", large_cpu * 100, "% of a core", at_most(1)),
        )
    )


async def _idle(bench: Bench) -> tuple[float, float]:
    async with sidecar(bench.empty_dir(), bench.work_dir, unix=bench.plan.unix) as running:
        await asyncio.sleep(_SETTLE_S)
        cpu = await running.cpu_share(bench.plan.idle_s)
        return running.resident_bytes() / _MB, cpu


async def _large(bench: Bench) -> tuple[float, float, float]:
    data_dir = await bench.stop_large()
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(sidecar(data_dir, bench.work_dir, unix=bench.plan.unix))
        client = await stack.enter_async_context(connected(running))
        await asyncio.sleep(_SETTLE_S)
        # Before anything is read: access counts are still being written some seconds after the last Read.
        cpu = await running.cpu_share(bench.plan.idle_s)
        started = running.resident_bytes() / _MB
        await take_turn(Reads(client, bench.plan.slots), callers=32, seconds=5 * bench.plan.round_s, warm_s=0)
        for query in QUERIES:
            await page_through(client, query, pages=100)
        return started, running.resident_bytes() / _MB, cpu
