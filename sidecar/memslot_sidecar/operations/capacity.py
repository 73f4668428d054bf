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
    touched: Collection[str]


@dataclass(frozen=True, slots=True)
class Room:
    """Which slots make room, and whether the namespace is nearly full afterwards."""

    evicted: Sequence[SlotRecord]
    near_limit: bool


def make_room(tx: Transaction, demand: Demand, settings: EffectiveSettings, limits: Limits) -> Room:
    """Reaps and picks slots to evict until the demand fits. Raises SlotLimitReached, or StoreFull for one namespace too many."""
    evicted: Sequence[SlotRecord] = ()
    found = tx.namespace(demand.namespace)
    count = demand.slots + (0 if found is None else found.slot_count)
    if demand.slots > 0 and count >= settings.slot_limit * NEAR:
        reap_all(tx, demand.namespace, max(PORTION, count - settings.slot_limit))
        found = tx.namespace(demand.namespace)
        count = demand.slots + (0 if found is None else found.slot_count)
        if count > settings.slot_limit:
            evicted = _evict(tx, demand, settings, count)
    if found is None:
        check_namespace_limit(tx, demand.namespace, limits)
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


@dataclass(frozen=True, slots=True)
class ByteBound:
    """A bound on the bytes of the store (``root`` None) or of one root, and how many were ``used`` before the mutation."""

    name: str
    limit: int
    root: str | None
    used: int


def byte_bounds(tx: Transaction, namespace: str, limits: Limits) -> Sequence[ByteBound]:
    """The bounds that the server sets, to be checked when the mutation's changes are made."""
    if limits == UNLIMITED:
        return ()
    root = names.root(namespace)
    wanted = (
        ("store_limit_bytes", limits.store_limit_bytes, None),
        ("store_limit_bytes_per_root", limits.store_limit_bytes_per_root, root),
    )
    return [ByteBound(name, limit, of, tx.usage(of).stored_bytes) for name, limit, of in wanted if limit is not None]


def check_bytes(tx: Transaction, bounds: Sequence[ByteBound], demand: Demand) -> None:
    """Raises StoreFull when the changes so far, versions dropped and slots evicted included, add bytes beyond a bound."""
    for bound in bounds:
        stored = tx.usage(bound.root).stored_bytes
        added = stored - bound.used
        if added <= 0 or stored <= bound.limit:
            continue
        reap_all(tx, None, _REAP_EVERYWHERE)
        stored = tx.usage(bound.root).stored_bytes
        if stored > bound.limit:
            used = stored - added
            raise StoreFull(
                f"bodies take {used} of {bound.limit} bytes{_of(bound.root)}, {added} more do not fit: "
                f"forget some, or raise {bound.name} on the server",
                metadata={"bound": bound.name, "limit": str(bound.limit), "used": str(used)} | _lowest(tx, demand),
            )


def _of(root: str | None) -> str:
    return "" if root is None else f" below root '{root}'"
