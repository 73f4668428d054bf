"""Namespaces: what bounds them, and how full they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, NamespaceNotEmpty, NamespaceNotFound
from memslot_sidecar.finding.serving import check_served
from memslot_sidecar.model import Change, EffectiveSettings, NamespaceRecord, NamespaceSettings, SlotChange
from memslot_sidecar.operations import page_token
from memslot_sidecar.operations.capacity import check_namespace_limit
from memslot_sidecar.operations.commands import Forgotten, UpdateNamespaceCommand
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.forget_matching import forget_all, forget_records, recalled
from memslot_sidecar.operations.lookup import page_size
from memslot_sidecar.operations.mutate import mutate, settled
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.sweep import sweep_all
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Order, Query, Transaction

FIELDS = frozenset(NamespaceSettings.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class NamespaceView:
    """A namespace, what holds there, and how many slots are visible; ``revision`` is the store's."""

    record: NamespaceRecord
    effective: EffectiveSettings
    live_count: int
    revision: int
    changed: bool = False


@dataclass(frozen=True, slots=True)
class NamespacesPage:
    """One page of namespaces."""

    namespaces: Sequence[NamespaceView]
    next_page_token: str
    revision: int


@dataclass(frozen=True, slots=True)
class _Listing:
    parent: str


async def update_namespace(
    ctx: Context, call: Call, command: UpdateNamespaceCommand, once: Once | None = None
) -> NamespaceView | Repeated:
    """Creates or configures a namespace. Raises InvalidName, InvalidField, SettingAboveCap, StoreFull, RequestIdReused."""
    path, _ = about(call, command.namespace)
    unknown = sorted(command.fields - FIELDS)
    if unknown:
        raise InvalidField(f"update_mask names '{unknown[0]}', which is no setting of a namespace", field="update_mask")
    new = {name: getattr(command.settings, name) for name in command.fields}
    ctx.rules.check(path, NamespaceSettings(**new))
    await check_served(ctx.finder, NamespaceSettings(**new))
    live = await ctx.store.live_count(path)

    def decide(tx: Transaction) -> NamespaceView:
        found = tx.namespace(path)
        if found is None:
            check_namespace_limit(tx, path, ctx.limits)
        before = found or NamespaceRecord(path, NamespaceSettings(), False, 0, 0, tx.now_ms)
        after = replace(before, settings=replace(before.settings, **new), configured=True)
        if after == found:
            return NamespaceView(after, ctx.settings_in(tx, path), live, tx.revision)
        revision = tx.next_revision()
        tx.put_namespace(after)
        tx.emit(revision, path, call.info, [SlotChange("", Change.CONFIGURED)], "CONFIGURED")
        return NamespaceView(after, ctx.settings_in(tx, path), live, revision, changed=True)

    def note(view: NamespaceView) -> None:
        call.outcome = "CONFIGURED" if view.changed else "UNCHANGED"
        call.recorded = view.changed
        call.revision = view.revision

    return await mutate(ctx, call, once, decide, note)


async def get_namespace(ctx: Context, call: Call, namespace: str) -> NamespaceView:
    """One namespace. Raises InvalidName, NamespaceNotFound."""
    path, _ = about(call, namespace)
    view = await _view(ctx, ctx.store.namespace(path), path)
    call.outcome = "READ"
    call.revision = ctx.store.revision
    return view


async def list_namespaces(ctx: Context, call: Call, parent: str, size: int = 0, token: str = "") -> NamespacesPage:
    """Namespaces in byte order of their paths. Raises InvalidName, InvalidField, InvalidPageToken, StoreReplaced."""
    call.namespace = names.namespace_path(parent, "parent") if parent else ""
    limit = page_size(size)
    listing = _Listing(call.namespace)
    after = str(page_token.decode(ctx.store, listing, token)[0]) if token else ""
    found = await ctx.store.namespaces(call.namespace, after, limit + 1)
    views = [
        NamespaceView(record, ctx.settings(record.path), await ctx.store.live_count(record.path), ctx.store.revision)
        for record in found[:limit]
    ]
    more = page_token.encode(ctx.store, listing, (found[limit - 1].path,)) if len(found) > limit else ""
    call.count = len(views)
    call.outcome = "LISTED"
    call.revision = ctx.store.revision
    return NamespacesPage(views, more, call.revision)


async def delete_namespace(
    ctx: Context, call: Call, namespace: str, force: bool, once: Once | None = None
) -> Forgotten | Repeated:
    """Removes a namespace with its settings and, with ``force``, its slots; those below it stay.

    Raises InvalidName, NamespaceNotFound, NamespaceNotEmpty, RequestIdReused, ErasePending.
    """
    path, _ = about(call, namespace)

    def note(result: Forgotten) -> None:
        call.recorded = True
        call.outcome, call.count, call.revision = "DELETED", result.count, result.revision

    async with ctx.in_flight.alone(call, once):
        repeated = await recalled(ctx, call, once)
        if repeated is not None:
            # What the namespace wanted is gone with it.
            await wiped(ctx, wanted=True)
            return repeated
        erasing = ctx.settings(path).erase_on_forget
        await _check_deletable(ctx, path, force)
        await sweep_all(ctx, path)
        emptied = Forgotten(0, False, 0)
        if force:
            emptied = await forget_all(ctx, call, Query(path, order=Order.NAME, names_only=False), None)
        result = await settled(ctx, lambda tx: _delete(tx, ctx, call, path, force, emptied, once), note)
    await wiped(ctx, wanted=erasing)
    return result


async def _check_deletable(ctx: Context, path: str, force: bool) -> None:
    view = await _view(ctx, ctx.store.namespace(path), path)
    if view.live_count and not force:
        raise _not_empty(path, view.live_count)


def _not_empty(path: str, slots: int) -> NamespaceNotEmpty:
    return NamespaceNotEmpty(
        f"namespace '{path}' holds {slots} slots: forget them first, or delete it with force",
        field="force",
        metadata={"namespace": path, "slots": str(slots)},
    )


def _delete(
    tx: Transaction, ctx: Context, call: Call, path: str, force: bool, emptied: Forgotten, once: Once | None
) -> Forgotten:
    """Removes what was written meanwhile, if it may, then the settings, under the last revision of the call."""
    late = [item.record for item in tx.matching(Query(path, names_only=False, limit=10_000)).items if item.record]
    if late and not force:
        raise _not_empty(path, len(late))
    if late:
        forget_records(tx, call, path, late)
        if ctx.settings_in(tx, path).erase_on_forget:
            tx.request_erase()
    revision = tx.next_revision()
    tx.remove_namespace(path)
    tx.emit(revision, path, call.info, [SlotChange("", Change.DELETED)], "DELETED")
    result = Forgotten(emptied.count + len(late), False, revision)
    if once is not None:
        once.keep(tx, ctx.store, call, result)
    return result


async def _view(ctx: Context, record: NamespaceRecord | None, path: str) -> NamespaceView:
    live = 0 if record is None else await ctx.store.live_count(path)
    if record is None or not (record.configured or live):
        raise NamespaceNotFound(
            f"no namespace '{path}': it holds no slot and was not configured",
            field="namespace",
            metadata={"namespace": path},
        )
    return NamespaceView(record, ctx.settings(path), live, ctx.store.revision)
