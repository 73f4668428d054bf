"""Importance: a forward-decayed access count in the log domain.

An access at time ``t`` weighs ``exp(l * (t - L))`` for a landmark ``L`` and decay ``l = ln 2 / half-life``; a slot's count is the
sum of its weights, and at any later time all counts shrink by the same factor. So the order between two slots never changes as time
passes, and the logarithm of the undecayed sum is one number that can be indexed. Creating or overwriting a slot counts as one access.

(Cormode, Shkapenyuk, Srivastava, Xu: Forward Decay: A Practical Time Decay Model for Streaming Systems, ICDE 2009.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LANDMARK_MS = 1_700_000_000_000
"""The landmark L. Its choice changes nothing but the size of the numbers."""
_LN_2 = math.log(2)


@dataclass(frozen=True, slots=True)
class Decay:
    """The decay of one store.

    ``half_life_ms`` is how long it takes until an access counts half. ``importance_weight`` is what importance 1 adds to the
    logarithm: the default of ln 16 makes it worth sixteen times the accesses.
    """

    half_life_ms: int = 86_400_000
    importance_weight: float = math.log(16)

    def weight(self, time_ms: int) -> float:
        """Logarithm of the weight of one access at ``time_ms``."""
        return _LN_2 * (time_ms - LANDMARK_MS) / self.half_life_ms

    def first(self, time_ms: int, importance: float) -> float:
        """The sort key of a slot created at ``time_ms`` with ``importance`` in 0..1."""
        return self.weight(time_ms) + self.importance_weight * importance

    def accessed(self, key: float, time_ms: int, importance: float, count: int = 1) -> float:
        """The sort key after ``count`` more accesses at ``time_ms``."""
        bonus = self.importance_weight * importance
        return _logaddexp(key - bonus, self.weight(time_ms) + math.log(count)) + bonus

    def reweighed(self, key: float, old_importance: float, new_importance: float) -> float:
        """The sort key after the writer changed the importance."""
        return key + self.importance_weight * (new_importance - old_importance)

    def score(self, key: float, now_ms: int) -> float:
        """What a caller sees: the logarithm of the count as decayed at ``now_ms``, plus the weighted importance."""
        return key - self.weight(now_ms)


def _logaddexp(a: float, b: float) -> float:
    high, low = (a, b) if a >= b else (b, a)
    return high + math.log1p(math.exp(low - high))
