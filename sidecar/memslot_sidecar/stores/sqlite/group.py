"""The rows that the mutations of one group commit see and change, on the writer's connection.

Slots, bodies, tags and versions are changed as each mutation ends, so that the next one of the group sees them; the counters of
namespaces, roots and the store, the feed and the answers are written once a group, by :meth:`GroupRows.flush`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from memslot_sidecar.model import NamespaceRecord, SlotRecord, StoredAnswer, Supplied, Usage
from memslot_sidecar.stores.base import Page, Query
from memslot_sidecar.stores.changes import ChangeSet, KeptVersion, SlotPut, usage_after
from memslot_sidecar.stores.sqlite import feed_rows, scan, slot_rows
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.namespaces import NAMESPACE, encode_settings, encode_task, namespace_record
from memslot_sidecar.stores.sqlite.records import SLOT, slot_record

_SPACES_KEPT = 10_000
_ANSWERS_DROPPED = 64
_COUNT = "UPDATE namespaces SET slot_count = ?, stored_bytes = ?, vector_count = ?, vector_dimensions = ? WHERE id = ?"


@dataclass(frozen=True, slots=True)
class State:
    """Where the store stands after a commit."""

    revision: int = 0
    time_ms: int = 0
    usage: Usage = Usage()


@dataclass(slots=True)
class _Space:
    """A namespace as the group sees it."""

    id: int
    record: NamespaceRecord


class TooLong(BaseException):
    """A mutation touches so many rows that it must not run in the event loop's thread.

    Not an Exception, since it goes through the mutation's own code, which must not catch it.
    """


class GroupRows:
    """A backend's :class:`~memslot_sidecar.stores.unit_of_work.Rows`; lives as long as the writer, group after group."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.dirty = False
        self.steps_left: int | None = None
        self._spaces: dict[str, _Space | None] = {}
        self._counted: set[str] = set()
        self._roots: dict[str, Usage] = {}
        self._root_changes: set[str] = set()
        self._answers: dict[tuple[str, str], StoredAnswer] = {}
        self._feed: list[tuple[int, int, str]] = []
        self._ids: dict[tuple[str, str], int] = {}
        row = fetch(connection, "SELECT revision, time_ms, namespaces, slots, stored_bytes FROM state")[0]
        self.state = self._durable = State(row[0], row[1], Usage(*row[2:]))

    def forget(self) -> None:
        """Forgets what was not committed."""
        self.state = self._durable
        self._spaces.clear()
        self._roots.clear()
        self._settle()

    def flush(self, now_ms: int) -> None:
        """Writes what is written once a group."""
        spaces = [self._spaces[path] for path in self._counted]
        counters = [
            (held.slot_count, held.stored_bytes, held.vector_count, held.vector_dimensions, space.id)
            for space in spaces
            if space is not None
            for held in (space.record,)
        ]
        self._write(_COUNT, counters)
        for root in self._root_changes:
            self._write_root(root)
        self._write("INSERT INTO feed VALUES (?, ?, ?)", self._feed)
        answers = [(a.caller, a.request_id, a.method, a.digest, a.reply, a.expire_ms) for a in self._answers.values()]
        self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", answers)
        if answers:
            self._drop_answers(now_ms)
        self.state = replace(self.state, time_ms=max(now_ms, self.state.time_ms))
        usage = self.state.usage
        self.connection.execute(
            "UPDATE state SET revision = ?, time_ms = ?, namespaces = ?, slots = ?, stored_bytes = ?",
            (self.state.revision, self.state.time_ms, usage.namespaces, usage.slots, usage.stored_bytes),
        )

    def committed(self) -> None:
        """The group is durable: starts the next one."""
        self._durable = self.state
        self._settle()
        if len(self._spaces) > _SPACES_KEPT:
            self._spaces.clear()
            self._roots.clear()

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""
        space = self._space(path)
        return None if space is None else space.record

    def configured(self, paths: Collection[str]) -> Sequence[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        spaces = [self._space(path) for path in paths]
        return [space.record for space in spaces if space is not None and space.record.configured]

    def within(self, path: str, limit: int) -> Sequence[NamespaceRecord]:
        """The namespace and those below it, in order."""
        own = self.namespace(path)
        rows = fetch(
            self.connection,
            "SELECT path FROM namespaces WHERE path >= ? AND path < ? ORDER BY path LIMIT ?",
            (*scan.below(path), limit - (own is not None)),
        )
        self._step(len(rows))
        found = [own, *(self.namespace(path) for (path,) in rows)]
        return [record for record in found if record is not None]

    def usage(self, root: str | None) -> Usage:
        """Sums over one root, or over the whole store."""
        return self.state.usage if root is None else self._root(root)

    def slot(self, namespace: str, name: str) -> SlotRecord | None:
        """The slot, though it may have expired."""
        self._step(1)
        space = self._space(namespace)
        if space is None:
            return None
        rows = fetch(
            self.connection,
            f"SELECT {SLOT}, s.id FROM slots s INDEXED BY slots_by_name WHERE s.namespace_id = ? AND s.name = ? LIMIT 1",  # noqa: S608
            (space.id, name),
        )
        if not rows:
            return None
        self._ids[(namespace, name)] = rows[0][-1]
        return slot_record(namespace, rows[0])

    def body(self, record: SlotRecord) -> bytes:
        """The slot's body."""
        rows = fetch(self.connection, "SELECT body FROM bodies WHERE slot_id = ?", (self.slot_id(record),))
        return bytes(rows[0][0])

    def supplied(self, record: SlotRecord) -> Supplied | None:
        """What was sent with the slot's body."""
        sql = "SELECT vector, summary FROM supplied WHERE slot_id = ?"
        rows = fetch(self.connection, sql, (self.slot_id(record),))
        return Supplied(*rows[0]) if rows else None

    def kept(self, record: SlotRecord) -> Sequence[KeptVersion]:
        """The slot's earlier bodies, newest first."""
        sql = "SELECT revision, body_bytes FROM versions WHERE slot_id = ?"
        rows = sorted(fetch(self.connection, sql, (self.slot_id(record),)), reverse=True)
        return [KeptVersion(*row) for row in rows]

    def expired(self, namespace: str | None, limit: int, now_ms: int) -> Sequence[SlotRecord]:
        """Slots that expired at ``now_ms``, soonest first."""
        if self.steps_left is not None:
            limit = min(limit, self.steps_left + 1)
        rows = self._expired(namespace, limit, now_ms)
        self._step(len(rows))
        return rows

    def _expired(self, namespace: str | None, limit: int, now_ms: int) -> list[SlotRecord]:
        if namespace is None:
            rows = fetch(
                self.connection,
                f"SELECT n.path, {SLOT} FROM slots s INDEXED BY slots_expiring JOIN namespaces n ON n.id = s.namespace_id"  # noqa: S608
                " WHERE s.expire_ms <= ? ORDER BY s.expire_ms LIMIT ?",
                (now_ms, limit),
            )
            return [slot_record(row[0], row[1:]) for row in rows]
        space = self._space(namespace)
        if space is None:
            return []
        rows = fetch(
            self.connection,
            f"SELECT {SLOT} FROM slots s INDEXED BY slots_by_expiry"  # noqa: S608
            " WHERE s.namespace_id = ? AND s.expire_ms <= ? ORDER BY s.expire_ms LIMIT ?",
            (space.id, now_ms, limit),
        )
        return [slot_record(namespace, row) for row in rows]

    def lowest_ranked(
        self, namespace: str, limit: int, excluding: Collection[str], now_ms: int
    ) -> Sequence[SlotRecord]:
        """Live slots, lowest rank first, without pinned ones."""
        space = self._space(namespace)
        if space is None:
            return []
        rows = fetch(
            self.connection,
            f"SELECT {SLOT} FROM slots s INDEXED BY slots_by_rank WHERE s.namespace_id = ? AND s.pinned = 0"  # noqa: S608
            " AND (s.expire_ms IS NULL OR s.expire_ms > ?) ORDER BY s.rank, s.name LIMIT ?",
            (space.id, now_ms, limit + len(excluding)),
        )
        return [slot_record(namespace, row) for row in rows if row[0] not in excluding][:limit]

    def matching(self, query: Query, now_ms: int) -> Page:
        """Live slots with their records."""
        if self.steps_left is not None:
            raise TooLong
        return scan.scan_page(self.connection, query, now_ms)

    def answer(self, caller: str, request_id: str, now_ms: int) -> StoredAnswer | None:
        """The kept answer to a request id."""
        pending = self._answers.get((caller, request_id))
        if pending is not None:
            return pending
        rows = fetch(
            self.connection,
            "SELECT method, digest, reply, expire_ms FROM answers WHERE caller = ? AND request_id = ? AND expire_ms > ?",
            (caller, request_id, now_ms),
        )
        return StoredAnswer(caller, request_id, *rows[0]) if rows else None

    def apply(self, changes: ChangeSet) -> None:
        """Makes a mutation's changes visible to the next one."""
        self.dirty = True
        for path, record in changes.namespaces.items():
            if record is not None:
                self._put_space(path, record)
        for change in changes.slots:
            if isinstance(change, SlotPut):
                self._put(change)
            else:
                key = (change.record.namespace, change.record.name)
                slot_rows.remove(self.connection, self._space_id(key[0]), self.slot_id(change.record), change)
                self._ids.pop(key, None)
        for path, record in changes.namespaces.items():
            if record is None:
                self._remove_space(path)
        for root, delta in changes.usage.items():
            self._roots[root] = usage_after(self._root(root), {root: delta})
            self._root_changes.add(root)
        self._answers.update({(answer.caller, answer.request_id): answer for answer in changes.answers})
        self._feed += map(feed_rows.encode, changes.feed)
        self.state = State(changes.revision, self.state.time_ms, usage_after(self.state.usage, changes.usage))
        if changes.erase:
            self.set_meta("erase_pending", changes.revision)

    def access(self, record: SlotRecord, accessed: SlotRecord) -> None:
        """Replaces a slot's rank and its count of accesses."""
        self.dirty = True
        slot_rows.access(self.connection, self._space_id(record.namespace), self.slot_id(record), record, accessed)

    def set_meta(self, key: str, value: Any) -> None:
        """Keeps a value of the store itself."""
        self.dirty = True
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def slot_id(self, record: SlotRecord) -> int:
        """The row of a slot."""
        key = (record.namespace, record.name)
        if key not in self._ids:
            self.slot(*key)
        return self._ids[key]

    def _step(self, rows: int) -> None:
        """Counts rows against the bound of the mutation that runs. Raises TooLong."""
        if self.steps_left is not None:
            self.steps_left -= rows
            if self.steps_left < 0:
                raise TooLong

    def _settle(self) -> None:
        self.dirty = False
        self._counted.clear()
        self._root_changes.clear()
        self._answers.clear()
        self._feed.clear()
        self._ids.clear()

    def _put(self, put: SlotPut) -> None:
        key = (put.record.namespace, put.record.name)
        space_id = self._space_id(key[0])
        if put.previous is None:
            self._ids[key] = slot_rows.insert(self.connection, space_id, put)
        else:
            slot_rows.update(self.connection, space_id, self.slot_id(put.previous), put)

    def _space(self, path: str) -> _Space | None:
        if path not in self._spaces:
            rows = fetch(
                self.connection,
                f"SELECT {NAMESPACE}, n.id FROM namespaces n WHERE n.path = ?",  # noqa: S608
                (path,),
            )
            self._spaces[path] = _Space(rows[0][-1], namespace_record(rows[0])) if rows else None
        return self._spaces[path]

    def _space_id(self, path: str) -> int:
        space = self._space(path)
        assert space is not None
        return space.id

    def _put_space(self, path: str, record: NamespaceRecord) -> None:
        space = self._space(path)
        said = (record.settings, record.configured, record.task)
        if space is None:
            self.connection.execute(
                "INSERT INTO namespaces (path, settings, configured, slot_count, stored_bytes, created_ms, task, task_due_ms)"
                " VALUES (?, ?, ?, 0, 0, ?, ?, ?)",
                (
                    path,
                    encode_settings(record.settings),
                    record.configured,
                    record.created_ms,
                    *encode_task(record.task),
                ),
            )
            self._spaces[path] = _Space(self.connection.last_insert_rowid(), record)
        else:
            if (space.record.settings, space.record.configured, space.record.task) != said:
                self.connection.execute(
                    "UPDATE namespaces SET settings = ?, configured = ?, task = ?, task_due_ms = ? WHERE id = ?",
                    (encode_settings(record.settings), record.configured, *encode_task(record.task), space.id),
                )
            space.record = record
        self._counted.add(path)

    def _remove_space(self, path: str) -> None:
        self.connection.execute("DELETE FROM namespaces WHERE id = ?", (self._space_id(path),))
        self._spaces[path] = None

    def _root(self, root: str) -> Usage:
        if root not in self._roots:
            rows = fetch(self.connection, "SELECT namespaces, slots, stored_bytes FROM roots WHERE path = ?", (root,))
            self._roots[root] = Usage(*rows[0]) if rows else Usage()
        return self._roots[root]

    def _write_root(self, root: str) -> None:
        usage = self._root(root)
        if usage.namespaces:
            self.connection.execute(
                "INSERT OR REPLACE INTO roots VALUES (?, ?, ?, ?)",
                (root, usage.namespaces, usage.slots, usage.stored_bytes),
            )
        else:
            self.connection.execute("DELETE FROM roots WHERE path = ?", (root,))

    def _write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            self.connection.executemany(sql, rows)

    def _drop_answers(self, now_ms: int) -> None:
        expired = fetch(
            self.connection,
            "SELECT caller, request_id FROM answers INDEXED BY answers_by_expiry WHERE expire_ms <= ? LIMIT ?",
            (now_ms, _ANSWERS_DROPPED),
        )
        if expired:
            self.connection.executemany("DELETE FROM answers WHERE caller = ? AND request_id = ?", expired)
