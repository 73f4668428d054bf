"""Emptying the namespaces of attempts that are over, and letting go of tasks of which nothing is left."""

from __future__ import annotations

from dataclasses import replace

from memslot_sidecar.call import Call
from memslot_sidecar.model import SYSTEM, NamespaceRecord, TaskOutcome, TaskState
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.fencing import attempt_path
from memslot_sidecar.operations.forget_matching import PORTION, forget_records
from memslot_sidecar.operations.mutate import settled
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Order, Query, Transaction

KEPT_MS = 86_400_000
"""How long a task is remembered after it ended, or after nothing of it was left: until then a late attempt is refused."""
_TASKS = 100


async def clear_due(ctx: Context) -> None:
    """Does what is due about tasks: the server's upkeep."""
    while True:
        due = await ctx.store.tasks_due(_TASKS)
        for record in due:
            await clear_attempts(ctx, record.path)
            await _let_go(ctx, record)
        if len(due) < _TASKS:
            return


async def clear_attempts(ctx: Context, task: str, call: Call | None = None) -> None:
    """Forgets what the sealed attempts of a task hold, when that is due. ``call`` is whose event tells it; None is the server's own."""
    record = ctx.store.namespace(task)
    state = None if record is None else record.task
    if state is None or not state.sealed or state.due_ms is None or state.due_ms > ctx.store.now_ms():
        return
    erasing = ctx.settings(task).erase_on_forget
    for attempt in state.sealed:
        await _empty(ctx, attempt_path(task, attempt), call)

    def decide(tx: Transaction) -> None:
        found = tx.namespace(task)
        if found is None or found.task is None:
            return
        now = found.task
        left = tuple(attempt for attempt in now.sealed if attempt not in state.sealed)
        after = replace(now, sealed=left, due_ms=now.due_ms if left else tx.now_ms + KEPT_MS)
        tx.put_namespace(replace(found, task=after))

    await ctx.store.transact(decide)
    await wiped(ctx, wanted=erasing)


async def _empty(ctx: Context, path: str, call: Call | None) -> None:
    """Forgets all slots of a namespace and those below it, in portions of 500, a revision a namespace."""
    query = Query(path, recursive=True, order=Order.NAME, names_only=False, limit=PORTION)
    more = True
    while more:
        told = call or _own_call()

        def decide(tx: Transaction, told: Call = told) -> bool:
            page = tx.matching(query)
            found = [item.record for item in page.items if item.record is not None]
            for namespace in dict.fromkeys(record.namespace for record in found):
                forget_records(tx, told, namespace, [record for record in found if record.namespace == namespace])
                if ctx.settings_in(tx, namespace).erase_on_forget:
                    tx.request_erase()
            return page.more

        more = await settled(ctx, decide, lambda _: None)


async def _let_go(ctx: Context, record: NamespaceRecord) -> None:
    """Removes a task's record when it has ended, or nothing of it is left, for long enough; puts it off otherwise."""
    page = await ctx.store.lookup(Query(record.path, recursive=True, limit=1))
    left = bool(page.items)

    def decide(tx: Transaction) -> None:
        found = tx.namespace(record.path)
        state = None if found is None else found.task
        if found is None or state is None or state.sealed or state.due_ms is None or state.due_ms > tx.now_ms:
            return
        running = state.ended is TaskOutcome.UNSPECIFIED
        kept = TaskState(state.attempt, state.ended, (), tx.now_ms + KEPT_MS) if running and left else None
        tx.put_namespace(replace(found, task=kept))

    await ctx.store.transact(decide)


def _own_call() -> Call:
    return Call("ClearTask", SYSTEM)
