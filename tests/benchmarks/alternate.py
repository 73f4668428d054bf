"""Contenders in turns, A B A B, so that whatever else the machine does meets them alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import TypeVar

from tests.benchmarks.measure import Operation, Turn, take_turn
from tests.benchmarks.plan import Plan

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the lowest and the highest value."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Series:
    """The turns of one contender, in order."""

    turns: tuple[Turn, ...]

    def spread(self, of: str) -> Spread:
        """The spread of a field of :class:`Turn`."""
        return Spread.of([getattr(turn, of) for turn in self.turns])

    def ratio(self, other: Series, of: str) -> Spread:
        """This series over the other, turn by turn: what slowed both at one time falls out of it."""
        pairs = zip(self.turns, other.turns, strict=True)
        return Spread.of([getattr(mine, of) / getattr(theirs, of) for mine, theirs in pairs])

    def difference(self, other: Series, of: str) -> Spread:
        """This series less the other, turn by turn."""
        pairs = zip(self.turns, other.turns, strict=True)
        return Spread.of([getattr(mine, of) - getattr(theirs, of) for mine, theirs in pairs])

    def as_json(self) -> list[dict[str, float]]:
        """Every turn with all of its fields."""
        return [asdict(turn) for turn in self.turns]


async def alternate(contenders: Mapping[str, Operation], plan: Plan, *, callers: int) -> dict[str, Series]:
    """Gives each contender its turn, ``plan.rounds`` times; every other round in reverse order."""

    def turn_of(operation: Operation) -> Callable[[], Awaitable[Turn]]:
        return lambda: take_turn(operation, callers=callers, seconds=plan.round_s, warm_s=plan.warm_s)

    turns = await in_turns({name: turn_of(operation) for name, operation in contenders.items()}, plan.rounds)
    return {name: Series(tuple(taken)) for name, taken in turns.items()}


async def in_turns(contenders: Mapping[str, Callable[[], Awaitable[T]]], rounds: int) -> dict[str, list[T]]:
    """Awaits each contender once a round, in an order that turns around each round."""
    results: dict[str, list[T]] = {name: [] for name in contenders}
    order = list(contenders)
    for _ in range(rounds):
        for name in order:
            results[name].append(await contenders[name]())
        order.reverse()
    return results
