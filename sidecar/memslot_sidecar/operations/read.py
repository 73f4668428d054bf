"""Read: one slot with its body, because it was asked for by name."""

from __future__ import annotations

from dataclasses import replace

from memslot_sidecar.call import Call
from memslot_sidecar.errors import SlotNotFound
from memslot_sidecar.model import Change, SlotChange, SlotRecord, StoredSlot
from memslot_sidecar.operations import expiry
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.mutate import settled
from memslot_sidecar.stores.base import Transaction


async def read(ctx: Context, call: Call, namespace: str, name: str, if_revision_not: int = 0) -> StoredSlot | None:
    """The slot, or None when it is still at ``if_revision_not``. Counts as an access when the body is returned.

    Raises InvalidName, SlotNotFound.
    """
    path, name = about(call, namespace, name)
    found = ctx.store.read(path, name)
    if found is None:
        raise not_found(path, name)
    call.revision = found.record.revision
    if if_revision_not and found.record.revision == if_revision_not:
        call.outcome = "NOT_MODIFIED"
        return None
    call.outcome = "READ"
    call.body_bytes = len(found.body)
    return await accessed(ctx, call, found)


async def accessed(ctx: Context, call: Call, found: StoredSlot) -> StoredSlot:
    """Counts that a body is returned and, where the namespace wants it, renews the slot's time to live."""
    ctx.store.note_access(found.record, ctx.store.now_ms())
    if not ctx.settings(found.record.namespace).ttl_refresh_on_read:
        return found
    return StoredSlot(await _renew(ctx, call, found.record), found.body)


def not_found(namespace: str, name: str) -> SlotNotFound:
    """The error for a slot that is not there (or has expired)."""
    return SlotNotFound(
        f"no slot '{name}' in namespace '{namespace}': it was never written, was forgotten, or has expired",
        field="name",
        metadata={"namespace": namespace, "name": name},
    )


async def _renew(ctx: Context, call: Call, record: SlotRecord) -> SlotRecord:
    """Renews the expiry durably, unless that would move it by less than a hundredth of the time to live."""
    wanted = expiry.renewed(record, ctx.settings(record.namespace), ctx.store.now_ms())
    if _negligible(record, wanted, ctx.store.now_ms()):
        return record

    def decide(tx: Transaction) -> tuple[SlotRecord, int]:
        current = tx.slot(record.namespace, record.name)
        if current is None or current.created_revision != record.created_revision or not current.live(tx.now_ms):
            return record, 0
        until_ms = expiry.renewed(current, ctx.settings_in(tx, record.namespace), tx.now_ms)
        if _negligible(current, until_ms, tx.now_ms):
            return current, 0
        renewed = replace(current, expire_ms=until_ms)
        revision = tx.next_revision()
        tx.put(renewed, None)
        change = SlotChange(record.name, Change.RENEWED, current.revision, current.body_bytes)
        tx.emit(revision, record.namespace, call.info, [change], "READ")
        return renewed, revision

    def note(result: tuple[SlotRecord, int]) -> None:
        call.recorded = call.recorded or result[1] > 0

    renewed, _ = await settled(ctx, decide, note)
    return replace(record, expire_ms=renewed.expire_ms)


def _negligible(record: SlotRecord, wanted_ms: int | None, now_ms: int) -> bool:
    """Whether a renewal is not worth a commit; another reader may have made it just now."""
    if wanted_ms is None or record.expire_ms is None:
        return True
    return wanted_ms - record.expire_ms < max(1, (wanted_ms - now_ms) // 100)
