"""Two lists of scores made one: a convex combination of normalised scores.

Bruch, Gai and Ingber (An Analysis of Fusion Functions for Hybrid Retrieval, 2022) find it better than reciprocal rank fusion, and little
sensitive to how scores are normalised; the lower bound is the theoretical one where there is one (BM25: 0), the least score of the
candidates where there is none in practice (cosines of one model lie in a narrow band).
"""

from __future__ import annotations

from collections.abc import Mapping

TEXT_SHARE = 0.5
"""Of the words' score in a combined one."""


def by_text(scores: Mapping[int, float]) -> dict[int, float]:
    """BM25 scores as shares of the best; 0 stands for no match."""
    most = max(scores.values(), default=0.0)
    return {key: value / most if most > 0 else 0.0 for key, value in scores.items()}


def by_vector(scores: Mapping[int, float]) -> dict[int, float]:
    """Similarities between the least (0) and the best (1) of the candidates."""
    if not scores:
        return {}
    least, most = min(scores.values()), max(scores.values())
    span = most - least
    return {key: (value - least) / span if span > 0 else 1.0 for key, value in scores.items()}


def combined(
    text: Mapping[int, float], vector: Mapping[int, float], text_share: float = TEXT_SHARE
) -> dict[int, float]:
    """The convex combination of two normalised lists; who stands in one only has 0 in the other."""
    keys = dict.fromkeys([*text, *vector])
    return {key: text_share * text.get(key, 0.0) + (1 - text_share) * vector.get(key, 0.0) for key in keys}
