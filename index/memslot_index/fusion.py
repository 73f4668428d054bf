"""Two lists of scores made one: a convex combination of normalised scores.

Bruch, Gai and Ingber (An Analysis of Fusion Functions for Hybrid Retrieval, 2022) find it better than reciprocal rank fusion, and little
sensitive to the normalisation as long as that keeps what a score says. So words are measured against what the query could reach at
best, not against the best hit: a query whose words hardly match anything must not look certain. Cosines of one model lie in a narrow
band that says nothing by itself; they are spread over the band that the candidates have.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

TEXT_SHARE = 0.5
"""Of the words' score in a combined one. Anything between 0.4 and 0.6 is as good (tests/benchmarks/retrieval)."""
SPEAKER_SHARE = 0.1
"""What it adds that a turn of a conversation is said by somebody whom the query names."""

_SATURATION = 0.75
"""What a term of average rarity reaches in BM25, as a part of the logarithm of the number of documents."""


def by_text(scores: Mapping[int, float], terms: int, documents: int) -> dict[int, float]:
    """BM25 scores as shares of what ``terms`` words can reach among ``documents``; 0 stands for no match.

    Among few documents no word is rare, and words count little: a namespace of ten days is better searched by what is meant.
    """
    most = _SATURATION * max(1, terms) * math.log(max(2, documents))
    return {key: min(1.0, value / most) for key, value in scores.items()}


def by_vector(scores: Mapping[int, float], nearest: Collection[int]) -> dict[int, float]:
    """Similarities between that of the last of the ``nearest`` (0, also for what is further away) and the best (1)."""
    band = [scores[key] for key in nearest if key in scores]
    if not band:
        return {}
    least, most = min(band), max(band)
    span = most - least
    return {
        key: min(1.0, max(0.0, (value - least) / span)) if span > 0 else float(value >= most)
        for key, value in scores.items()
    }


def combined(
    text: Mapping[int, float], vector: Mapping[int, float], text_share: float = TEXT_SHARE
) -> dict[int, float]:
    """The convex combination of two normalised lists; who stands in one only has 0 in the other."""
    keys = dict.fromkeys([*text, *vector])
    return {key: text_share * text.get(key, 0.0) + (1 - text_share) * vector.get(key, 0.0) for key in keys}
