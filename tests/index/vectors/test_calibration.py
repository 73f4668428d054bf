"""How many candidates a walk keeps is measured, and no more than needed."""

from __future__ import annotations

import numpy as np
import pytest

from memslot_index.vectors.base import Ids, Vector
from memslot_index.vectors.calibration import RANK, Question, expansion_for, questions


class Walks:
    """Answers question number ``n`` in full with ``needed[n]`` candidates, and with none of the nearest before; as a graph of islands."""

    def __init__(self, needed: list[int]) -> None:
        self.needed = needed
        self.asked: list[tuple[int, int]] = []

    def __call__(self, vector: Vector, candidates: int) -> Ids:
        """Return the ids 100 n .. 100 n + 10, of which the first is the question's own."""
        number = int(vector[0])
        self.asked.append((number, candidates))
        answered = candidates == 0 or candidates >= self.needed[number]
        return np.arange(RANK + 1, dtype=np.int64) + (100 * number if answered else 1_000_000)

    @property
    def questions(self) -> list[Question]:
        """One for each of ``needed``."""
        return [(100 * number, np.array([number], np.float32)) for number in range(len(self.needed))]


@pytest.mark.parametrize(
    ("needed", "most", "reached"),
    [
        ([1] * 50, 1_024, (64, 1.0)),
        ([64] * 49 + [2_000], 1_024, (64, 0.98)),
        ([64] * 48 + [65, 2_000], 1_024, (80, 0.98)),
        ([100] * 50, 1_024, (100, 1.0)),
        ([101] * 50, 1_024, (125, 1.0)),
        ([2_000] * 50, 1_024, (1_024, 0.0)),
        ([2_000] * 50, 64, (64, 0.0)),
        ([], 1_024, (64, 1.0)),
    ],
)
def test_no_more_candidates_are_kept_than_needed(needed: list[int], most: int, reached: tuple[int, float]) -> None:
    """The number is raised by quarters until the recall is reached, or to the most there may be."""
    walks = Walks(needed)
    assert expansion_for(walks, walks.questions, 64, 0.98, most) == pytest.approx(reached)


def test_what_was_answered_is_not_asked_again() -> None:
    """Wider walks are tried with the questions that are not answered in full, so that calibrating stays short."""
    walks = Walks([1] * 90 + [90] * 10)
    assert expansion_for(walks, walks.questions, 64, 0.98, 1_024) == (100, 1.0)
    wider = [number for number, candidates in walks.asked if candidates > 64]
    assert wider == [*range(90, 100), *range(90, 100)]


def test_a_vector_alone_needs_nothing() -> None:
    """Where there is no other to be found, nothing can be missed."""
    alone = questions(np.array([7], np.int64), np.ones((1, 1), np.float32))
    assert expansion_for(lambda _, __: np.array([7], np.int64), alone, 64, 0.98, 1_024) == (64, 1.0)
