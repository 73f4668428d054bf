"""Running a mutation: once per request id, to its end though the caller went away, and noted for the audit event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from memslot_sidecar.call import Call
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.fencing import check_fences
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.stores.base import Decide, Transaction

T = TypeVar("T")


async def mutate(
    ctx: Context, call: Call, once: Once | None, decide: Decide[T], note: Callable[[T], None]
) -> T | Repeated:
    """Runs ``decide`` atomically, unless ``once`` was answered before. ``note`` tells ``call`` what happened.

    Raises StaleAttempt in the namespace of a task's attempt that is over. When the caller is cancelled meanwhile, the commit is waited for and noted all the same, so that the audit event is true.
    """

    def run(tx: Transaction) -> T | Repeated:
        if once is None:
            check_fences(tx, call.namespace)
            return decide(tx)
        repeated = once.recall(tx, ctx.store, call)
        if repeated is not None:
            return repeated
        check_fences(tx, call.namespace)
        result = decide(tx)
        once.keep(tx, ctx.store, call, result)
        return result

    def noted(result: T | Repeated) -> None:
        if isinstance(result, Repeated):
            call.repeated = True
            call.outcome = "REPEATED"
        else:
            note(result)

    return await settled(ctx, run, noted)


async def settled(ctx: Context, decide: Decide[T], note: Callable[[T], None]) -> T:
    """The result of a transaction, which is noted before it is returned, and also before a cancellation is passed on."""
    commit = ctx.store.transact(decide)
    try:
        result = await commit
    except asyncio.CancelledError:
        if commit.done() and not commit.cancelled() and commit.exception() is None:
            note(commit.result())
        raise
    note(result)
    return result
