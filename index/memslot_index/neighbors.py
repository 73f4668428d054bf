"""What was written side by side lends each other score: the turn that answers a question rarely repeats the question's words."""

from __future__ import annotations

from collections.abc import Mapping

REACH = 2
"""How far a slot's score is lent: to two slots on either side."""


def lent(
    scores: Mapping[int, float], beside: Mapping[int, tuple[int | None, int | None]], weight: float
) -> dict[int, float]:
    """Each score plus a share of those of the two before it and the two after it; the share is ``weight / (1 + weight)``, so that
    nobody counts more through others than by itself."""
    share = weight / (1 + weight)
    result = {}
    for id_ in dict.fromkeys([*scores, *beside]):
        total = scores.get(id_, 0.0)
        before: int | None = id_
        after: int | None = id_
        for _ in range(REACH):
            before = beside.get(before, (None, None))[0] if before is not None else None
            after = beside.get(after, (None, None))[1] if after is not None else None
            total += share * (_score(scores, before) + _score(scores, after))
        result[id_] = total
    return result


def _score(scores: Mapping[int, float], id_: int | None) -> float:
    return 0.0 if id_ is None else scores.get(id_, 0.0)
