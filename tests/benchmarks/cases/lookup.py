"""50 names, by rank, by tag, by task type and by prefix: the large store against the small one, and against an echo of the same size."""

from __future__ import annotations

from tests.benchmarks.alternate import Series, alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.looking_up import QUERIES, Lookups, Query
from tests.benchmarks.measure import Operation


async def run(bench: Bench) -> Outcome:
    """p50 at one caller for each query."""
    figures: list[Figure] = []
    turns: dict[str, Series] = {}
    for query in QUERIES:
        series = await _measured(bench, query)
        figures += _figures(query, series)
        turns |= {f"{name}, {query.title}": taken for name, taken in series.items()}
    return Outcome(tuple(figures), turns)


async def _measured(bench: Bench, query: Query) -> dict[str, Series]:
    echo, small, large = await bench.echo(), await bench.small(), await bench.large()
    for sidecar in (small, large):
        await query.check_in_full(sidecar)
    sizes = query.request.ByteSize(), (await large.slots.Lookup(query.request)).ByteSize()
    contenders: dict[str, Operation] = {
        "echo": lambda _: echo.sized(*sizes),
        "small": Lookups(small, query),
        "large": Lookups(large, query),
    }
    return await alternate(contenders, bench.plan, callers=1)


def _figures(query: Query, series: dict[str, Series]) -> list[Figure]:
    small, large, echo = series["small"], series["large"], series["echo"]
    return [
        Figure.of(f"{query.title}: large over small store, p50", large.ratio(small, "p50_ms"), "ratio", at_most(1.5)),
        Figure.of(f"{query.title}: large store over echo, p50", large.ratio(echo, "p50_ms"), "ratio", at_most(1.25)),
        Figure.of(f"{query.title}: large store, p50", large.spread("p50_ms"), "ms"),
        Figure.of(f"{query.title}: echo of that size, p50", echo.spread("p50_ms"), "ms"),
    ]
