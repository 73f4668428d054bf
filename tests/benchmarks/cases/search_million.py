"""A graph of a million vectors against one of a hundred thousand, and what a vector takes in memory."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.benchmarks.alternate import Series, in_turns
from tests.benchmarks.bench import Bench
from tests.benchmarks.corpus import DIMENSIONS
from tests.benchmarks.figures import Figure, Outcome, at_most
from tests.benchmarks.graphs import Graph, graph

HALF_BYTES = 2
ALLOWANCE = 1.3


async def run(bench: Bench) -> Outcome:
    """p50 at one caller, without sidecar and gRPC. The first run builds the graphs, which takes minutes; ``--stores`` keeps them."""
    async with AsyncExitStack() as stack:
        large, small = [
            await stack.enter_async_context(graph(bench.stores_dir, vectors))
            for vectors in (bench.plan.vectors, bench.plan.vectors // 10)
        ]
        taken = await in_turns(
            {"large": lambda: large.turn(bench.plan), "small": lambda: small.turn(bench.plan)}, bench.plan.rounds
        )
    series = {name: Series(tuple(turns)) for name, turns in taken.items()}
    ratio = series["large"].ratio(series["small"], "p50_ms")
    names = {"large": f"{large.vectors:,}", "small": f"{small.vectors:,}"}
    return Outcome(
        (
            Figure.of(f"query p50, {names['large']} over {names['small']} vectors", ratio, "ratio", at_most(3)),
            *(
                Figure.of(f"query p50, {names[name]} vectors", one.spread("p50_ms"), "ms")
                for name, one in series.items()
            ),
            *_memory(large),
            Figure(f"recall@10 of itself, {names['large']} vectors", large.built["recall"], "ratio"),
            Figure(f"candidates of a walk, {names['small']} vectors", small.loaded["expansion"], "vectors"),
            Figure(f"candidates of a walk, {names['large']} vectors", large.loaded["expansion"], "vectors"),
            Figure(f"building, {names['large']} vectors", large.vectors / large.built["built_in_s"], "1/s"),
            Figure(f"loading, {names['large']} vectors", large.loaded["loaded_in_s"], "s"),
        ),
        {f"query, {names[name]} vectors": one for name, one in series.items()},
    )


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
