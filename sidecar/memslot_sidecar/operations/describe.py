"""Describe: everything but the body, by name."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.call import Call
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.operations.batch_read import absent, checked_names, over_budget
from memslot_sidecar.operations.budget import NamesBudget, info_bytes
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.operations.summaries import AtHand, Summarised, at_hand, summary_bytes


async def describe(
    ctx: Context, call: Call, namespace: str, names: Sequence[str], *, summaries: bool = False
) -> list[Summarised | MemslotError]:
    """Aligned with ``names``: the slot's information, with ``summaries`` also its summary if one is at hand, or SlotNotFound, or
    ReplyBudget for what did not fit. No access.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, namespace)
    call.names = checked_names(names)
    found = await at_hand(ctx, path, call.names) if summaries else None
    budget = NamesBudget(call.names)
    results = [_described(ctx, path, name, found, budget) for name in call.names]
    described = [result.record for result in results if isinstance(result, Summarised)]
    call.count = len(described)
    call.outcome = "DESCRIBED"
    call.revision = seen(ctx.store.revision, described)
    return results


def _described(
    ctx: Context, path: str, name: str, found: AtHand | None, budget: NamesBudget
) -> Summarised | MemslotError:
    record = ctx.store.describe(path, name)
    if record is None:
        return absent(name)
    summary = found.of(record) if found is not None else None
    if not budget.take(name, info_bytes(record) + summary_bytes(summary)):
        return over_budget(name)
    return Summarised(record, summary)
