"""Forget: removes one slot with its versions, and on request wipes its bytes."""

from __future__ import annotations

from dataclasses import replace

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import Change, Outcome
from memslot_sidecar.operations import preconditions
from memslot_sidecar.operations.commands import ForgetCommand, IfAbsent, Mutated
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.noting import note_mutation
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.planning import Step, carry_out
from memslot_sidecar.operations.reaping import live_slot
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Transaction


async def forget(ctx: Context, call: Call, command: ForgetCommand, once: Once | None = None) -> Mutated | Repeated:
    """Forgets one slot; what is not there is ABSENT. With erase it answers when the bytes are in no file.

    Raises InvalidName, InvalidField, RevisionMismatch, RequestIdReused, ErasePending.
    """
    namespace, name = about(call, command.namespace, command.name)
    checked = check_forget(command, namespace, name)
    settings = ctx.settings(namespace)

    def decide(tx: Transaction) -> Mutated:
        done = carry_out(tx, ctx, call, namespace, settings, [plan_forget(tx, checked)])
        if checked.erase:
            tx.request_erase()
        return done

    result = await mutate(ctx, call, once, decide, lambda done: note_mutation(call, done))
    await wiped(ctx, wanted=checked.erase or settings.erase_on_forget)
    return result


def check_forget(command: ForgetCommand, namespace: str, name: str, field: str = "") -> ForgetCommand:
    """The command in its stored form, checked for all that does not depend on the store."""
    if isinstance(command.precondition, IfAbsent):
        raise InvalidField(
            f"{field}precondition.if_absent makes no sense for a forget: use if_revision, or none",
            field=f"{field}precondition.if_absent",
        )
    preconditions.validate(command.precondition, f"{field}precondition")
    return replace(command, namespace=namespace, name=name)


def plan_forget(tx: Transaction, command: ForgetCommand, field: str = "") -> Step:
    """What the forget would do to its slot now."""
    found = live_slot(tx, command.namespace, command.name)
    preconditions.check(command.precondition, command.name, found, f"{field}precondition")
    if found is None:
        return Step(command.name, Outcome.ABSENT)
    return Step(command.name, Outcome.FORGOTTEN, previous=found, change=Change.FORGOTTEN)
