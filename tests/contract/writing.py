"""Mutations as short as a test wants them: the records that operations would make, without their rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memslot_sidecar.model import (
    Caller,
    CallInfo,
    Change,
    Lifetime,
    NamespaceRecord,
    NamespaceSettings,
    Origin,
    SlotChange,
    SlotRecord,
    Supplied,
)
from memslot_sidecar.stores.base import Item, Order, Page, Query, Store, Transaction

CALL = CallInfo("event", "Write", Caller("agent", "token", verified=True), 7, "request", "bot", "talk", "3", "trace")


def put(
    tx: Transaction,
    namespace: str,
    name: str,
    body: bytes | None = b"body",
    *,
    keep_versions: int = 1,
    supplied: Supplied | None = None,
    **fields: Any,
) -> SlotRecord:
    """Writes a slot at a revision of its own. ``fields`` replace those of the record."""
    previous = tx.slot(namespace, name)
    revision = tx.next_revision()
    record = _renewed(previous, revision, tx.now_ms) if previous else _fresh(namespace, name, revision, tx.now_ms)
    size = record.body_bytes if body is None else len(body)
    record = replace(record, body_bytes=size, **fields)
    tx.put(record, body, keep_versions=keep_versions, supplied=supplied)
    tell(tx, revision, namespace, SlotChange(name, Change.OVERWRITTEN if previous else Change.CREATED, body_bytes=size))
    stored = tx.slot(namespace, name)
    assert stored is not None
    return stored


def remove(tx: Transaction, namespace: str, name: str) -> SlotRecord:
    """Removes a slot at a revision of its own."""
    record = tx.slot(namespace, name)
    assert record is not None
    tx.remove(record)
    tell(tx, tx.next_revision(), namespace, SlotChange(name, Change.FORGOTTEN, record.revision))
    return record


def tell(tx: Transaction, revision: int, namespace: str, *changes: SlotChange) -> None:
    """Emits the record of a revision."""
    tx.emit(revision, namespace, CALL, changes, changes[0].change.value)


def configure(tx: Transaction, path: str, settings: NamespaceSettings) -> None:
    """Gives a namespace settings of its own."""
    tx.put_namespace(NamespaceRecord(path, settings, True, 0, 0, tx.now_ms))
    tell(tx, tx.next_revision(), path, SlotChange("", Change.CONFIGURED))


async def write(store: Store, namespace: str, name: str, body: bytes | None = b"body", **fields: Any) -> SlotRecord:
    """Commits one :func:`put`."""
    return await store.transact(lambda tx: put(tx, namespace, name, body, **fields))


async def forget(store: Store, namespace: str, name: str) -> SlotRecord:
    """Commits one :func:`remove`."""
    return await store.transact(lambda tx: remove(tx, namespace, name))


async def names(store: Store, namespace: str, **query: Any) -> list[str]:
    """The names of one page."""
    return [item.name for item in (await store.lookup(Query(namespace, **query))).items]


async def pages(store: Store, query: Query) -> list[Item]:
    """All items of a query, page by page."""
    items: list[Item] = []
    page = Page([], more=True)
    while page.more:
        page = await store.lookup(replace(query, after=items[-1].key if items else None))
        assert len(page.items) <= query.limit
        assert page.items or not page.more
        items += page.items
    return items


ORDERS = tuple(Order)


def _fresh(namespace: str, name: str, revision: int, now_ms: int) -> SlotRecord:
    return SlotRecord(
        namespace=namespace,
        name=name,
        revision=revision,
        version=1,
        content_type="text/plain",
        body_bytes=0,
        description="",
        task_type="",
        tags=(),
        attributes={},
        importance=0.0,
        pinned=False,
        origin=Origin.TOOL,
        written_by="agent",
        rank=1.0,
        access_count=0,
        created_revision=revision,
        created_ms=now_ms,
        updated_ms=now_ms,
        accessed_ms=None,
        expire_ms=None,
        lifetime=Lifetime.NEVER,
        ttl_ms=None,
    )


def _renewed(previous: SlotRecord, revision: int, now_ms: int) -> SlotRecord:
    return replace(previous, revision=revision, version=previous.version + 1, updated_ms=now_ms)
