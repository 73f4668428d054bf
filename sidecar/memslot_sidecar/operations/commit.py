"""Commit: many writes, forgets and checks in one namespace, all or none, under one revision."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import EffectiveSettings, Outcome
from memslot_sidecar.operations import preconditions, vectors
from memslot_sidecar.operations.blaming import blaming
from memslot_sidecar.operations.commands import CheckCommand, CommitStep, ForgetCommand, Mutated, WriteCommand
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.forget import check_forget, plan_forget
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.noting import note_mutation
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.planning import Step, carry_out
from memslot_sidecar.operations.reaping import live_slot
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.operations.write import check_write, plan_write
from memslot_sidecar.stores.base import Transaction

OPERATION_LIMIT = 128


async def commit(
    ctx: Context, call: Call, namespace: str, steps: Sequence[CommitStep], once: Once | None = None
) -> Mutated | Repeated:
    """Applies the steps atomically: checks see the state before, limits the state after.

    Raises what write and forget raise, with ``op_index`` in the metadata.
    """
    path, _ = about(call, namespace)
    checked = _check_all(call, path, steps)
    call.body_bytes = sum(len(step.body) for step in checked if isinstance(step, WriteCommand))
    erasing = any(isinstance(step, ForgetCommand) and step.erase for step in checked)
    settings = ctx.settings(path)

    def decide(tx: Transaction) -> Mutated:
        planned = []
        for index, step in enumerate(checked):
            with blaming(index):
                planned.append(_plan(tx, ctx, call, path, step, settings, _field(index, step)))
        found = vectors.misfit(tx, path, planned)
        if found is not None:
            with blaming(found.index):
                raise found.error(path, f"{_field(found.index, checked[found.index])}vector")
        done = carry_out(tx, ctx, call, path, settings, planned)
        if erasing:
            tx.request_erase()
        return done

    result = await mutate(ctx, call, once, decide, lambda done: note_mutation(call, done))
    await wiped(ctx, wanted=erasing or settings.erase_on_forget)
    return result


def _check_all(call: Call, namespace: str, steps: Sequence[CommitStep]) -> list[CommitStep]:
    if not steps:
        raise InvalidField(f"operations is empty: a commit takes 1 to {OPERATION_LIMIT}", field="operations")
    if len(steps) > OPERATION_LIMIT:
        raise InvalidField(
            f"operations has {len(steps)} entries, a commit takes 1 to {OPERATION_LIMIT}: split it", field="operations"
        )
    checked: list[CommitStep] = []
    seen: dict[str, int] = {}
    for index, step in enumerate(steps):
        with blaming(index):
            field = _field(index, step)
            name = names.slot_name(step.name, f"{field}name")
            if name in seen:
                raise InvalidField(
                    f"{field}name repeats '{name}' of operation {seen[name]}: a name may occur once in a commit",
                    field=f"{field}name",
                )
            seen[name] = index
            call.names = tuple(seen)
            checked.append(_check(step, namespace, name, field))
    return checked


def _check(step: CommitStep, namespace: str, name: str, field: str) -> CommitStep:
    match step:
        case WriteCommand():
            return check_write(step, namespace, name, field)
        case ForgetCommand():
            return check_forget(step, namespace, name, field)
        case CheckCommand():
            preconditions.validate(step.precondition, f"{field}precondition")
            return CheckCommand(name, step.precondition)


def _plan(
    tx: Transaction, ctx: Context, call: Call, namespace: str, step: CommitStep, settings: EffectiveSettings, field: str
) -> Step:
    match step:
        case WriteCommand():
            return plan_write(tx, ctx, call, step, settings, field)
        case ForgetCommand():
            return plan_forget(tx, step, field)
        case CheckCommand():
            found = live_slot(tx, namespace, step.name)
            preconditions.check(step.precondition, step.name, found, f"{field}precondition")
            return Step(step.name, Outcome.CHECKED, previous=found, record=found)


def _field(index: int, step: CommitStep) -> str:
    kind = {WriteCommand: "write", ForgetCommand: "forget", CheckCommand: "check"}[type(step)]
    return f"operations[{index}].{kind}."
