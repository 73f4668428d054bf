"""How much each sentence of a text says about the whole of it.

A sentence matters that resembles many that matter: PageRank over the sentences, with the likeness of each two, by the words that they share and that
few others have, as the weight of the link between them. (Mihalcea, Tarau: TextRank, EMNLP 2004; Erkan, Radev: LexRank, JAIR 2004.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_DAMPING = 0.85
_ROUNDS = 40
_LEAD = 0.25
"""Where things are equal, what comes first says more about a text: the first sentence counts so much more than the last."""


def similarities(sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """Return the cosine of each two sentences, given as words, each weighed by how few sentences have it."""
    columns: dict[str, int] = {}
    counts = np.zeros((len(sentences), len({word for words in sentences for word in words})), np.float32)
    for row, words in enumerate(sentences):
        for word in words:
            counts[row, columns.setdefault(word, len(columns))] += 1
    weights = np.log((len(sentences) + 1) / ((counts > 0).sum(axis=0) + 0.5))
    weighed = counts * weights.astype(np.float32)
    lengths = np.linalg.norm(weighed, axis=1, keepdims=True)
    weighed /= np.where(lengths > 0, lengths, 1)
    likeness: NDArray[np.float32] = weighed @ weighed.T
    return likeness


def importance(likeness: NDArray[np.float32]) -> list[float]:
    """Return the importance of each sentence, rounded, so that machines whose last digits differ agree on the order."""
    links = likeness.astype(np.float64)
    np.fill_diagonal(links, 0)
    totals = links.sum(axis=1, keepdims=True)
    links = links / np.where(totals > 0, totals, 1)
    count = len(links)
    ranks = np.full(count, 1 / count)
    for _ in range(_ROUNDS):
        ranks = (1 - _DAMPING) / count + _DAMPING * (links.T @ ranks)
    lead = 1 + _LEAD * (1 - np.arange(count) / count)
    return [round(float(rank), 4) for rank in ranks * count * lead]
