"""How many candidates a search of a graph has to keep, found by comparing it with an exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from memslot_index.vectors.base import Ids, Vector, Vectors

RANK = 10
"""Recall is measured among this many nearest."""

Nearest: TypeAlias = Callable[[Vector, int], Ids]
"""The ids nearest to a vector, found with so many candidates; the true ones for 0."""
Question: TypeAlias = tuple[int, Vector]
"""A vector, and the id it was made from."""


def questions(ids: Ids, vectors: Vectors) -> list[Question]:
    """Move each vector by half its length in a random direction: something near what is there, as real questions are."""
    noise = np.random.default_rng(len(ids)).standard_normal(vectors.shape, np.float32)
    moved = vectors + noise / (2 * np.linalg.norm(noise, axis=1, keepdims=True))
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return list(zip(ids.tolist(), moved, strict=True))


def expansion_for(
    nearest: Nearest, asked: Sequence[Question], first: int, target: float, most: int
) -> tuple[int, float]:
    """Raise the number of candidates by quarters, from ``first`` to at most ``most``, until recall reaches ``target``; return both.

    A walk that keeps more candidates finds what a shorter one found: only what was not answered in full is asked again.
    """
    unanswered = [(question, _others(nearest, question, 0)) for question in asked]
    there = sum(len(truth) for _, truth in unanswered)
    candidates = first
    while there:
        missing = [len(truth - _others(nearest, question, candidates)) for question, truth in unanswered]
        recall = 1 - sum(missing) / there
        if recall >= target or candidates >= most:
            return candidates, recall
        unanswered = [one for one, lost in zip(unanswered, missing, strict=True) if lost]
        candidates = min(candidates + candidates // 4, most)
    return candidates, 1.0


def _others(nearest: Nearest, question: Question, candidates: int) -> set[int]:
    """The nearest without the one that the question was made from."""
    own, vector = question
    return set([slot for slot in nearest(vector, candidates).tolist() if slot != own][:RANK])
