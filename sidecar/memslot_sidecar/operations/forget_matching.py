"""ForgetMatching: removes all slots that match, in portions, each with a revision of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, TooManyMatches
from memslot_sidecar.model import Change, SlotChange, SlotRecord
from memslot_sidecar.operations.commands import ForgetMatchingCommand, Forgotten
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.fencing import check_fences
from memslot_sidecar.operations.lookup import COUNT_LIMIT
from memslot_sidecar.operations.mutate import settled
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.sweep import sweep_all
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Order, Query, SortKey, Transaction

PORTION = 500


async def forget_matching(
    ctx: Context, call: Call, command: ForgetMatchingCommand, once: Once | None = None
) -> Forgotten | Repeated:
    """Forgets what matches. Cut short, it may be called again and goes on with what is left.

    Raises InvalidName, InvalidField, TooManyMatches (nothing was forgotten), RequestIdReused, ErasePending.
    """
    path, _ = about(call, command.namespace)
    if command.max < 0:
        raise InvalidField(f"max is {command.max}: give a positive bound, or 0 for none", field="max")
    async with ctx.in_flight.alone(call, once):
        answer = await recalled(ctx, call, once) or await _forget(ctx, call, path, command, once)
    # A namespace below may want it though this one does not.
    await wiped(ctx, wanted=command.erase or command.recursive or ctx.settings(path).erase_on_forget)
    return answer


async def _forget(ctx: Context, call: Call, path: str, command: ForgetMatchingCommand, once: Once | None) -> Forgotten:
    if command.erase:
        await sweep_all(ctx, None if command.recursive else path)
    query = Query(path, command.recursive, filter=command.filter, order=Order.NAME, names_only=False)
    if command.max:
        await _check_count(ctx, query, command)
        query = replace(query, order=Order.RANK, reverse=True)
    exact = not command.allow_partial
    return await forget_all(ctx, call, query, once, most=command.max, exact=exact, erase=command.erase)


async def recalled(ctx: Context, call: Call, once: Once | None) -> Repeated | None:
    """The first answer to a call of several transactions, if there was one. Raises RequestIdReused."""
    if once is None:
        return None
    repeated = await ctx.store.transact(lambda tx: once.recall(tx, ctx.store, call))
    if repeated is not None:
        call.repeated = True
        call.outcome = "REPEATED"
    return repeated


async def _check_count(ctx: Context, query: Query, command: ForgetMatchingCommand) -> None:
    if command.allow_partial:
        return
    page = await ctx.store.lookup(replace(query, limit=1, names_only=True, count_to=max(command.max, COUNT_LIMIT)))
    if page.total is not None and page.total > command.max:
        raise _too_many(command.max, page.total)


def _too_many(most: int, matches: int) -> TooManyMatches:
    return TooManyMatches(
        f"more than {most} slots match: raise max, set allow_partial, or narrow the filter",
        field="max",
        metadata={"max": str(most), "matches": str(matches)},
    )


async def forget_all(
    ctx: Context,
    call: Call,
    query: Query,
    once: Once | None,
    *,
    most: int = 0,
    exact: bool = False,
    erase: bool = False,
) -> Forgotten:
    """Forgets all that ``query`` finds (at most ``most``, when it is not 0), and keeps the answer with the last portion.

    With ``exact``, more than ``most`` that came meanwhile are TooManyMatches, as long as nothing was forgotten.
    """
    done = Forgotten(0, True, 0)
    while done.more_remain and not (most and done.count >= most):
        portion_query = replace(query, limit=min(PORTION, most - done.count) if most else PORTION)

        def decide(
            tx: Transaction, query: Query = portion_query, before: Forgotten = done
        ) -> tuple[Forgotten, SortKey | None]:
            check_fences(tx, call.namespace)
            after, last_key = _forget_portion(tx, ctx, call, query, before, erase)
            if exact and after.more_remain and not before.count and after.count == most:
                raise _too_many(most, after.count + 1)
            if once is not None and (not after.more_remain or (most and after.count >= most)):
                once.keep(tx, ctx.store, call, after)
            return after, last_key

        def note(result: tuple[Forgotten, SortKey | None], before: Forgotten = done) -> None:
            call.recorded = call.recorded or result[0].revision > before.revision
            call.count = result[0].count

        done, last_key = await settled(ctx, decide, note)
        if query.order is Order.NAME:
            query = replace(query, after=last_key)
    call.outcome = "FORGOTTEN"
    call.revision = done.revision or ctx.store.revision
    return replace(done, revision=call.revision)


def _forget_portion(
    tx: Transaction, ctx: Context, call: Call, query: Query, before: Forgotten, erase: bool
) -> tuple[Forgotten, SortKey | None]:
    page = tx.matching(query)
    found = [item.record for item in page.items if item.record is not None]
    revision = before.revision
    for namespace in dict.fromkeys(record.namespace for record in found):
        revision = forget_records(tx, call, namespace, [record for record in found if record.namespace == namespace])
        if ctx.settings_in(tx, namespace).erase_on_forget:
            tx.request_erase()
    if erase:
        tx.request_erase()
    last_key = page.items[-1].key if page.items else None
    return Forgotten(before.count + len(found), page.more, revision), last_key


def forget_records(tx: Transaction, call: Call, namespace: str, records: Sequence[SlotRecord]) -> int:
    """Removes slots of one namespace under one revision, which is returned."""
    revision = tx.next_revision()
    for record in records:
        tx.remove(record)
    changes = [SlotChange(record.name, Change.FORGOTTEN, record.revision, record.body_bytes) for record in records]
    tx.emit(revision, namespace, call.info, changes, "FORGOTTEN")
    return revision
