"""A graph of a million vectors against one of a hundred thousand, and what a vector takes in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack

from tests.benchmarks.alternate import Series, in_turns
from tests.benchmarks.bench import Bench
from tests.benchmarks.corpus import DIMENSIONS
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.graphs import Graph, graph
from tests.benchmarks.measure import Turn

HALF_BYTES = 2
ALLOWANCE = 1.3
HITS = (100, 10)
"""How many are asked for: by a Search, which looks further than to its limit, and by who wants just the nearest."""


async def run(bench: Bench) -> Outcome:
    """p50 at one caller, without sidecar and gRPC. The first run builds the graphs, which takes minutes; ``--stores`` keeps them."""
    sizes = {"large": bench.plan.vectors, "small": bench.plan.vectors // 10}
    async with AsyncExitStack() as stack:
        graphs = {name: await stack.enter_async_context(graph(bench.stores_dir, size)) for name, size in sizes.items()}
        series = {hits: await _queried(bench, graphs, hits) for hits in HITS}
    large = graphs["large"]
    queried = [figure for hits, taken in series.items() for figure in _figures(sizes, hits, taken)]
    return Outcome(
        (
            *queried,
            *_memory(large),
            Figure(f"recall@10 of itself, {large.vectors:,} vectors", large.built["recall"], "ratio"),
            *(
                Figure(f"candidates of a walk, {one.vectors:,} vectors", one.loaded["expansion"], "vectors")
                for one in graphs.values()
            ),
            Figure(f"building, {large.vectors:,} vectors", large.vectors / large.built["built_in_s"], "1/s"),
            Figure(f"loading, {large.vectors:,} vectors", large.loaded["loaded_in_s"], "s"),
        ),
        {f"{hits} of {sizes[name]:,}": one for hits, taken in series.items() for name, one in taken.items()},
    )


async def _queried(bench: Bench, graphs: Mapping[str, Graph], hits: int) -> dict[str, Series]:
    def turn_of(one: Graph) -> Callable[[], Awaitable[Turn]]:
        return lambda: one.turn(bench.plan, hits)

    taken = await in_turns({name: turn_of(one) for name, one in graphs.items()}, bench.plan.rounds)
    return {name: Series(tuple(turns)) for name, turns in taken.items()}


def _figures(sizes: Mapping[str, int], hits: int, series: Mapping[str, Series]) -> list[Figure]:
    large, small = series["large"], series["small"]
    name = f"query of {hits} p50"
    over = f"{name}, {sizes['large']:,} over {sizes['small']:,} vectors"
    return [
        Figure.of(over, large.ratio(small, "p50_ms"), "ratio", at_most(3)),
        Figure.of(f"{name}, {sizes['large']:,} vectors", large.spread("p50_ms"), "ms"),
        Figure.of(f"{name}, {sizes['small']:,} vectors", small.spread("p50_ms"), "ms"),
    ]


def _memory(graph: Graph) -> list[Figure]:
    """Against 1.3 times what has to be kept: the vector in half precision, and its part of the graph as the library writes it."""
    vector = HALF_BYTES * DIMENSIONS
    links = graph.loaded["file_bytes"] / graph.vectors - vector
    bound = ALLOWANCE * (vector + links)
    built, loaded = (facts["resident_bytes"] / graph.vectors for facts in (graph.built, graph.loaded))
    return [
        Figure("memory a vector over 1.3 * (f16 vector + graph), just built", built / bound, "ratio", at_most(1)),
        Figure("memory a vector over 1.3 * (f16 vector + graph), loaded", loaded / bound, "ratio", at_most(1)),
        Figure("memory a vector, just built", built, "bytes"),
        Figure("memory a vector, loaded", loaded, "bytes"),
        Figure("f16 vector", vector, "bytes"),
        Figure("its part of the graph, in a file", links, "bytes"),
    ]
