"""Search beside other stores, with the same vectors and texts: a Chroma server through HTTP, and LangGraph's SqliteStore."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.util import find_spec
from itertools import count

from tests.benchmarks.alternate import alternate
from tests.benchmarks.bench import Bench
from tests.benchmarks.corpus import Corpus, Question
from tests.benchmarks.figures import Figure, Outcome
from tests.benchmarks.measure import Operation
from tests.benchmarks.searching import HITS, Searches

from memslot.v1.slot_service_pb2 import SEARCH_MODE_HYBRID, SEARCH_MODE_VECTOR

QUESTIONS = 200
_NEEDED = ("chromadb", "langgraph.store.sqlite")
_MISSING = "search-peers is left out: it needs Chroma and LangGraph's SqliteStore (pip install --group peers)\n"

Ask = Callable[[int], list[int]]


async def run(bench: Bench) -> Outcome:
    """p50 at one caller, and which part of the true nearest each of them finds. No limit is stated."""
    if not _installed():
        sys.stderr.write(_MISSING)
        return Outcome(())
    from tests.benchmarks.peer_stores import chroma, langgraph

    corpus = Corpus(bench.plan.peers)
    questions = corpus.questions(QUESTIONS, 3)
    sidecar = await bench.found(corpus, "auto")
    folder, file = (bench.stores_dir / f"{name}-{corpus.slots}" for name in ("chroma", "langgraph"))
    async with AsyncExitStack() as stack:
        peers: dict[str, Ask] = {
            "Chroma": (await stack.enter_async_context(chroma(folder, bench.work_dir, corpus, questions))).ask,
            "SqliteStore": stack.enter_context(langgraph(file, corpus, questions)).ask,
        }
        ours = {
            "hybrid": await Searches.prepared(sidecar, corpus, questions, SEARCH_MODE_HYBRID),
            "vector": await Searches.prepared(sidecar, corpus, questions, SEARCH_MODE_VECTOR),
        }
        contenders: dict[str, Operation] = ours | {name: _Asked(ask, questions) for name, ask in peers.items()}
        series = await alternate(contenders, bench.plan, callers=1)
        recall = {"vector Search": await ours["vector"].recall()}
        recall |= {name: _recall(corpus, ask, questions) for name, ask in peers.items()}
    return Outcome(
        (
            *(
                Figure.of(f"{mode} Search p50 over {peer}", series[mode].ratio(series[peer], "p50_ms"), "ratio")
                for peer in peers
                for mode in ours
            ),
            *(Figure.of(f"p50, {name}", taken.spread("p50_ms"), "ms") for name, taken in series.items()),
            *(Figure(f"recall@10, {name}", value, "ratio") for name, value in recall.items()),
        ),
        series,
    )


class _Asked:
    """Asks one question after the other, in the loop's thread: there is one caller."""

    def __init__(self, ask: Ask, questions: list[Question]) -> None:
        self._ask = ask
        self._questions = len(questions)
        self._turns = count()

    async def __call__(self, _caller: int) -> None:
        """Asks the next. Raises AssertionError when too few are found."""
        if len(set(self._ask(next(self._turns) % self._questions))) != HITS:
            raise AssertionError("a peer found too few")


def _recall(corpus: Corpus, ask: Ask, questions: list[Question]) -> float:
    found = [len({*ask(at)} & {*corpus.nearest(one.vector, HITS)}) for at, one in enumerate(questions)]
    return sum(found) / HITS / len(questions)


def _installed() -> bool:
    try:
        return all(find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:
        return False
