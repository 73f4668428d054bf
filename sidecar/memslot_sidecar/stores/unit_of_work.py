"""The one transaction of all backends: it reads rows through the backend, buffers what a mutation decides, and hands over a change set.

A backend has to load rows (:class:`Rows`) and to apply a :class:`ChangeSet`; everything between, the counters included, is here, so
that no backend has a meaning of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from memslot_sidecar.model import (
    CallInfo,
    FeedRecord,
    NamespaceRecord,
    NamespaceSettings,
    SlotChange,
    SlotRecord,
    StoredAnswer,
    Supplied,
    Usage,
)
from memslot_sidecar.stores.base import Page, Query
from memslot_sidecar.stores.changes import ChangeSet, KeptVersion, SlotPut, SlotRemoved
from memslot_sidecar.stores.under_change import Held, Space


class Rows(Protocol):
    """What a backend loads for one transaction, earlier transactions of the same group included.

    The methods are those of :class:`~memslot_sidecar.stores.base.Transaction` without the buffered changes.
    """

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""

    def within(self, path: str, limit: int) -> Sequence[NamespaceRecord]:
        """The namespace and those below it, those of tasks included, in byte order of their paths."""

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store."""

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""

    def body(self, record: SlotRecord) -> bytes:
        """The slot's body."""

    def supplied(self, record: SlotRecord) -> Supplied | None:
        """What was sent with the slot's body."""

    def kept(self, record: SlotRecord) -> Sequence[KeptVersion]:
        """The slot's earlier bodies, newest first."""

    def expired(self, namespace: str | None, limit: int, now_ms: int) -> Sequence[SlotRecord]:
        """Slots that expired at ``now_ms``, soonest first."""

    def lowest_ranked(
        self, namespace: str, limit: int, excluding: Collection[str], now_ms: int
    ) -> Sequence[SlotRecord]:
        """Live slots, lowest rank first, without pinned ones."""

    def matching(self, query: Query, now_ms: int) -> Page:
        """Live slots with their records."""

    def answer(self, caller: str, request_id: str, now_ms: int) -> StoredAnswer | None:
        """The kept answer to a request id."""


class BufferedTransaction:
    """A :class:`~memslot_sidecar.stores.base.Transaction` over a backend's rows."""

    def __init__(self, rows: Rows, now_ms: int, revision: int) -> None:
        self.now_ms = now_ms
        self._rows = rows
        self._first = revision
        self._changes = ChangeSet(revision)
        self._spaces: dict[str, Space | None] = {}
        self._held: dict[tuple[str, str], Held] = {}
        self._usage: dict[str, list[int]] = {}

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace, with its counters as of the buffered changes."""
        space = self._space(path)
        return None if space is None else space.record()

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        stored = {record.path: record for record in self._rows.configured(paths)}
        for path in paths:
            space = self._spaces.get(path)
            if space is None or not space.changed:
                continue
            if space.configured:
                stored[path] = space.record()
            else:
                stored.pop(path, None)
        return list(stored.values())

    def within(self, path: str, limit: int) -> Sequence[NamespaceRecord]:
        """The namespace and those below it, as of the buffered changes; those that were created by them are not seen."""
        spaces = [self._space(record.path) for record in self._rows.within(path, limit)]
        return [space.record() for space in spaces if space is not None and not space.vanishes]

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store, as of the buffered changes."""
        base = self._rows.usage(root)
        namespaces, slots, stored_bytes = base.namespaces, base.slots, base.stored_bytes
        for at, delta in self._usage.items():
            if root is None or root == at:
                slots += delta[1]
                stored_bytes += delta[2]
        for space in self._spaces.values():
            if space is not None and root in (None, space.root):
                namespaces += space.counts - space.counted
        return Usage(namespaces, slots, stored_bytes)

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""
        return self._hold(namespace, name).record

    def body(self, record: SlotRecord) -> bytes:
        """The body of a slot that :meth:`slot` returned."""
        held = self._held.get((record.namespace, record.name))
        if held is not None and held.body is not None:
            return held.body
        return self._rows.body(record)

    def supplied(self, record: SlotRecord) -> Supplied | None:
        """What was sent with the body of a slot that :meth:`slot` returned."""
        if not record.supplied_bytes:
            return None
        held = self._held.get((record.namespace, record.name))
        if held is not None and held.supplied is not None:
            return held.supplied
        return self._rows.supplied(record)

    def expired(self, namespace: str | None, limit: int) -> Sequence[SlotRecord]:
        """Slots that have expired, soonest first; buffered changes are not seen."""
        return self._rows.expired(namespace, limit, self.now_ms)

    def lowest_ranked(self, namespace: str, limit: int, excluding: Collection[str] = ()) -> Sequence[SlotRecord]:
        """Live slots, lowest rank first, without pinned ones; buffered changes are not seen."""
        return self._rows.lowest_ranked(namespace, limit, excluding, self.now_ms)

    def matching(self, query: Query) -> Page:
        """Live slots with their records; buffered changes are not seen."""
        return self._rows.matching(query, self.now_ms)

    def answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        """The kept answer to a request id."""
        for answer in self._changes.answers:
            if (answer.caller, answer.request_id) == (caller, request_id):
                return answer
        return self._rows.answer(caller, request_id, self.now_ms)

    def put(
        self, record: SlotRecord, body: bytes | None, *, keep_versions: int = 1, supplied: Supplied | None = None
    ) -> None:
        """Creates or replaces a slot, and its namespace when that is missing."""
        held = self._hold(record.namespace, record.name)
        space = self._space(record.namespace) or self._create(record.namespace)
        previous = held.record
        record = _sized(record, previous, body, supplied)
        if previous is None:
            if body is None:
                raise ValueError("a new slot needs a body")
            held.kept = ()
            self._count(space, 1, len(body) + record.supplied_bytes)
            put = SlotPut(record, None, body, supplied)
        elif body is None:
            self._count(space, 0, record.supplied_bytes - previous.supplied_bytes)
            put = SlotPut(record, previous, None, supplied)
        else:
            dropped = self._replace(space, held, previous, len(body) + record.supplied_bytes, keep_versions)
            put = SlotPut(record, previous, body, supplied, keep_versions > 1, dropped)
        space.vector(0 if previous is None else previous.vector_bytes, record.vector_bytes)
        self._changes.slots.append(put)
        held.written(put)

    def remove(self, record: SlotRecord) -> None:
        """Removes a slot with its body and versions."""
        held = self._hold(record.namespace, record.name)
        current = held.record
        space = self._space(record.namespace)
        if current is None or space is None:
            raise ValueError("only a slot that is there can be removed")
        kept = self._kept(held, current)
        freed = current.stored_bytes + sum(version.body_bytes for version in kept)
        self._count(space, -1, -freed)
        space.vector(current.vector_bytes, 0)
        self._changes.slots.append(SlotRemoved(current, len(kept)))
        held.removed()

    def put_namespace(self, record: NamespaceRecord) -> None:
        """Creates a namespace or changes its settings."""
        space = self._space(record.path) or self._create(record.path)
        space.settings, space.configured, space.task, space.changed = (
            record.settings,
            record.configured,
            record.task,
            True,
        )

    def remove_namespace(self, path: str) -> None:
        """Removes a namespace's settings."""
        space = self._space(path)
        if space is not None:
            space.settings, space.configured, space.changed = NamespaceSettings(), False, True

    def keep_answer(self, answer: StoredAnswer) -> None:
        """Keeps an answer together with the commit."""
        self._changes.answers.append(answer)

    @property
    def revision(self) -> int:
        """The last revision taken."""
        return self._changes.revision

    def next_revision(self) -> int:
        """Takes the next revision."""
        self._changes.revision += 1
        return self._changes.revision

    def emit(self, revision: int, namespace: str, call: CallInfo, changes: Sequence[SlotChange], outcome: str) -> None:
        """Adds the revision's record to the change feed."""
        self._changes.feed.append(FeedRecord(revision, self.now_ms, namespace, call, tuple(changes), outcome))

    def request_erase(self) -> None:
        """Notes with this commit that freed bytes must be wiped."""
        self._changes.erase = True

    def finish(self) -> ChangeSet:
        """What the mutation changed. Raises RuntimeError when it took a revision that it did not tell, or the other way round."""
        changes = self._changes
        taken = range(self._first + 1, changes.revision + 1)
        changes.feed.sort(key=lambda record: record.revision)
        if [record.revision for record in changes.feed] != list(taken):
            raise RuntimeError("each revision that a mutation takes needs one record of the feed")
        for path, space in self._spaces.items():
            if space is None or not space.changed:
                continue
            self._delta(space)[0] += space.counts - space.counted
            if not space.vanishes:
                changes.namespaces[path] = space.record()
            elif space.existed:
                changes.namespaces[path] = None
        changes.usage = {root: Usage(*delta) for root, delta in self._usage.items() if any(delta)}
        return changes

    def _replace(
        self, space: Space, held: Held, previous: SlotRecord, new_bytes: int, keep_versions: int
    ) -> tuple[int, ...]:
        """Counts that a body is replaced; answers the versions to drop."""
        earlier = self._kept(held, previous)
        room = max(keep_versions - 1, 0)
        candidates = (KeptVersion(previous.revision, previous.body_bytes), *earlier)
        held.kept = candidates[:room]
        before = previous.stored_bytes + sum(version.body_bytes for version in earlier)
        after = new_bytes + sum(version.body_bytes for version in held.kept)
        self._count(space, 0, after - before)
        return tuple(version.revision for version in candidates[max(room, 1) :])

    def _kept(self, held: Held, record: SlotRecord) -> Sequence[KeptVersion]:
        if held.kept is None:
            held.kept = self._rows.kept(record)
        return held.kept

    def _hold(self, namespace: str, name: str) -> Held:
        held = self._held.get((namespace, name))
        if held is None:
            held = self._held[(namespace, name)] = Held(self._rows.slot(namespace, name))
        return held

    def _space(self, path: str) -> Space | None:
        if path not in self._spaces:
            record = self._rows.namespace(path)
            self._spaces[path] = None if record is None else Space(path, record, self.now_ms)
        return self._spaces[path]

    def _create(self, path: str) -> Space:
        space = self._spaces[path] = Space(path, None, self.now_ms)
        space.changed = True
        return space

    def _count(self, space: Space, slots: int, stored_bytes: int) -> None:
        if not (slots or stored_bytes):
            return
        space.slot_count += slots
        space.stored_bytes += stored_bytes
        space.changed = True
        delta = self._delta(space)
        delta[1] += slots
        delta[2] += stored_bytes

    def _delta(self, space: Space) -> list[int]:
        return self._usage.setdefault(space.root, [0, 0, 0])


def _sized(
    record: SlotRecord, previous: SlotRecord | None, body: bytes | None, supplied: Supplied | None
) -> SlotRecord:
    """The record with the sizes of what goes with its body."""
    if supplied is not None:
        vector, summary = len(supplied.vector or b""), len((supplied.summary or "").encode())
    elif body is None and previous is not None:
        vector, summary = previous.vector_bytes, previous.summary_bytes
    else:
        vector = summary = 0
    if (record.vector_bytes, record.summary_bytes) == (vector, summary):
        return record
    return replace(record, vector_bytes=vector, summary_bytes=summary)
