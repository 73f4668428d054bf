"""What was written side by side lends each other score: the turn that answers a question rarely repeats the question's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

REACH = 2
"""How far a slot's score is lent: to two slots on either side."""


def pairs(windows: Iterable[Sequence[int]]) -> dict[int, tuple[int | None, int | None]]:
    """Who stands before and after whom, from windows of ids in the order of writing; each window leaves out nobody."""
    found: dict[int, tuple[int | None, int | None]] = {}
    for window in windows:
        for index, id_ in enumerate(window):
            before, after = found.get(id_, (None, None))
            if index:
                before = window[index - 1]
            if index + 1 < len(window):
                after = window[index + 1]
            found[id_] = before, after
    return found


def lent(
    scores: Mapping[int, float], beside: Mapping[int, tuple[int | None, int | None]], weight: float
) -> dict[int, float]:
    """Each score plus ``weight`` times the mean of those beside it, plus the square of it times that of those beside these."""
    result = {}
    for id_ in dict.fromkeys([*scores, *beside]):
        total, share = scores.get(id_, 0.0), 1.0
        before: int | None = id_
        after: int | None = id_
        for _ in range(REACH):
            share *= weight
            before = beside.get(before, (None, None))[0] if before is not None else None
            after = beside.get(after, (None, None))[1] if after is not None else None
            total += share * (_score(scores, before) + _score(scores, after)) / 2
        result[id_] = total
    return result


def _score(scores: Mapping[int, float], id_: int | None) -> float:
    return 0.0 if id_ is None else scores.get(id_, 0.0)
