"""An Act with one write of 1 KiB against the Write alone, both durable and audited: what reading the output and the receipt cost."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.benchmarks.alternate import alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.connection import connected
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.measure import Operation
from tests.benchmarks.processes import sidecar
from tests.benchmarks.writing import ActedWrites, Writes


async def run(bench: Bench) -> Outcome:
    """The difference at one caller; afterwards every slot is read and compared."""
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(sidecar(bench.empty_dir(), bench.work_dir, unix=bench.plan.unix))
        client = await stack.enter_async_context(connected(running))
        writes = await Writes.prepared(client, callers=16)
        acts = await ActedWrites.prepared(client, callers=16)
        contenders: dict[str, Operation] = {"write": writes, "act": acts}
        at_1 = await alternate(contenders, bench.plan, callers=1)
        at_16 = await alternate(contenders, bench.plan, callers=16)
        await writes.verify()
        await acts.verify()
    return Outcome(
        (
            Figure.of(
                "Act p50 less Write p50, 1 caller", at_1["act"].difference(at_1["write"], "p50_ms"), "ms", at_most(0.3)
            ),
            Figure.of("Write p50, 1 caller", at_1["write"].spread("p50_ms"), "ms"),
            Figure.of("Act p50, 1 caller", at_1["act"].spread("p50_ms"), "ms"),
            Figure.of("Act/s over Write/s, 16 callers", at_16["act"].ratio(at_16["write"], "per_s"), "ratio"),
        ),
        {f"{name}, 1 caller": series for name, series in at_1.items()}
        | {f"{name}, 16 callers": series for name, series in at_16.items()},
    )
