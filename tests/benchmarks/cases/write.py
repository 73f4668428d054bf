"""Durable unary Write of 1 KiB, audit on, against the bare echo of 1 KiB."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.benchmarks.alternate import alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.cases.read import ECHOED
from tests.benchmarks.connection import connected
from tests.benchmarks.cpu import cpu_figure
from tests.benchmarks.figures import Figure, Outcome, at_least
from tests.benchmarks.measure import Operation
from tests.benchmarks.processes import sidecar
from tests.benchmarks.writing import Writes


async def run(bench: Bench) -> Outcome:
    """Throughput at 64 callers; afterwards every slot is read and compared."""
    echo = await bench.echo()
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(sidecar(bench.empty_dir(), bench.work_dir, unix=bench.plan.unix))
        client = await stack.enter_async_context(connected(running))
        writes = await Writes.prepared(client, callers=64)
        contenders: dict[str, Operation] = {"echo": lambda _: echo.echo(ECHOED), "write": writes}
        at_64 = await alternate(contenders, bench.plan, callers=64)
        at_1 = await alternate(contenders, bench.plan, callers=1)
        cpu = await cpu_figure("server CPU a Write, 64 callers", running, writes, bench.plan, callers=64)
        await writes.verify()
    return Outcome(
        (
            Figure.of(
                "Write/s over echo/s, 64 callers", at_64["write"].ratio(at_64["echo"], "per_s"), "ratio", at_least(0.5)
            ),
            Figure.of("Write/s, 64 callers", at_64["write"].spread("per_s"), "1/s"),
            Figure.of("echo/s, 64 callers", at_64["echo"].spread("per_s"), "1/s"),
            Figure.of("Write p50, 64 callers", at_64["write"].spread("p50_ms"), "ms"),
            Figure.of("Write p99, 64 callers", at_64["write"].spread("p99_ms"), "ms"),
            cpu,
            Figure.of("Write p50, 1 caller", at_1["write"].spread("p50_ms"), "ms"),
        ),
        {f"{name}, 64 callers": series for name, series in at_64.items()}
        | {f"{name}, 1 caller": series for name, series in at_1.items()},
    )
