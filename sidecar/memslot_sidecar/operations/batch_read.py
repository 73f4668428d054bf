"""BatchRead: many bodies by name, within one byte budget."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar import names as naming
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, MemslotError, ReplyBudget, SlotNotFound
from memslot_sidecar.model import StoredSlot
from memslot_sidecar.operations.budget import NamesBudget, info_bytes
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.operations.read import accessed

NAMES_LIMIT = 1000


async def read_many(
    ctx: Context, call: Call, namespace: str, names: Sequence[str], max_bytes: int = 0
) -> list[StoredSlot | MemslotError]:
    """Aligned with ``names``: the slot, or SlotNotFound, or ReplyBudget for what did not fit. Each body returned is an access.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, namespace)
    call.names = checked_names(names)
    if max_bytes < 0:
        raise InvalidField(
            "max_bytes is negative: give a positive budget, or 0 for the largest reply", field="max_bytes"
        )
    budget = NamesBudget(call.names, max_bytes)
    results: list[StoredSlot | MemslotError] = []
    for name in call.names:
        found = ctx.store.read(path, name)
        if found is None:
            results.append(absent(name))
        elif budget.take(name, info_bytes(found.record) + len(found.body)):
            results.append(await accessed(ctx, call, found))
        else:
            results.append(over_budget(name))
    returned = [result for result in results if isinstance(result, StoredSlot)]
    call.count = len(returned)
    call.body_bytes = sum(len(slot.body) for slot in returned)
    call.outcome = "READ"
    call.revision = seen(ctx.store.revision, (slot.record for slot in returned))
    return results


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in their stored form. Raises InvalidName, and InvalidField for none or more than a thousand."""
    if not names:
        raise InvalidField(f"names is empty: a call takes 1 to {NAMES_LIMIT}", field="names")
    if len(names) > NAMES_LIMIT:
        raise InvalidField(f"names has {len(names)} entries, a call takes 1 to {NAMES_LIMIT}: split it", field="names")
    return tuple(naming.slot_name(name, f"names[{position}]") for position, name in enumerate(names))


def absent(name: str) -> SlotNotFound:
    """The error for one of many names, short enough to stand there a thousand times."""
    return SlotNotFound(f"no slot '{name}'", metadata={"name": name})


def over_budget(name: str) -> ReplyBudget:
    """The error for an item that did not fit into the reply."""
    return ReplyBudget(f"slot '{name}' did not fit into this reply: ask again for it", metadata={"name": name})
