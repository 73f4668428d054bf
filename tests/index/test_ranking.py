"""The rank of a slot is one number that time does not change."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memslot_index.ranking import LANDMARK_MS, Decay

DAY_MS = 86_400_000
DECAY = Decay()
FAR = [0, LANDMARK_MS, 253_402_300_799_000, 2**62, -(2**62)]
decays = st.builds(Decay, half_life_ms=st.integers(1, 400 * DAY_MS), importance_weight=st.floats(0, 10))
times = st.integers(LANDMARK_MS, LANDMARK_MS + 4000 * DAY_MS)
importances = st.floats(0, 1)
histories = st.lists(st.tuples(times, st.integers(1, 50)), min_size=1, max_size=6).map(sorted)


def _key(decay: Decay, importance: float, history: list[tuple[int, int]]) -> float:
    (first_ms, _), *later = history
    key = decay.first(first_ms, importance)
    for time_ms, count in later:
        key = decay.accessed(key, time_ms, importance, count)
    return key


@given(decays, importances, histories, importances, histories, times, times)
def test_order_does_not_change_with_time(
    decay: Decay,
    one: float,
    its: list[tuple[int, int]],
    other: float,
    others: list[tuple[int, int]],
    now_ms: int,
    later_ms: int,
) -> None:
    """Of two slots the one with the higher key has the higher score now and at any later time."""
    a, b = _key(decay, one, its), _key(decay, other, others)
    assume(abs(a - b) > 1e-6 * max(abs(a), abs(b), 1))
    for time_ms in (now_ms, later_ms):
        assert (decay.score(a, time_ms) > decay.score(b, time_ms)) == (a > b)


@given(histories, times)
def test_a_key_is_the_decayed_count(history: list[tuple[int, int]], now_ms: int) -> None:
    """Without importance, the score is the logarithm of all accesses, each halved for every half-life that passed since."""
    (first_ms, _), *later = history
    now_ms = max(now_ms, history[-1][0])
    accesses = [(first_ms, 1), *later]
    count = sum(count * 0.5 ** ((now_ms - time_ms) / DECAY.half_life_ms) for time_ms, count in accesses)
    assume(count > 1e-300)
    assert DECAY.score(_key(DECAY, 0.0, history), now_ms) == pytest.approx(math.log(count), abs=1e-6)


@given(decays, importances, times, st.integers(0, 4000 * DAY_MS))
def test_score_falls_as_time_passes(decay: Decay, importance: float, time_ms: int, passed_ms: int) -> None:
    """A slot that nobody reads loses score, ln 2 each half-life."""
    key = decay.first(time_ms, importance)
    lost = decay.score(key, time_ms) - decay.score(key, time_ms + passed_ms)
    assert lost == pytest.approx(math.log(2) * passed_ms / decay.half_life_ms, rel=1e-6, abs=1e-6 * max(abs(key), 1))
    assert lost >= 0


@given(decays, importances, histories, times, st.integers(1, 1000))
def test_an_access_never_lowers_a_key(
    decay: Decay, importance: float, history: list[tuple[int, int]], time_ms: int, count: int
) -> None:
    """Reading a slot raises its rank or, when the access is too old to count, leaves it."""
    key = _key(decay, importance, history)
    assert decay.accessed(key, time_ms, importance, count) >= key - 1e-9 * max(abs(key), 1)


@given(decays, importances, times, times, st.integers(2, 30))
def test_accesses_may_be_counted_together(
    decay: Decay, importance: float, first_ms: int, time_ms: int, count: int
) -> None:
    """A batch of accesses at one time moves the key as far as the same accesses one by one."""
    key = decay.first(first_ms, importance)
    together = decay.accessed(key, time_ms, importance, count)
    for _ in range(count):
        key = decay.accessed(key, time_ms, importance)
    assert key == pytest.approx(together, rel=1e-9, abs=1e-9)


@given(decays, importances, importances, histories)
def test_changing_importance_back_restores_the_key(
    decay: Decay, old: float, new: float, history: list[tuple[int, int]]
) -> None:
    """The importance is a bonus apart from the accesses: a changed one can be changed back, and counts as if always given."""
    key = _key(decay, old, history)
    changed = decay.reweighed(key, old, new)
    assert changed == pytest.approx(_key(decay, new, history), rel=1e-9, abs=1e-9)
    assert decay.reweighed(changed, new, old) == pytest.approx(key, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("half_life_ms", [1, DAY_MS, 2**53])
@pytest.mark.parametrize("then_ms", FAR)
@pytest.mark.parametrize("now_ms", FAR)
def test_far_times_stay_finite(half_life_ms: int, then_ms: int, now_ms: int) -> None:
    """Neither a clock that is far off nor a short half-life makes a key infinite, or an access lower it."""
    decay = Decay(half_life_ms=half_life_ms)
    key = decay.first(then_ms, 1.0)
    accessed = decay.accessed(key, now_ms, 1.0, 2**40)
    assert math.isfinite(accessed)
    assert accessed >= key - 1e-9 * abs(key)
    assert math.isfinite(decay.score(accessed, now_ms))


def test_importance_is_worth_sixteen_times_the_accesses() -> None:
    """By default a slot of importance 1 stands level with one of importance 0 that was accessed sixteen times as often."""
    plain = DECAY.accessed(DECAY.first(LANDMARK_MS, 0.0), LANDMARK_MS, 0.0, 15)
    assert DECAY.first(LANDMARK_MS, 1.0) == pytest.approx(plain)
