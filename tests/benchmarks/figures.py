"""What a case hands back: figures, each beside the limit that was stated for it, if one was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.alternate import Series, Spread


@dataclass(frozen=True, slots=True)
class Limit:
    """A stated limit: the value is to be at least, or at most, ``value``."""

    relation: str
    value: float

    def holds(self, value: float) -> bool:
        """Whether a measured value keeps the limit."""
        return value >= self.value if self.relation == ">=" else value <= self.value


def at_least(value: float) -> Limit:
    """A lower limit."""
    return Limit(">=", value)


def at_most(value: float) -> Limit:
    """An upper limit."""
    return Limit("<=", value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; ``low`` and ``high`` are its extremes over the rounds."""

    name: str
    value: float
    unit: str
    limit: Limit | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, name: str, spread: Spread, unit: str, limit: Limit | None = None) -> Figure:
        """A figure whose value is the median of a spread."""
        return cls(name, spread.median, unit, limit, spread.low, spread.high)

    @property
    def holds(self) -> bool | None:
        """Whether the limit is kept; None without a limit."""
        return None if self.limit is None else self.limit.holds(self.value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figures of one case, with the turns they come from."""

    figures: tuple[Figure, ...]
    series: Mapping[str, Series] | None = None

    def as_json(self) -> dict[str, Any]:
        """Everything that was measured."""
        turns = {name: series.as_json() for name, series in (self.series or {}).items()}
        return {"figures": [_figure_as_json(figure) for figure in self.figures], "turns": turns}


def _figure_as_json(figure: Figure) -> dict[str, Any]:
    limit = figure.limit and {"relation": figure.limit.relation, "value": figure.limit.value}
    return {
        "name": figure.name, "value": figure.value, "unit": figure.unit, "low": figure.low, "high": figure.high,
        "limit": limit, "holds": figure.holds,
    }  # fmt: skip
