"""The one transaction of all backends: it reads rows through the backend, buffers what a mutation decides, and hands over a change set.

A backend has to load rows (:class:`Rows`) and to apply a :class:`ChangeSet`; everything between, the counters included, is here, so
that no backend has a meaning of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memslot_sidecar.model import (
    CallInfo,
    FeedRecord,
    NamespaceRecord,
    NamespaceSettings,
    SlotChange,
    SlotRecord,
    StoredAnswer,
    Usage,
)
from memslot_sidecar.stores.base import Page, Query


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """An earlier body that a slot keeps."""

    revision: int
    body_bytes: int


class Rows(Protocol):
    """What a backend loads for one transaction, earlier transactions of the same group included.

    The methods are those of :class:`~memslot_sidecar.stores.base.Transaction` without the buffered changes.
    """

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store."""

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""

    def body(self, record: SlotRecord) -> bytes:
        """The slot's body."""

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


@dataclass(frozen=True, slots=True)
class SlotPut:
    """A slot to create (``previous`` None) or to replace. ``body`` None leaves the body.

    With ``keep_previous`` the replaced body becomes a version; ``dropped`` are the revisions of versions to remove.
    """

    record: SlotRecord
    previous: SlotRecord | None
    body: bytes | None
    keep_previous: bool = False
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotRemoved:
    """A slot to remove with its body and its ``kept`` earlier bodies."""

    record: SlotRecord
    kept: int = 0


@dataclass(slots=True)
class ChangeSet:
    """What one mutation changes. ``slots`` in order; ``namespaces`` and ``usage`` (per root, signed) once each.

    A namespace whose value is None vanishes; ``revision`` is the last one taken.
    """

    revision: int
    slots: list[SlotPut | SlotRemoved] = field(default_factory=list)
    namespaces: dict[str, NamespaceRecord | None] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    answers: list[StoredAnswer] = field(default_factory=list)
    feed: list[FeedRecord] = field(default_factory=list)
    erase: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to make durable."""
        return not (self.slots or self.namespaces or self.answers or self.feed or self.erase)


class _Space:
    """A namespace under change."""

    __slots__ = ("changed", "configured", "created_ms", "existed", "path", "settings", "slot_count", "stored_bytes")

    def __init__(self, path: str, record: NamespaceRecord | None, now_ms: int) -> None:
        self.path = path
        self.changed = False
        self.existed = record is not None
        self.settings = record.settings if record else NamespaceSettings()
        self.configured = record.configured if record else False
        self.slot_count = record.slot_count if record else 0
        self.stored_bytes = record.stored_bytes if record else 0
        self.created_ms = record.created_ms if record else now_ms

    @property
    def root(self) -> str:
        return self.path.partition("/")[0]

    @property
    def vanishes(self) -> bool:
        """Whether the commit would leave nothing of it."""
        return self.changed and not (self.configured or self.slot_count)

    def record(self) -> NamespaceRecord:
        return NamespaceRecord(
            self.path, self.settings, self.configured, self.slot_count, self.stored_bytes, self.created_ms
        )


class _Held:
    """A slot under change; ``body`` is known once it was written here."""

    __slots__ = ("body", "kept", "record")

    def __init__(self, record: SlotRecord | None) -> None:
        self.record = record
        self.body: bytes | None = None
        self.kept: Sequence[KeptVersion] | None = None


class BufferedTransaction:
    """A :class:`~memslot_sidecar.stores.base.Transaction` over a backend's rows."""

    def __init__(self, rows: Rows, now_ms: int, revision: int) -> None:
        self.now_ms = now_ms
        self._rows = rows
        self._first = revision
        self._changes = ChangeSet(revision)
        self._spaces: dict[str, _Space | None] = {}
        self._held: dict[tuple[str, str], _Held] = {}
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

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store, as of the buffered changes."""
        base = self._rows.usage(root)
        namespaces, slots, stored_bytes = base.namespaces, base.slots, base.stored_bytes
        for at, delta in self._usage.items():
            if root is None or root == at:
                namespaces += delta[0]
                slots += delta[1]
                stored_bytes += delta[2]
        vanishing = sum(
            space is not None and space.vanishes and root in (None, space.root) for space in self._spaces.values()
        )
        return Usage(namespaces - vanishing, slots, stored_bytes)

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""
        return self._hold(namespace, name).record

    def body(self, record: SlotRecord) -> bytes:
        """The body of a slot that :meth:`slot` returned."""
        held = self._held.get((record.namespace, record.name))
        if held is not None and held.body is not None:
            return held.body
        return self._rows.body(record)

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

    def put(self, record: SlotRecord, body: bytes | None, *, keep_versions: int = 1) -> None:
        """Creates or replaces a slot, and its namespace when that is missing."""
        held = self._hold(record.namespace, record.name)
        space = self._space(record.namespace) or self._create(record.namespace)
        previous = held.record
        if previous is None:
            if body is None:
                raise ValueError("a new slot needs a body")
            held.kept = ()
            self._count(space, 1, len(body))
            self._changes.slots.append(SlotPut(record, None, body))
        elif body is None:
            self._changes.slots.append(SlotPut(record, previous, None))
        else:
            self._replace(space, held, previous, SlotPut(record, previous, body), keep_versions)
        held.record = record
        if body is not None:
            held.body = body

    def remove(self, record: SlotRecord) -> None:
        """Removes a slot with its body and versions."""
        held = self._hold(record.namespace, record.name)
        current = held.record
        space = self._space(record.namespace)
        if current is None or space is None:
            raise ValueError("only a slot that is there can be removed")
        kept = self._kept(held, current)
        freed = current.body_bytes + sum(version.body_bytes for version in kept)
        self._count(space, -1, -freed)
        self._changes.slots.append(SlotRemoved(current, len(kept)))
        held.record, held.body, held.kept = None, None, None

    def put_namespace(self, record: NamespaceRecord) -> None:
        """Creates a namespace or changes its settings."""
        space = self._space(record.path) or self._create(record.path)
        space.settings, space.configured, space.changed = record.settings, record.configured, True

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
            if not space.vanishes:
                changes.namespaces[path] = space.record()
                continue
            self._delta(space)[0] -= 1
            if space.existed:
                changes.namespaces[path] = None
        changes.usage = {root: Usage(*delta) for root, delta in self._usage.items() if any(delta)}
        return changes

    def _replace(self, space: _Space, held: _Held, previous: SlotRecord, put: SlotPut, keep_versions: int) -> None:
        assert put.body is not None
        earlier = self._kept(held, previous)
        room = max(keep_versions - 1, 0)
        candidates = (KeptVersion(previous.revision, previous.body_bytes), *earlier)
        held.kept = candidates[:room]
        before = previous.body_bytes + sum(version.body_bytes for version in earlier)
        after = len(put.body) + sum(version.body_bytes for version in held.kept)
        self._count(space, 0, after - before)
        dropped = tuple(version.revision for version in candidates[max(room, 1) :])
        self._changes.slots.append(SlotPut(put.record, previous, put.body, keep_previous=room > 0, dropped=dropped))

    def _kept(self, held: _Held, record: SlotRecord) -> Sequence[KeptVersion]:
        if held.kept is None:
            held.kept = self._rows.kept(record)
        return held.kept

    def _hold(self, namespace: str, name: str) -> _Held:
        held = self._held.get((namespace, name))
        if held is None:
            held = self._held[(namespace, name)] = _Held(self._rows.slot(namespace, name))
        return held

    def _space(self, path: str) -> _Space | None:
        if path not in self._spaces:
            record = self._rows.namespace(path)
            self._spaces[path] = None if record is None else _Space(path, record, self.now_ms)
        return self._spaces[path]

    def _create(self, path: str) -> _Space:
        space = self._spaces[path] = _Space(path, None, self.now_ms)
        space.changed = True
        self._delta(space)[0] += 1
        return space

    def _count(self, space: _Space, slots: int, stored_bytes: int) -> None:
        if not (slots or stored_bytes):
            return
        space.slot_count += slots
        space.stored_bytes += stored_bytes
        space.changed = True
        delta = self._delta(space)
        delta[1] += slots
        delta[2] += stored_bytes

    def _delta(self, space: _Space) -> list[int]:
        return self._usage.setdefault(space.root, [0, 0, 0])


def usage_after(usage: Usage, deltas: Mapping[str, Usage]) -> Usage:
    """The store's sums after a change set's ``usage``."""
    namespaces, slots, stored_bytes = usage.namespaces, usage.slots, usage.stored_bytes
    for delta in deltas.values():
        namespaces += delta.namespaces
        slots += delta.slots
        stored_bytes += delta.stored_bytes
    return Usage(namespaces, slots, stored_bytes)
