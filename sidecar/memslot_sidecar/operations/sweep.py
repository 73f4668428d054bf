"""Sweep: reclaims what has expired, a portion at a time."""

from __future__ import annotations

from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.reaping import PORTION, reap
from memslot_sidecar.stores.base import Transaction


async def sweep_all(ctx: Context, namespace: str | None = None) -> None:
    """Removes all expired slots, of one namespace or of all, in portions."""
    while await sweep(ctx, namespace) >= PORTION:
        pass


async def sweep(ctx: Context, namespace: str | None = None) -> int:
    """Removes up to 500 expired slots, one revision a namespace; returns how many, so that a full portion is followed by another."""

    def decide(tx: Transaction) -> int:
        expired = tx.expired(namespace, PORTION)
        for path in dict.fromkeys(record.namespace for record in expired):
            reap(tx, path, [record for record in expired if record.namespace == path])
            if ctx.settings_in(tx, path).erase_on_forget:
                tx.request_erase()
        return len(expired)

    return await ctx.store.transact(decide)
