"""What the store in RAM holds, and how a change set changes it."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from memslot_index.evaluate import matches
from memslot_sidecar.model import FeedRecord, NamespaceRecord, SlotRecord, StoredAnswer, Supplied, Usage, VersionRecord
from memslot_sidecar.stores.base import Item, Page, Query
from memslot_sidecar.stores.changes import ChangeSet, KeptVersion, SlotPut, usage_after
from memslot_sidecar.stores.ordering import sorted_after
from memslot_sidecar.stores.versions import version_of


@dataclass(slots=True)
class Held:
    """A slot with its body, what was sent with that, and its earlier bodies, newest first."""

    record: SlotRecord
    body: bytes
    supplied: Supplied | None = None
    kept: list[tuple[VersionRecord, bytes]] = field(default_factory=list)


class Tables:
    """All rows: what :class:`~memslot_sidecar.stores.unit_of_work.Rows` asks for, with :meth:`apply` to change them."""

    def __init__(self) -> None:
        self.revision = 0
        self.feed: list[FeedRecord] = []
        self.namespaces: dict[str, NamespaceRecord] = {}
        self._paths: list[str] = []
        self.slots: dict[str, dict[str, Held]] = {}
        self.total = Usage()
        self._roots: dict[str, Usage] = {}
        self._answers: dict[tuple[str, str], StoredAnswer] = {}

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""
        return self.namespaces.get(path)

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        found = (self.namespaces.get(path) for path in paths)
        return [record for record in found if record is not None and record.configured]

    def within(self, path: str, limit: int) -> Sequence[NamespaceRecord]:
        """The namespace and those below it, in order."""
        low, high = bisect_left(self._paths, path + "/"), bisect_left(self._paths, path + "0")
        own = [path] if path in self.namespaces else []
        return [self.namespaces[found] for found in [*own, *self._paths[low : min(high, low + limit)]][:limit]]

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store."""
        return self.total if root is None else self._roots.get(root, Usage())

    def held(self, namespace: str, name: str) -> Held | None:
        """The slot with its body, though it may have expired."""
        return self.slots.get(namespace, {}).get(name)

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""
        held = self.held(namespace, name)
        return None if held is None else held.record

    def body(self, record: SlotRecord) -> bytes:
        """The slot's body."""
        return self.slots[record.namespace][record.name].body

    def supplied(self, record: SlotRecord) -> Supplied | None:
        """What was sent with the slot's body."""
        return self.slots[record.namespace][record.name].supplied

    def kept(self, record: SlotRecord) -> Sequence[KeptVersion]:
        """The slot's earlier bodies, newest first."""
        kept = self.slots[record.namespace][record.name].kept
        return [KeptVersion(version.revision, version.body_bytes) for version, _ in kept]

    def expired(self, namespace: str | None, limit: int, now_ms: int) -> Sequence[SlotRecord]:
        """Slots that expired at ``now_ms``, soonest first."""
        paths = list(self.slots) if namespace is None else [namespace]
        found = [record for path in paths for record in self._records(path) if not record.live(now_ms)]
        found.sort(key=lambda record: (record.expire_ms, record.namespace, record.name))
        return found[:limit]

    def lowest_ranked(
        self, namespace: str, limit: int, excluding: Collection[str], now_ms: int
    ) -> Sequence[SlotRecord]:
        """Live slots, lowest rank first, without pinned ones."""
        found = [
            record
            for record in self._records(namespace)
            if record.live(now_ms) and not record.pinned and record.name not in excluding
        ]
        found.sort(key=lambda record: (record.rank, record.name))
        return found[:limit]

    def matching(self, query: Query, now_ms: int) -> Page:
        """Live slots with their records."""
        found = [
            record for path in self._within(query) for record in self._records(path) if _fits(query, record, now_ms)
        ]
        total = None if query.count_to is None else min(len(found), query.count_to + 1)
        rest = sorted_after(query, found)
        items = [
            Item(record.namespace, record.name, key, None if query.names_only else record)
            for key, record in rest[: query.limit]
        ]
        return Page(items, len(rest) > query.limit, total)

    def answer(self, caller: str, request_id: str, now_ms: int) -> StoredAnswer | None:
        """The kept answer to a request id."""
        answer = self._answers.get((caller, request_id))
        return answer if answer is not None and answer.expire_ms > now_ms else None

    def apply(self, changes: ChangeSet) -> None:
        """Makes a change set true."""
        for change in changes.slots:
            if isinstance(change, SlotPut):
                self._put(change)
            else:
                del self.slots[change.record.namespace][change.record.name]
        for path, record in changes.namespaces.items():
            if record is None:
                del self.namespaces[path]
                del self._paths[bisect_left(self._paths, path)]
                self.slots.pop(path, None)
            else:
                if path not in self.namespaces:
                    insort(self._paths, path)
                self.namespaces[path] = record
        for root, delta in changes.usage.items():
            usage = usage_after(self._roots.get(root, Usage()), {root: delta})
            if usage.namespaces:
                self._roots[root] = usage
            else:
                self._roots.pop(root, None)
        self.total = usage_after(self.total, changes.usage)
        self._answers.update({(answer.caller, answer.request_id): answer for answer in changes.answers})
        self.feed.extend(changes.feed)
        self.revision = changes.revision

    def drop_answers(self, now_ms: int) -> None:
        """Lets go of answers that expired; they were kept in the order in which they expire."""
        expired = takewhile(lambda kept: kept[1].expire_ms <= now_ms, self._answers.items())
        for key in [key for key, _ in expired]:
            del self._answers[key]

    def _put(self, put: SlotPut) -> None:
        slots = self.slots.setdefault(put.record.namespace, {})
        held = slots.get(put.record.name)
        if held is None:
            assert put.body is not None
            slots[put.record.name] = Held(put.record, put.body, put.supplied if put.record.supplied_bytes else None)
            return
        if put.keep_previous:
            held.kept.insert(0, (version_of(held.record), held.body))
        held.kept = [pair for pair in held.kept if pair[0].revision not in put.dropped]
        held.record = put.record
        held.body = held.body if put.body is None else put.body
        if put.body is not None or put.supplied is not None:
            held.supplied = put.supplied if put.record.supplied_bytes else None

    def _records(self, path: str) -> Iterator[SlotRecord]:
        return (held.record for held in self.slots.get(path, {}).values())

    def _within(self, query: Query) -> list[str]:
        if not query.recursive:
            return [query.namespace]
        below = query.namespace + "/"
        return [path for path in self.slots if path == query.namespace or path.startswith(below)]


def accessed(held: Held, rank: float, count: int, now_ms: int) -> None:
    """Counts accesses to a slot."""
    record = held.record
    held.record = replace(record, rank=rank, access_count=record.access_count + count, accessed_ms=now_ms)


def _fits(query: Query, record: SlotRecord, now_ms: int) -> bool:
    return (
        record.live(now_ms)
        and record.name.startswith(query.name_prefix)
        and (query.filter is None or matches(query.filter, record))
    )
