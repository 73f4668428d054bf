"""Moving slots from one namespace to another within a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memslot_sidecar.call import Call
from memslot_sidecar.model import Change, Outcome, SlotRecord
from memslot_sidecar.operations import body as bodies
from memslot_sidecar.operations import vectors
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.forget_matching import forget_records
from memslot_sidecar.operations.planning import Step, carry_out
from memslot_sidecar.operations.reaping import live_slot
from memslot_sidecar.stores.base import Transaction


@dataclass(frozen=True, slots=True)
class Moved:
    """Which slots were moved, and which were not there."""

    names: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def move(tx: Transaction, ctx: Context, call: Call, source: str, target: str, wanted: Sequence[str]) -> Moved:
    """Moves slots with their metadata, expiry and rank, but without earlier versions; a slot of that name in ``target`` is overwritten.

    Raises SlotLimitReached, StoreFull, BodyTooLarge and DimensionMismatch, where the target's limits are narrower.
    """
    found = {name: live_slot(tx, source, name) for name in wanted}
    records = [record for record in found.values() if record is not None]
    missing = tuple(name for name, record in found.items() if record is None)
    if not records:
        return Moved(missing=missing)
    settings = ctx.settings_in(tx, target)
    steps = [_step(tx, record, target, settings.body_limit_bytes) for record in records]
    misfit = vectors.misfit(tx, target, steps)
    if misfit is not None:
        raise misfit.error(target)
    carry_out(tx, ctx, call, target, settings, steps)
    forget_records(tx, call, source, records)
    if settings.erase_on_forget or ctx.settings_in(tx, source).erase_on_forget:
        tx.request_erase()
    return Moved(tuple(record.name for record in records), missing)


def _step(tx: Transaction, record: SlotRecord, target: str, limit: int) -> Step:
    bodies.check_size(record.body_bytes, limit, f"slot '{record.name}'")
    previous = live_slot(tx, target, record.name)
    revision = tx.revision + 1
    moved = replace(
        record,
        namespace=target,
        revision=revision,
        version=1 if previous is None else previous.version + 1,
        created_revision=revision if previous is None else previous.created_revision,
        created_ms=record.created_ms if previous is None else previous.created_ms,
        vector_bytes=0,
        summary_bytes=0,
    )
    change = Change.CREATED if previous is None else Change.OVERWRITTEN
    return Step(
        record.name, Outcome[change.name], previous, moved, tx.body(record), change, supplied=tx.supplied(record)
    )
