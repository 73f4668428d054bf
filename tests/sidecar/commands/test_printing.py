"""How results look."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memslot_sidecar.commands import printing


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(days=7), "in 7d"),
        (timedelta(days=6, hours=23), "in 6d 23h"),
        (timedelta(hours=24), "in 24h"),
        (timedelta(hours=1, minutes=30), "in 1h 30m"),
        (timedelta(minutes=5), "in 5m"),
        (timedelta(seconds=45), "in 45s"),
        (timedelta(seconds=-3), "in 0s"),
    ],
)
def test_what_is_left_is_said_as_it_was_given(left: timedelta, said: str) -> None:
    """The moment between a write and its report takes no minute away from what is left."""
    assert printing.remaining(datetime.now(timezone.utc) + left - timedelta(milliseconds=20)) == said


@pytest.mark.parametrize(("count", "said"), [(0, "0 slots"), (1, "1 slot"), (2000, "2,000 slots")])
def test_a_number_of_things(count: int, said: str) -> None:
    """One is singular."""
    assert printing.counted(count, "slot") == said
