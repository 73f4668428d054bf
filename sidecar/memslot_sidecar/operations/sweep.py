"""Sweep: reclaims what has expired, a portion at a time."""

from __future__ import annotations

from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.reaping import PORTION, reap
from memslot_sidecar.stores.base import Transaction


async def sweep(ctx: Context) -> int:
    """Removes up to 500 expired slots, one revision a namespace; returns how many, so that a full portion is followed by another."""

    def decide(tx: Transaction) -> int:
        expired = tx.expired(None, PORTION)
        for namespace in dict.fromkeys(record.namespace for record in expired):
            reap(tx, namespace, [record for record in expired if record.namespace == namespace])
            if ctx.settings_in(tx, namespace).erase_on_forget:
                tx.request_erase()
        return len(expired)

    return await ctx.store.transact(decide)
