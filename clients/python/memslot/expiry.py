"""How long a slot lives: a span, a point in time, or never."""

from __future__ import annotations

import enum
import math
from datetime import datetime, timedelta
from typing import Final, Literal


class Forever(enum.Enum):
    """The type of :data:`NEVER`."""

    NEVER = "never"


NEVER: Final = Forever.NEVER
"""As a slot's ``ttl``: it does not expire."""


class Inherited(enum.Enum):
    """The type of :data:`INHERIT`."""

    INHERIT = "inherit"


INHERIT: Final = Inherited.INHERIT
"""As a namespace's setting: take it from the namespaces above and the server again."""

Seconds = timedelta | float
Ttl = timedelta | float | Literal[Forever.NEVER] | None


def span(value: Seconds, what: str) -> timedelta:
    """Return ``value`` (seconds, or a timedelta) as a timedelta.

    Raises TypeError for anything else, such as ``"1h"``, ValueError when it is not a finite number that fits.
    """
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, int | float):
        raise TypeError(f"{what} is a number of seconds or a timedelta, not {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number of seconds; for a slot that stays use memslot.NEVER")
    try:
        return timedelta(seconds=value)
    except OverflowError:
        raise ValueError(
            f"{what} of {value} seconds is out of range; for a slot that stays use memslot.NEVER"
        ) from None


def aware(value: datetime, what: str) -> datetime:
    """Return ``value``. Raises ValueError for a datetime without a time zone, which names no point in time."""
    if value.tzinfo is None or value.utcoffset() is None:
        raise ValueError(
            f"{what} has no time zone: use datetime(..., tzinfo=timezone.utc) or datetime.now(timezone.utc)"
        )
    return value
