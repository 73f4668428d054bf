"""The table for people and the JSON for programs. A limit that is not kept is told, and fails nothing."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import grpc
import psutil
from tests.benchmarks.figures import Figure, Outcome
from tests.benchmarks.plan import Plan

_HEADINGS = ("case", "figure", "value", "unit", "low .. high", "limit", "kept")


def table(outcomes: Mapping[str, Outcome]) -> str:
    """One line a figure, numbers to the right."""
    rows = [_row(case, figure) for case, outcome in outcomes.items() for figure in outcome.figures]
    widths = [max(len(row[column]) for row in [_HEADINGS, *rows]) for column in range(len(_HEADINGS))]
    lines = [_line(_HEADINGS, widths), "  ".join("-" * width for width in widths)]
    return "\n".join(lines + [_line(row, widths) for row in rows])


def as_json(outcomes: Mapping[str, Outcome], plan: Plan) -> dict[str, Any]:
    """Plan, machine, every figure and every turn."""
    cases = {case: outcome.as_json() for case, outcome in outcomes.items()}
    return {"plan": asdict(plan), "machine": _machine(), "cases": cases}


def busy() -> str:
    """A warning when the machine has other work to do, which makes every figure doubtful; empty otherwise."""
    load, cores = psutil.getloadavg()[0], psutil.cpu_count() or 1
    return (
        f"the machine is busy (load {load:.1f} on {cores} cores): measure again when it is not\n"
        if load > cores / 2
        else ""
    )


def number(value: float) -> str:
    """A value with about three significant digits, thousands separated."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _row(case: str, figure: Figure) -> tuple[str, ...]:
    extremes = "" if figure.low is None or figure.high is None else f"{number(figure.low)} .. {number(figure.high)}"
    limit = "" if figure.limit is None else f"{figure.limit.relation} {number(figure.limit.value)}"
    kept = {None: "", True: "yes", False: "NO"}[figure.holds]
    return (case, figure.name, number(figure.value), figure.unit, extremes, limit, kept)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if column in (2, 4, 5) else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _machine() -> dict[str, Any]:
    return {
        "cores": psutil.cpu_count(),
        "load_average": psutil.getloadavg(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
        "python": platform.python_version(),
        "grpc": grpc.__version__,
    }
