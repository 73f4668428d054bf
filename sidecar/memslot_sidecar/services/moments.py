"""Times and spans: protobuf's nanoseconds against the domain's integer milliseconds.

Both directions of rounding are upwards. A slot then lives at least as long as was asked, a positive time to live never becomes zero, and,
since the times of slots are whole milliseconds, ``t < ceil(x)`` and ``t >= ceil(x)`` are exactly ``t < x`` and ``t >= x``.
"""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from memslot_sidecar.errors import InvalidField

_FIRST_S, _LAST_S = -62_135_596_800, 253_402_300_799
LAST_MS = _LAST_S * 1000 + 999
"""The last millisecond of the year 9999, where timestamps end."""
_SPAN_S = 315_576_000_000
_NANOS = 1_000_000_000


def moment_ms(moment: Timestamp, field: str, error: type[InvalidField] = InvalidField) -> int:
    """UTC milliseconds, rounded up. Raises ``error`` outside of the years 1 to 9999, or when nanos is not within a second."""
    return min(-(-moment_ns(moment, field, error) // 1_000_000), LAST_MS)


def moment_ns(moment: Timestamp, field: str, error: type[InvalidField] = InvalidField) -> int:
    """UTC nanoseconds. Raises ``error`` as :func:`moment_ms`."""
    if not _FIRST_S <= moment.seconds <= _LAST_S:
        raise error(f"{field}.seconds lies outside of the years 1 to 9999", field=f"{field}.seconds")
    if not 0 <= moment.nanos < _NANOS:
        raise error(f"{field}.nanos must be between 0 and 999,999,999", field=f"{field}.nanos")
    return moment.seconds * _NANOS + moment.nanos


def span_ms(span: Duration, field: str) -> int:
    """Milliseconds, rounded up. Raises InvalidField beyond 10,000 years, or when nanos is not within a second of the same sign."""
    if not -_SPAN_S <= span.seconds <= _SPAN_S:
        raise InvalidField(f"{field}.seconds is more than 10,000 years", field=f"{field}.seconds")
    if abs(span.nanos) >= _NANOS or span.seconds * span.nanos < 0:
        raise InvalidField(
            f"{field}.nanos must be less than a second, with the sign of seconds", field=f"{field}.nanos"
        )
    return -(-(span.seconds * _NANOS + span.nanos) // 1_000_000)


def fill_timestamp(message: Timestamp, time_ms: int) -> None:
    """Sets a message of a reply to UTC milliseconds."""
    message.seconds, ms = divmod(time_ms, 1000)
    message.nanos = ms * 1_000_000


def fill_duration(message: Duration, span_ms: int) -> None:
    """Sets a message of a reply to a span of zero or more milliseconds."""
    message.seconds, ms = divmod(span_ms, 1000)
    message.nanos = ms * 1_000_000
