"""Arguments that several commands read alike."""

from __future__ import annotations

import argparse
from datetime import datetime, timedelta, timezone

import memslot
from memslot.results import AttributeValue
from memslot_sidecar import quantities


def span(text: str) -> timedelta:
    """A time such as 90s, 24h or 7d."""
    try:
        return timedelta(seconds=quantities.seconds(0.001)(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} {error}") from None


def size(text: str) -> int:
    """A size such as 4096 or 64KiB."""
    try:
        return quantities.size(1)(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} {error}") from None


def truth(text: str) -> bool:
    """Yes or no."""
    try:
        return quantities.truth(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} {error}") from None


def since(text: str) -> datetime:
    """A point in time: a span before now (2h), or an ISO date or time, by default in the local zone."""
    try:
        return datetime.now(timezone.utc) - timedelta(seconds=quantities.seconds()(text))
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: write 2h, 2026-11-30 or 2026-11-30T12:00") from None


def order(text: str) -> memslot.Order:
    """An order of the lookup by its name."""
    names = [known.name.lower() for known in memslot.Order if known]
    if text.lower() not in names:
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(names)}")
    return memslot.Order[text.upper()]


def origin(text: str) -> memslot.Origin:
    """An origin by its name."""
    names = [known.name.lower() for known in memslot.Origin if known]
    if text.lower() not in names:
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(names)}")
    return memslot.Origin[text.upper()]


def attribute(text: str) -> tuple[str, AttributeValue]:
    """KEY=VALUE, where true, false and numbers are what they look like and quotes make text of them."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    if value in ("true", "false"):
        return key, value == "true"
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return key, value[1:-1] if quoted else value
