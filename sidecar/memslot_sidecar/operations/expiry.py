"""When a slot ceases to be visible."""

from __future__ import annotations

from dataclasses import dataclass

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import EffectiveSettings, Lifetime, SlotRecord
from memslot_sidecar.operations.commands import ExpireAt, Expiry, Never, Ttl
from memslot_sidecar.rules import TTL_CEILING_MS


@dataclass(frozen=True, slots=True)
class Resolved:
    """An expiry, the choice behind it (so that it can be renewed), and whether ttl_max cut it short."""

    expire_ms: int | None
    lifetime: Lifetime
    ttl_ms: int | None
    clamped: bool = False


def resolve(
    chosen: Expiry | None, previous: SlotRecord | None, settings: EffectiveSettings, now_ms: int, field: str = ""
) -> Resolved:
    """The expiry of a slot that is written at ``now_ms``. ``field`` is the path of the message that holds the choice.

    Raises InvalidField for a time to live of zero or less and for a point in the past.
    """
    lifetime, ttl_ms, expire_ms = _wanted(chosen, previous, settings, now_ms, field)
    latest = None if settings.ttl_max_ms is None else now_ms + settings.ttl_max_ms
    if latest is not None and (expire_ms is None or expire_ms > latest):
        return Resolved(latest, lifetime, ttl_ms, clamped=lifetime is not Lifetime.DEFAULT)
    return Resolved(expire_ms, lifetime, ttl_ms)


def renewed(record: SlotRecord, settings: EffectiveSettings, now_ms: int) -> int | None:
    """The expiry after a read that renews it; a slot that expires at a fixed time or never keeps its own."""
    if record.lifetime in (Lifetime.UNTIL, Lifetime.NEVER):
        return record.expire_ms
    return resolve(None, record, settings, now_ms).expire_ms


def _wanted(
    chosen: Expiry | None, previous: SlotRecord | None, settings: EffectiveSettings, now_ms: int, field: str
) -> tuple[Lifetime, int | None, int | None]:
    if chosen is None:
        return _again(previous, settings, now_ms)
    match chosen:
        case Ttl(ms) if ms <= 0:
            raise InvalidField(
                f"{field}ttl is zero or less: give a time from now, or forget the slot", field=f"{field}ttl"
            )
        case Ttl(ms):
            ms = min(ms, TTL_CEILING_MS)
            return Lifetime.TTL, ms, now_ms + ms
        case ExpireAt(time_ms) if time_ms <= now_ms:
            raise InvalidField(
                f"{field}expire_time lies in the past: give a later time, or forget the slot",
                field=f"{field}expire_time",
            )
        case ExpireAt(time_ms):
            return Lifetime.UNTIL, None, time_ms
        case Never():
            return Lifetime.NEVER, None, None


def _again(
    previous: SlotRecord | None, settings: EffectiveSettings, now_ms: int
) -> tuple[Lifetime, int | None, int | None]:
    """The choice that the slot was written with, counted from now."""
    if previous is None or previous.lifetime is Lifetime.DEFAULT:
        return Lifetime.DEFAULT, None, now_ms + settings.ttl_default_ms
    if previous.lifetime is Lifetime.TTL and previous.ttl_ms is not None:
        return Lifetime.TTL, previous.ttl_ms, now_ms + previous.ttl_ms
    if previous.lifetime is Lifetime.NEVER:
        return Lifetime.NEVER, None, None
    return Lifetime.UNTIL, None, previous.expire_ms
