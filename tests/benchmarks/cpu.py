"""Server CPU per call: on a busy machine it says more than throughput, since it does not grow while others have the cores."""

from __future__ import annotations

from tests.benchmarks.figures import Figure
from tests.benchmarks.measure import Operation, take_turn
from tests.benchmarks.plan import Plan
from tests.benchmarks.processes import Running


async def cpu_figure(name: str, running: Running, operation: Operation, plan: Plan, *, callers: int) -> Figure:
    """The CPU of the server, audit and commits included, over one turn, divided by its calls."""
    before = running.cpu_s()
    turn = await take_turn(operation, callers=callers, seconds=2 * plan.round_s, warm_s=0)
    return Figure(name, (running.cpu_s() - before) / turn.calls * 1e6, "us")
