"""Read of 1 KiB all over the large store, where no cache holds what is asked for."""

from __future__ import annotations

from tests.benchmarks.alternate import alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.cases.read import ECHOED, Reads
from tests.benchmarks.figures import Figure, Outcome
from tests.benchmarks.measure import Operation


async def run(bench: Bench) -> Outcome:
    """The same as for the small store; no limit is stated for it."""
    echo, large = await bench.echo(), await bench.large()
    contenders: dict[str, Operation] = {"echo": lambda _: echo.echo(ECHOED), "read": Reads(large, bench.plan.slots)}
    at_32 = await alternate(contenders, bench.plan, callers=32)
    at_1 = await alternate(contenders, bench.plan, callers=1)
    return Outcome(
        (
            Figure.of("scattered Read/s over echo/s, 32 callers", at_32["read"].ratio(at_32["echo"], "per_s"), "ratio"),
            Figure.of(
                "scattered Read p50 over echo p50, 1 caller", at_1["read"].ratio(at_1["echo"], "p50_ms"), "ratio"
            ),
            Figure.of("scattered Read/s, 32 callers", at_32["read"].spread("per_s"), "1/s"),
        ),
        {f"{name}, 32 callers": series for name, series in at_32.items()}
        | {f"{name}, 1 caller": series for name, series in at_1.items()},
    )
