"""How long a search waits for an index that is behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_sidecar.finding.readiness import patience_s


@pytest.mark.parametrize(("left_s", "patience"), [(-1.0, 0.0), (0.01, 0.0), (0.1, 0.08), (2.0, 1.8), (60.0, 59.5)])
def test_time_is_left_for_the_answer(left_s: float, patience: float) -> None:
    """On a slow machine or a long way too, the caller hears how far the index is, and not only that its time is over."""
    assert patience_s(left_s) == pytest.approx(patience)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_who_gives_more_time_is_waited_for_longer(one: float, other: float) -> None:
    """A longer deadline never makes an index look further behind."""
    assert patience_s(min(one, other)) <= patience_s(max(one, other))
