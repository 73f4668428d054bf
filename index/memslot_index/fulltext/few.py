"""What a word counts among few documents.

FTS5 gives a word that half of them hold the weight of nothing, and of ten days half may well be about the same thing. Here the weight is
``ln(1 + (N - n + 0.5) / (n + 0.5))``, which is above zero for every word (Robertson and Zaragoza, The Probabilistic Relevance Framework:
BM25 and Beyond, 2009; Lucene has the same). Among many documents such a word tells nothing, and FTS5's own weights cost less.
"""

from __future__ import annotations

import math

LIMIT = 1_000
"""Documents, from which on FTS5's weights hold; up to half of it the others do, and in between both, in parts. So no document more or less
makes a difference that shows, and the pages of one answer go on where they were."""

_LEAST = 1e-6
"""What FTS5 has in place of a weight that is not above zero."""


def correction(documents: int, holding: int) -> float:
    """By what FTS5's score of a word has to be multiplied that ``holding`` of so many documents hold, at least one; 1 from LIMIT on."""
    odds = (max(documents - holding, 0) + 0.5) / (holding + 0.5)
    theirs = max(math.log(odds), 0.0) or _LEAST
    share = min(1.0, max(0.0, 2 - 2 * documents / LIMIT))
    return (share * math.log1p(odds) + (1 - share) * theirs) / theirs
