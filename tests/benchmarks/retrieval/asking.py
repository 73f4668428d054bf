"""Asks every question and judges the answers, all together, by file and by kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from tests.benchmarks.retrieval.dataset import Query
from tests.benchmarks.retrieval.metrics import DEPTHS, Answer, Scores, scores
from tqdm import tqdm

Searcher = Callable[[Query, int], Sequence[str]]
"""Names that answer a question, best first, at most so many."""

KIND = "kind: "
"""What the name of a group begins with that holds one kind of question."""

_WARM = 3


def ask(queries: Sequence[Query], searcher: Searcher, label: str = "") -> list[Answer]:
    """Asks one question after the other; the first few twice, the first time uncounted. Raises AssertionError for an answer with a name twice."""
    for query in queries[:_WARM]:
        searcher(query, DEPTHS[-1])
    return [_answer(query, searcher) for query in tqdm(queries, desc=label, unit="query", leave=False, disable=None)]


def judge(queries: Sequence[Query], answers: Sequence[Answer]) -> dict[str, Scores]:
    """Scores of ``all``, of each file, and of each kind of question (:data:`KIND`), in this order."""
    groups: dict[str, list[int]] = {}
    for label in (_all, _source, _kind):
        for index, query in enumerate(queries):
            groups.setdefault(label(query), []).append(index)
    return {name: _scored(queries, answers, indices) for name, indices in groups.items()}


def _answer(query: Query, searcher: Searcher) -> Answer:
    begin = time.perf_counter()
    names = tuple(searcher(query, DEPTHS[-1]))
    took_s = time.perf_counter() - begin
    if len(names) > DEPTHS[-1] or len(set(names)) < len(names):
        raise AssertionError(f"{query.text!r} brought {len(names)} names, {len(set(names))} of them different")
    return Answer(names, took_s)


def _scored(queries: Sequence[Query], answers: Sequence[Answer], indices: Iterable[int]) -> Scores:
    return scores([(answers[index], queries[index].relevant) for index in indices])


def _all(query: Query) -> str:
    return "all"


def _source(query: Query) -> str:
    return query.source


def _kind(query: Query) -> str:
    return f"{KIND}{query.kind or 'none'}"
