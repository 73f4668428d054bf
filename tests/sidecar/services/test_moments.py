"""Times between nanoseconds and milliseconds."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from memslot.v1.filter_pb2 import Filter, TimeRange
from memslot_index.filters import TimeIn
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.services.filter_parsing import parse_filter
from memslot_sidecar.services.moments import LAST_MS, fill_duration, fill_timestamp, moment_ms, span_ms

NANOS = st.integers(0, 999_999_999)
NEAR = st.builds(Timestamp, seconds=st.integers(1_796_000_000, 1_796_000_001), nanos=NANOS)


@given(st.integers(-62_135_596_800_000, LAST_MS))
def test_a_moment_goes_there_and_back(time_ms: int) -> None:
    """Every millisecond of the years 1 to 9999 survives the way to a message and back."""
    message = Timestamp()
    fill_timestamp(message, time_ms)
    assert moment_ms(message, "t") == time_ms == message.ToMilliseconds()


@given(st.integers(0, 315_576_000_000_000))
def test_a_span_goes_there_and_back(ms: int) -> None:
    """Every span of up to 10,000 years survives the way to a message and back."""
    message = Duration()
    fill_duration(message, ms)
    assert span_ms(message, "d") == ms


@pytest.mark.parametrize(
    ("seconds", "nanos", "ms"),
    [(0, 1, 1), (0, 999_999, 1), (0, 1_000_001, 2), (0, -1, 0), (-1, -1, -1000), (1, 0, 1000)],
)
def test_a_span_is_rounded_up(seconds: int, nanos: int, ms: int) -> None:
    """A positive span of less than a millisecond is one millisecond, never none; a negative one does not become positive."""
    assert span_ms(Duration(seconds=seconds, nanos=nanos), "d") == ms


def test_the_last_moment_stays_in_the_year_9999() -> None:
    """Rounding up does not leave the range that a reply can tell."""
    assert moment_ms(Timestamp(seconds=253_402_300_799, nanos=999_999_999), "t") == LAST_MS


@given(NEAR, NEAR, st.integers(1_796_000_000_000, 1_796_000_002_000))
def test_a_range_means_what_its_nanoseconds_say(low: Timestamp, high: Timestamp, slot_ms: int) -> None:
    """A slot's millisecond lies in the parsed range exactly when it lies in the half-open range that was sent."""
    low, high = sorted((low, high), key=Timestamp.ToNanoseconds)
    parsed = parse_filter(Filter(created=TimeRange(**{"from": low}, until=high)))
    assert isinstance(parsed, TimeIn)
    assert parsed.from_ms is not None
    assert parsed.until_ms is not None
    at = Fraction(slot_ms) * 1_000_000
    assert (parsed.from_ms <= slot_ms < parsed.until_ms) == (low.ToNanoseconds() <= at < high.ToNanoseconds())


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**31), 2**31 - 1))
def test_any_pair_of_numbers_is_a_time_or_refused(seconds: int, nanos: int) -> None:
    """Whatever was sent becomes a time that replies can tell, or an InvalidField."""
    message = Timestamp()
    with suppress(InvalidField):
        fill_timestamp(message, moment_ms(Timestamp(seconds=seconds, nanos=nanos), "t"))
    message.ToJsonString()
