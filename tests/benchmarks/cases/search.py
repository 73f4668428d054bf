"""Search by words and vectors, through gRPC, against the libraries beneath it, bare."""

from __future__ import annotations

from statistics import median

from tests.benchmarks.alternate import Series, alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.connection import Sidecar
from tests.benchmarks.corpus import Corpus
from tests.benchmarks.cpu import cpu_figure
from tests.benchmarks.figures import Figure, Outcome, at_least, at_most
from tests.benchmarks.measure import Operation
from tests.benchmarks.raw_index import RawBoth, RawGraph, RawTable
from tests.benchmarks.searching import Searches

from memslot.v1.slot_service_pb2 import SEARCH_MODE_FULLTEXT, SEARCH_MODE_HYBRID, SEARCH_MODE_VECTOR

QUESTIONS = 200


async def run(bench: Bench) -> Outcome:
    """p50 at one caller; then how many of the true nearest are found."""
    corpus = Corpus(bench.plan.found)
    sidecar = await bench.found(corpus, "hnsw")
    questions = corpus.questions(QUESTIONS, 3)
    graph = RawGraph(bench.stores_dir / f"raw-{corpus.slots}.usearch", corpus)
    raw = RawBoth(graph, RawTable(bench.stores_dir / f"raw-{corpus.slots}.db", corpus), questions)
    hybrid = await Searches.prepared(sidecar, corpus, questions, SEARCH_MODE_HYBRID)
    near = await Searches.prepared(sidecar, corpus, questions, SEARCH_MODE_VECTOR)
    contenders: dict[str, Operation] = {"hybrid": hybrid, "raw": raw, "vector": near}
    series = await alternate(contenders, bench.plan, callers=1)
    worded = await _worded(bench, sidecar, corpus)
    return Outcome(
        (
            Figure.of(
                "hybrid Search p50 over raw graph and raw table",
                series["hybrid"].ratio(series["raw"], "p50_ms"),
                "ratio",
                at_most(4),
            ),
            Figure.of("hybrid Search p50", series["hybrid"].spread("p50_ms"), "ms"),
            Figure.of("raw graph and raw table p50", series["raw"].spread("p50_ms"), "ms"),
            Figure("... the raw graph (usearch) of it", median(raw.graph_ms), "ms"),
            Figure("... the raw table (FTS5, 3 words) of it", median(raw.table_ms), "ms"),
            Figure.of("vector Search p50", series["vector"].spread("p50_ms"), "ms"),
            *(
                Figure.of(f"full-text Search p50, {words}", taken.spread("p50_ms"), "ms", at_most(5))
                for words, taken in worded.items()
            ),
            Figure("recall@10 of vector Search (hnsw)", await near.recall(), "ratio", at_least(0.97)),
            Figure("recall@10 of the raw graph", graph.recall(corpus, questions), "ratio"),
            await cpu_figure("server CPU a hybrid Search", sidecar.running, hybrid, bench.plan, callers=1),
            *_filling(bench, corpus),
        ),
        series | {f"full text, {words}": taken for words, taken in worded.items()},
    )


async def _worded(bench: Bench, sidecar: Sidecar, corpus: Corpus) -> dict[str, Series]:
    """Words alone, each of which stands in one slot of a hundred."""
    contenders: dict[str, Operation] = {
        f"{words} word{'s' * (words > 1)}": await Searches.prepared(
            sidecar, corpus, corpus.questions(QUESTIONS, words), SEARCH_MODE_FULLTEXT
        )
        for words in (1, 3, 5)
    }
    return await alternate(contenders, bench.plan, callers=1)


def _filling(bench: Bench, corpus: Corpus) -> list[Figure]:
    """How fast the store was filled, until its words and vectors were searched; nothing where it was there."""
    took_s = bench.filled_in_s.get(bench.found_dir(corpus))
    return [] if took_s is None else [Figure("slots written and indexed, Commits of 128", corpus.slots / took_s, "1/s")]
