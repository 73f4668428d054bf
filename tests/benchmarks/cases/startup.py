"""From the start of the process until its health says SERVING: the large store against an empty one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.benchmarks.alternate import Spread, in_turns
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.processes import sidecar


async def run(bench: Bench) -> Outcome:
    """Starts each store in turn. The empty store is a new one each time, so that making the files counts too."""
    large_dir = await bench.stop_large()

    def start(data_dir: Callable[[], Path]) -> Callable[[], Awaitable[float]]:
        return lambda: _start_s(bench, data_dir())

    took = await in_turns({"empty": start(bench.empty_dir), "large": start(lambda: large_dir)}, bench.plan.starts)
    ratios = [large / empty for large, empty in zip(took["large"], took["empty"], strict=True)]
    return Outcome(
        (
            Figure.of("start to SERVING, large over empty store", Spread.of(ratios), "ratio", at_most(2)),
            Figure.of("start to SERVING, empty store", Spread.of([seconds * 1e3 for seconds in took["empty"]]), "ms"),
            Figure.of("start to SERVING, large store", Spread.of([seconds * 1e3 for seconds in took["large"]]), "ms"),
        )
    )


async def _start_s(bench: Bench, data_dir: Path) -> float:
    async with sidecar(data_dir, bench.work_dir, unix=bench.plan.unix) as running:
        return running.started_in_s
