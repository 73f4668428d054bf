"""Taking expired slots out of the store: they are invisible already, and get their revision here."""

from __future__ import annotations

import time
from collections.abc import Sequence

from memslot_sidecar.call import new_event_id
from memslot_sidecar.model import SYSTEM, CallInfo, Change, SlotChange, SlotRecord
from memslot_sidecar.stores.base import Transaction

PORTION = 500


def live_slot(tx: Transaction, namespace: str, name: str) -> SlotRecord | None:
    """The live slot of that name; an expired one that is found instead is reaped."""
    record = tx.slot(namespace, name)
    if record is None or record.live(tx.now_ms):
        return record
    reap(tx, namespace, [record])
    return None


def reap(tx: Transaction, namespace: str, expired: Sequence[SlotRecord]) -> None:
    """Removes expired slots of one namespace under one revision."""
    revision = tx.next_revision()
    for record in expired:
        tx.remove(record)
    changes = [SlotChange(record.name, Change.EXPIRED, record.revision, record.body_bytes) for record in expired]
    tx.emit(revision, namespace, _own_call(), changes, "EXPIRED")


def reap_all(tx: Transaction, namespace: str | None, limit: int) -> None:
    """Removes up to ``limit`` expired slots of a namespace, or of all."""
    expired = [record for record in tx.expired(namespace, limit) if tx.slot(record.namespace, record.name) == record]
    for path in dict.fromkeys(record.namespace for record in expired):
        reap(tx, path, [record for record in expired if record.namespace == path])


def _own_call() -> CallInfo:
    return CallInfo(new_event_id(), "Expire", SYSTEM, time.time_ns() // 1_000_000)
