"""Describe: everything but the body, by name."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.call import Call
from memslot_sidecar.errors import MemslotError
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.batch_read import absent, checked_names, over_budget
from memslot_sidecar.operations.budget import NamesBudget, info_bytes
from memslot_sidecar.operations.context import Context, about, seen


async def describe(ctx: Context, call: Call, namespace: str, names: Sequence[str]) -> list[SlotRecord | MemslotError]:
    """Aligned with ``names``: the slot's information, or SlotNotFound, or ReplyBudget for what did not fit. No access.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, namespace)
    call.names = checked_names(names)
    budget = NamesBudget(call.names)
    results: list[SlotRecord | MemslotError] = []
    for name in call.names:
        found = ctx.store.describe(path, name)
        if found is None:
            results.append(absent(name))
        else:
            results.append(found if budget.take(name, info_bytes(found)) else over_budget(name))
    described = [result for result in results if isinstance(result, SlotRecord)]
    call.count = len(described)
    call.outcome = "DESCRIBED"
    call.revision = seen(ctx.store.revision, described)
    return results
