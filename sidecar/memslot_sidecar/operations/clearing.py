"""Emptying the namespaces of attempts that are over, and letting go of tasks of which nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from memslot_sidecar.call import Call
from memslot_sidecar.model import SYSTEM, Change, Sealed, SlotChange, TaskOutcome
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.fencing import attempt_path
from memslot_sidecar.operations.forget_matching import PORTION, forget_records
from memslot_sidecar.operations.mutate import settled
from memslot_sidecar.operations.reaping import reap_all
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Order, Query, Transaction

KEPT_MS = 86_400_000
"""How long a task is remembered after it ended, or after nothing of it was left: until then a late attempt is refused."""
_TASKS = 100
_SPACES = 100


async def clear_due(ctx: Context) -> None:
    """Does what is due about tasks: the server's upkeep."""
    while True:
        due = await ctx.store.tasks_due(_TASKS)
        for record in due:
            if record.task is not None and record.task.sealed:
                await clear_task(ctx, record.path)
        await asyncio.gather(*(ctx.store.transact(partial(_let_go, ctx, record.path)) for record in due))
        if len(due) < _TASKS:
            return


async def clear_task(ctx: Context, task: str, call: Call | None = None) -> None:
    """Forgets what sealed attempts of a task hold whose time has come. ``call`` is whose event tells it; None is the server's own."""
    found = ctx.store.namespace(task)
    while found is not None and found.task is not None and found.task.sealed:
        if found.task.due_ms > ctx.store.now_ms():
            return
        erasing = any(ctx.settings(attempt_path(task, one.attempt)).erase_on_forget for one in found.task.sealed)
        await settled(ctx, partial(_clear_portion, ctx, call, task), partial(_note, call))
        await wiped(ctx, wanted=erasing)
        found = ctx.store.namespace(task)


def _clear_portion(ctx: Context, call: Call | None, task: str, tx: Transaction) -> int:
    found = tx.namespace(task)
    if found is None or found.task is None:
        return 0
    before, state = tx.revision, found.task
    left = [one for one in state.sealed if one.clear_ms > tx.now_ms]
    due = [one.attempt for one in state.sealed if one.clear_ms <= tx.now_ms]
    left += cleared(tx, ctx, call, task, due)
    tx.put_namespace(replace(found, task=replace(state, sealed=tuple(left))))
    return tx.revision if tx.revision > before else 0


def _note(call: Call | None, revision: int) -> None:
    if call is not None and revision:
        call.recorded, call.revision = True, revision


def cleared(tx: Transaction, ctx: Context, call: Call | None, task: str, attempts: Sequence[int]) -> Sequence[Sealed]:
    """Empties the namespaces of attempts, as far as a transaction should, and answers with those that are not empty yet."""
    return [Sealed(one, tx.now_ms) for one in attempts if not _emptied(tx, ctx, call, attempt_path(task, one))]


def _emptied(tx: Transaction, ctx: Context, call: Call | None, path: str) -> bool:
    """Forgets the slots of a namespace and those below it, their settings and tasks, in a portion. Answers whether that was all."""
    spaces = tx.within(path, _SPACES)
    room = PORTION
    for space in spaces:
        if space.slot_count:
            forgotten, more = _forgotten(tx, ctx, call, space.path, room)
            room -= forgotten
            if more or not room:
                return False
        if space.configured:
            tx.remove_namespace(space.path)
            change = SlotChange("", Change.DELETED)
            tx.emit(tx.next_revision(), space.path, (call or _own_call()).info, [change], "DELETED")
        if space.task is not None and (kept := tx.namespace(space.path)) is not None:
            tx.put_namespace(replace(kept, task=None))
    return len(spaces) < _SPACES


def _forgotten(tx: Transaction, ctx: Context, call: Call | None, path: str, room: int) -> tuple[int, bool]:
    """Forgets up to ``room`` slots of one namespace. Answers how many, and whether there are more."""
    reap_all(tx, path, PORTION)
    page = tx.matching(Query(path, order=Order.NAME, names_only=False, limit=room))
    found = [item.record for item in page.items if item.record is not None]
    # The page does not know what this very transaction moved away.
    there = [record for record in found if tx.slot(path, record.name) == record]
    if there:
        forget_records(tx, call or _own_call(), path, there)
        if ctx.settings_in(tx, path).erase_on_forget:
            tx.request_erase()
    return len(found), page.more


def _let_go(ctx: Context, path: str, tx: Transaction) -> None:
    """Forgets a task when it has ended, or nothing of it is left, for long enough; puts it off otherwise."""
    found = tx.namespace(path)
    state = None if found is None else found.task
    if found is None or state is None or state.due_ms > tx.now_ms or state.sealed:
        return
    own = attempt_path(path, state.attempt)
    if state.ended is TaskOutcome.UNSPECIFIED and not is_free(tx, own):
        tx.put_namespace(replace(found, task=replace(state, forget_ms=tx.now_ms + KEPT_MS)))
    elif _emptied(tx, ctx, None, own):
        tx.put_namespace(replace(found, task=None))


def is_free(tx: Transaction, path: str) -> bool:
    """Whether a namespace and those below it hold neither a live slot nor a task."""
    for space in tx.within(path, _SPACES):
        if space.slot_count:
            reap_all(tx, space.path, PORTION)
        kept = tx.namespace(space.path)
        if kept is not None and (kept.slot_count or kept.task):
            return False
    return True


def _own_call() -> Call:
    return Call("ClearTask", SYSTEM)
