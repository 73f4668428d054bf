"""How good an answer is, and how good and quick many were."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean

from tests.benchmarks.measure import percentile

DEPTHS = (1, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Answer:
    """The names that a search brought, best first, and how long it took."""

    names: tuple[str, ...]
    took_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over questions. ``recall`` is by depth, in the order of :data:`DEPTHS`; times are those of one search at a time."""

    queries: int
    recall: tuple[float, ...]
    mrr: float
    p50_ms: float
    p95_ms: float


def recall_at(depth: int, names: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant slots that stands among the first ``depth`` names."""
    return len(set(names[:depth]) & set(relevant)) / len(relevant)


def reciprocal_rank(names: Sequence[str], relevant: Collection[str]) -> float:
    """One over the rank of the first relevant name; 0 where there is none."""
    return next((1 / rank for rank, name in enumerate(names, 1) if name in relevant), 0.0)


def scores(judged: Sequence[tuple[Answer, Collection[str]]]) -> Scores:
    """What many answers are worth, each beside the names that it should have; at least one."""
    took = sorted(answer.took_s for answer, _ in judged)
    return Scores(
        queries=len(judged),
        recall=tuple(
            fmean(recall_at(depth, answer.names, relevant) for answer, relevant in judged) for depth in DEPTHS
        ),
        mrr=fmean(reciprocal_rank(answer.names, relevant) for answer, relevant in judged),
        p50_ms=percentile(took, 0.5) * 1e3,
        p95_ms=percentile(took, 0.95) * 1e3,
    )
