"""The table for people, the JSON for programs, and the questions that were answered badly for whoever wants to know why."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.retrieval.asking import KIND
from tests.benchmarks.retrieval.dataset import Query
from tests.benchmarks.retrieval.metrics import DEPTHS, Answer, Scores

_HEADINGS = ("questions", "backend", "mode", "queries", *(f"R@{depth}" for depth in DEPTHS), "MRR", "p50 ms", "p95 ms")
_WORDS = 3
_MISSED = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one mode on one backend was worth, by group of questions."""

    backend: str
    mode: str
    groups: Mapping[str, Scores]


def table(outcomes: Sequence[Outcome], *, kinds: bool = False) -> str:
    """One line for each group of questions, backend and mode, the modes of a group one below the other; with ``kinds`` also those groups."""
    every = dict.fromkeys(group for outcome in outcomes for group in outcome.groups)
    groups = [group for group in every if kinds or not group.startswith(KIND)]
    rows = [_row(group, outcome) for group in groups for outcome in outcomes if group in outcome.groups]
    widths = [max(len(row[column]) for row in [_HEADINGS, *rows]) for column in range(len(_HEADINGS))]
    lines = [_line(_HEADINGS, widths), "  ".join("-" * width for width in widths)]
    return "\n".join(lines + [_line(row, widths) for row in rows])


def as_json(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Every figure of every group."""
    return [
        {"backend": outcome.backend, "mode": outcome.mode, "questions": group, **_figures(scores)}
        for outcome in outcomes
        for group, scores in outcome.groups.items()
    ]


def note_misses(path: Path, label: str, queries: Sequence[Query], answers: Sequence[Answer]) -> None:
    """Adds a line for each question of which a slot is not among the first ten names."""
    with path.open("a", encoding="utf-8") as lines:
        for query, answer in zip(queries, answers, strict=True):
            first = answer.names[:_MISSED]
            if missed := sorted(query.relevant.difference(first)):
                told = {
                    "measured": label,
                    "namespace": query.namespace,
                    "query": query.text,
                    "missed": missed,
                    "found": first,
                }
                lines.write(json.dumps(told, ensure_ascii=False) + "\n")


def _figures(scores: Scores) -> dict[str, Any]:
    recall = {f"recall@{depth}": value for depth, value in zip(DEPTHS, scores.recall, strict=True)}
    return {**{name: value for name, value in asdict(scores).items() if name != "recall"}, **recall}


def _row(group: str, outcome: Outcome) -> tuple[str, ...]:
    scores = outcome.groups[group]
    shares = (f"{value:.3f}" for value in (*scores.recall, scores.mrr))
    return (
        group, outcome.backend, outcome.mode, str(scores.queries), *shares, f"{scores.p50_ms:.1f}", f"{scores.p95_ms:.1f}",
    )  # fmt: skip


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.ljust(width) if column < _WORDS else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()
