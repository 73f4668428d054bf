"""Making room: the limits of a namespace, of a root and of the store, at one place."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memslot_sidecar import names
from memslot_sidecar.errors import SlotLimitReached, StoreFull
from memslot_sidecar.model import EffectiveSettings, Overflow, SlotRecord
from memslot_sidecar.operations.reaping import PORTION, reap_all
from memslot_sidecar.rules import UNLIMITED, Limits
from memslot_sidecar.stores.base import Transaction

NEAR = 0.8
_REAP_EVERYWHERE = 10_000


@dataclass(frozen=True, slots=True)
class Demand:
    """What a mutation adds to one namespace, before eviction."""

    namespace: str
    slots: int
    stored_bytes: int
    touched: Collection[str]


@dataclass(frozen=True, slots=True)
class Room:
    """Which slots make room, and whether the namespace is nearly full afterwards."""

    evicted: Sequence[SlotRecord]
    near_limit: bool


def make_room(tx: Transaction, demand: Demand, settings: EffectiveSettings, limits: Limits) -> Room:
    """Reaps and picks slots to evict until the demand fits. Raises SlotLimitReached or StoreFull."""
    evicted: Sequence[SlotRecord] = ()
    found = tx.namespace(demand.namespace)
    count = demand.slots + (0 if found is None else found.slot_count)
    if demand.slots > 0 and count >= settings.slot_limit * NEAR:
        reap_all(tx, demand.namespace, max(PORTION, count - settings.slot_limit))
        found = tx.namespace(demand.namespace)
        count = demand.slots + (0 if found is None else found.slot_count)
        if count > settings.slot_limit:
            evicted = _evict(tx, demand, settings, count)
    if limits != UNLIMITED:
        if found is None:
            check_namespace_limit(tx, demand.namespace, limits)
        _check_bytes(tx, demand, limits, sum(record.body_bytes for record in evicted))
    near = settings.overflow is Overflow.REJECT and count - len(evicted) >= settings.slot_limit * NEAR
    return Room(evicted, near)


def _evict(tx: Transaction, demand: Demand, settings: EffectiveSettings, count: int) -> Sequence[SlotRecord]:
    """Slots to evict from a namespace that would hold ``count``. Where the limit was lowered far, a portion goes with each call."""
    needed = min(count - settings.slot_limit, demand.slots + PORTION)
    if settings.overflow is Overflow.EVICT_LOWEST_RANK:
        found = tx.lowest_ranked(demand.namespace, needed, demand.touched)
        if len(found) == needed:
            return found
        why = "and no more slots may be evicted (pinned, or part of this call)"
    else:
        why = "and its overflow policy is REJECT"
    used = count - demand.slots
    raise SlotLimitReached(
        f"namespace '{demand.namespace}' holds {used} of {settings.slot_limit} slots, {why}: "
        "forget some, raise slot_limit, or set overflow to EVICT_LOWEST_RANK",
        metadata={"limit": str(settings.slot_limit), "used": str(used)} | _lowest(tx, demand),
    )


def _lowest(tx: Transaction, demand: Demand) -> dict[str, str]:
    lowest = tx.lowest_ranked(demand.namespace, 3, demand.touched)
    return {"lowest_ranked": json.dumps([record.name for record in lowest], ensure_ascii=False)}


def check_namespace_limit(tx: Transaction, path: str, limits: Limits) -> None:
    """Raises StoreFull when one more namespace is more than the server allows. Those that only hold expired slots do not count."""
    root = names.root(path)
    for bound, limit, of in (
        ("namespace_limit", limits.namespace_limit, None),
        ("namespace_limit_per_root", limits.namespace_limit_per_root, root),
    ):
        if limit is None or tx.usage(of).namespaces < limit:
            continue
        reap_all(tx, None, _REAP_EVERYWHERE)
        used = tx.usage(of).namespaces
        if used >= limit:
            raise StoreFull(
                f"there are {used} of {limit} namespaces{_of(of)}: delete one, or raise {bound} on the server",
                metadata={"bound": bound, "limit": str(limit), "used": str(used)},
            )


def _check_bytes(tx: Transaction, demand: Demand, limits: Limits, freed: int) -> None:
    if demand.stored_bytes <= 0:
        return
    root = names.root(demand.namespace)
    for bound, limit, of in (
        ("store_limit_bytes", limits.store_limit_bytes, None),
        ("store_limit_bytes_per_root", limits.store_limit_bytes_per_root, root),
    ):
        if limit is None or tx.usage(of).stored_bytes + demand.stored_bytes - freed <= limit:
            continue
        reap_all(tx, None, _REAP_EVERYWHERE)
        used = tx.usage(of).stored_bytes
        if used + demand.stored_bytes - freed > limit:
            raise StoreFull(
                f"bodies take {used} of {limit} bytes{_of(of)}, {demand.stored_bytes} more do not fit: "
                f"forget some, or raise {bound} on the server",
                metadata={"bound": bound, "limit": str(limit), "used": str(used)} | _lowest(tx, demand),
            )


def _of(root: str | None) -> str:
    return "" if root is None else f" below root '{root}'"
