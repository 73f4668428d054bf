"""UpdateInfo: changes metadata and expiry, never the body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import Change, EffectiveSettings, Outcome, SlotRecord
from memslot_sidecar.operations import body as bodies
from memslot_sidecar.operations import expiry, metadata, preconditions
from memslot_sidecar.operations.commands import Mutated, UpdateInfoCommand
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.noting import note_mutation
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.planning import Step, carry_out
from memslot_sidecar.operations.read import not_found
from memslot_sidecar.operations.reaping import live_slot
from memslot_sidecar.operations.write import same_attributes
from memslot_sidecar.stores.base import Transaction

FIELDS = frozenset({"content_type", "description", "task_type", "tags", "attributes", "importance", "pinned", "origin"})


async def update_info(
    ctx: Context, call: Call, command: UpdateInfoCommand, once: Once | None = None
) -> Mutated | Repeated:
    """Changes the named fields, and the expiry when one is given.

    Raises InvalidName, InvalidField, InvalidBody (a new content type that the body does not keep), SlotNotFound, RevisionMismatch,
    SlotExists, RequestIdReused.
    """
    namespace, name = about(call, command.namespace, command.name)
    values = _checked(command)
    settings = ctx.settings(namespace)

    def decide(tx: Transaction) -> Mutated:
        step = _plan(tx, ctx, command, namespace, name, values, settings)
        return carry_out(tx, ctx, call, namespace, settings, [step])

    return await mutate(ctx, call, once, decide, lambda done: note_mutation(call, done))


def _checked(command: UpdateInfoCommand) -> dict[str, Any]:
    unknown = sorted(command.fields - FIELDS)
    if unknown:
        raise InvalidField(
            f"update_mask names '{unknown[0]}', which cannot be updated: it may name {', '.join(sorted(FIELDS))}",
            field="update_mask",
        )
    if not command.fields and command.expiry is None:
        raise InvalidField("update_mask is empty and no expiry is given: name what should change", field="update_mask")
    preconditions.validate(command.precondition)
    if "content_type" in command.fields and not command.content_type:
        raise InvalidField("info.content_type cannot be cleared: give a media type", field="info.content_type")
    bodies.check_content_type(command.content_type, "info.content_type")
    values: dict[str, Any] = {
        "content_type": command.content_type,
        "description": metadata.description(command.description, "info.description"),
        "task_type": metadata.task_type(command.task_type, "info.task_type"),
        "tags": metadata.tags(command.tags, "info.tags"),
        "attributes": metadata.attributes(command.attributes, "info.attributes"),
        "importance": metadata.importance(command.importance, "info.importance"),
        "pinned": command.pinned,
        "origin": command.origin,
    }
    return {key: values[key] for key in command.fields}


def _plan(
    tx: Transaction,
    ctx: Context,
    command: UpdateInfoCommand,
    namespace: str,
    name: str,
    values: dict[str, Any],
    settings: EffectiveSettings,
) -> Step:
    previous = live_slot(tx, namespace, name)
    if previous is None and command.precondition is None:
        raise not_found(namespace, name)
    preconditions.check(command.precondition, name, previous)
    if previous is None:
        raise not_found(namespace, name)
    if "content_type" in values:
        bodies.check_body(tx.body(previous), values["content_type"], "info.content_type")
    changed = _changed(ctx, previous, values)
    resolved = expiry.Resolved(previous.expire_ms, previous.lifetime, previous.ttl_ms)
    if command.expiry is not None:
        resolved = expiry.resolve(command.expiry, previous, settings, tx.now_ms)
    record = replace(changed, expire_ms=resolved.expire_ms, lifetime=resolved.lifetime, ttl_ms=resolved.ttl_ms)
    if changed is not previous:
        record = replace(record, version=previous.version + 1, updated_ms=tx.now_ms)
        return Step(name, Outcome.UPDATED, previous, record, None, Change.UPDATED, resolved.clamped)
    if record != previous:
        return Step(name, Outcome.UPDATED, previous, record, None, Change.RENEWED, resolved.clamped)
    return Step(name, Outcome.UNCHANGED, previous, previous, None, None, resolved.clamped)


def _changed(ctx: Context, previous: SlotRecord, values: dict[str, Any]) -> SlotRecord:
    """The slot with the new values; the very same object when they are the old ones."""
    attributes = values.get("attributes", previous.attributes)
    same = all(getattr(previous, key) == value for key, value in values.items())
    if same and same_attributes(attributes, previous.attributes):
        return previous
    rank = ctx.decay.reweighed(previous.rank, previous.importance, values.get("importance", previous.importance))
    return replace(previous, **values, rank=rank)
