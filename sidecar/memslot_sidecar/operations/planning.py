"""What a set of writes and forgets in one namespace would do, decided before anything is changed.

A plan is made step by step against the state before, then fitted into the limits as a whole, then carried out under one revision; the bytes
that it adds are known, and checked, when its changes are in the transaction's buffer. Write, Forget and Commit are plans of one or many steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memslot_sidecar import model
from memslot_sidecar.call import Call
from memslot_sidecar.model import Change, EffectiveSettings, Outcome, Receipt, SlotChange, SlotRecord, Supplied
from memslot_sidecar.operations.capacity import Demand, byte_bounds, check_bytes, make_room
from memslot_sidecar.operations.commands import Mutated
from memslot_sidecar.operations.context import Context
from memslot_sidecar.stores.base import Transaction


@dataclass(frozen=True, slots=True)
class Step:
    """One slot's part: ``record`` is the slot afterwards (at the next revision, or at one that is filled in later; None = gone or untouched).

    ``body`` and ``supplied`` are those to put; ``change`` is None when nothing changes.
    """

    name: str
    outcome: Outcome
    previous: SlotRecord | None = None
    record: SlotRecord | None = None
    body: bytes | None = None
    change: Change | None = None
    clamped: bool = False
    supplied: Supplied | None = None

    @property
    def renewal(self) -> bool:
        """Whether nothing but the expiry changes: the slot then keeps its revision."""
        return self.change is Change.RENEWED


def carry_out(
    tx: Transaction, ctx: Context, call: Call, namespace: str, settings: EffectiveSettings, steps: Sequence[Step]
) -> Mutated:
    """Fits the steps into the limits and makes their changes. Raises SlotLimitReached or StoreFull."""
    changing = [step for step in steps if step.change is not None]
    if not changing:
        receipts = [_receipt(step, step.record or step.previous, ()) for step in steps]
        return Mutated(receipts, tx.revision, changed=False)
    demand = _demand(namespace, changing, steps)
    room = make_room(tx, demand, settings, ctx.limits)
    bounds = byte_bounds(tx, namespace, ctx.limits)
    revision = tx.next_revision()
    changes = []
    stored: dict[str, SlotRecord | None] = {}
    for victim in room.evicted:
        tx.remove(victim)
        changes.append(SlotChange(victim.name, Change.EVICTED, victim.revision, victim.body_bytes))
    for step in changing:
        stored[step.name] = _apply(tx, step, revision, settings)
        changes.append(_slot_change(step))
    check_bytes(tx, bounds, demand)
    outcome = steps[0].outcome.name if len(steps) == 1 else "COMMITTED"
    tx.emit(revision, namespace, call.info, changes, outcome)
    if settings.erase_on_forget and any(change.change in (Change.FORGOTTEN, Change.EVICTED) for change in changes):
        tx.request_erase()
    evicted = tuple(victim.name for victim in room.evicted)
    receipts = []
    for step in steps:
        told = evicted if step.outcome is Outcome.CREATED else ()
        evicted = () if told else evicted
        receipt = _receipt(step, stored.get(step.name, step.previous), told)
        if step.change is Change.FORGOTTEN:
            receipt = replace(receipt, revision=revision)
        if room.near_limit and step.outcome is Outcome.CREATED:
            receipt = replace(receipt, warnings=(*receipt.warnings, model.Warning.SLOT_LIMIT_NEAR))
        receipts.append(receipt)
    return Mutated(receipts, revision, changed=True)


def _demand(namespace: str, changing: Sequence[Step], steps: Sequence[Step]) -> Demand:
    slots = sum((step.record is not None) - (step.previous is not None) for step in changing)
    return Demand(namespace, slots, frozenset(step.name for step in steps))


def _apply(tx: Transaction, step: Step, revision: int, settings: EffectiveSettings) -> SlotRecord | None:
    if step.record is None:
        if step.previous is not None:
            tx.remove(step.previous)
        return None
    record = step.record
    if not step.renewal and record.revision != revision:
        created = revision if step.previous is None else record.created_revision
        record = replace(record, revision=revision, created_revision=created)
    tx.put(record, step.body, keep_versions=settings.versions_kept, supplied=step.supplied)
    return record


def _slot_change(step: Step) -> SlotChange:
    assert step.change is not None
    previous = 0 if step.previous is None else step.previous.revision
    subject = step.record or step.previous
    return SlotChange(step.name, step.change, previous, 0 if subject is None else subject.body_bytes)


def _receipt(step: Step, record: SlotRecord | None, evicted: tuple[str, ...]) -> Receipt:
    previous = 0 if step.previous is None else step.previous.revision
    if record is None or step.outcome in (Outcome.FORGOTTEN, Outcome.ABSENT):
        return Receipt(step.name, step.outcome, previous_revision=previous)
    return Receipt(
        name=step.name,
        outcome=step.outcome,
        revision=record.revision,
        version=record.version,
        previous_revision=previous,
        expire_ms=record.expire_ms,
        evicted=evicted,
        warnings=(model.Warning.TTL_CLAMPED,) if step.clamped else (),
    )
