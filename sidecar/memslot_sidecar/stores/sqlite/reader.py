"""Reads on one connection: each method sees one committed state of the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import apsw

from memslot_sidecar.model import FeedRecord, NamespaceRecord, SlotRecord, StoredSlot, Supplied, VersionRecord
from memslot_sidecar.stores.sqlite import feed_rows
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.namespaces import NAMESPACE, namespace_record
from memslot_sidecar.stores.sqlite.records import COLUMNS, SLOT, VERSION, slot_record, version_record
from memslot_sidecar.stores.sqlite.scan import below
from memslot_sidecar.stores.versions import version_of

_FROM_NAME = "FROM namespaces n CROSS JOIN slots s INDEXED BY slots_by_name ON s.namespace_id = n.id"
_NAMED = "WHERE n.path = ? AND s.name = ? LIMIT 1"
_BODY = len(COLUMNS)
_READ = f"SELECT {SLOT}, b.body {_FROM_NAME} CROSS JOIN bodies b ON b.slot_id = s.id {_NAMED}"
_DESCRIBE = f"SELECT {SLOT}, s.id {_FROM_NAME} {_NAMED}"
_SUPPLIED = f"SELECT s.revision, s.expire_ms, x.vector, x.summary {_FROM_NAME} CROSS JOIN supplied x ON x.slot_id = s.id {_NAMED}"
_LIVE = (
    "(EXISTS (SELECT 1 FROM slots s INDEXED BY slots_by_expiry WHERE s.namespace_id = n.id AND s.expire_ms > ?)"
    " OR EXISTS (SELECT 1 FROM slots s INDEXED BY slots_by_expiry WHERE s.namespace_id = n.id AND s.expire_ms IS NULL))"
)


class Reader:
    """The reads that need a connection. Expired slots are returned by the methods without ``now_ms``: who calls them checks."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def read(self, namespace: str, name: str) -> StoredSlot | None:
        """A slot with its body."""
        rows = fetch(self.connection, _READ, (namespace, name))
        if not rows:
            return None
        return StoredSlot(slot_record(namespace, rows[0]), rows[0][_BODY])

    def describe(self, namespace: str, name: str) -> SlotRecord | None:
        """A slot without its body."""
        found = self._slot(namespace, name)
        return None if found is None else found[0]

    def supplied(self, namespace: str, name: str, revision: int | None, now_ms: int) -> Supplied | None:
        """What was sent with the body of a live slot that is at a revision, or at any."""
        rows = fetch(self.connection, _SUPPLIED, (namespace, name))
        if not rows:
            return None
        at, expire_ms, vector, summary = rows[0]
        live = expire_ms is None or expire_ms > now_ms
        return Supplied(vector, summary) if live and revision in (None, at) else None

    def versions(self, namespace: str, name: str, now_ms: int) -> list[VersionRecord]:
        """The kept versions of a live slot, newest first."""
        with self.connection:
            found = self._slot(namespace, name)
            if found is None or not found[0].live(now_ms):
                return []
            record, slot_id = found
            rows = fetch(
                self.connection,
                f"SELECT {VERSION} FROM versions v WHERE v.slot_id = ? ORDER BY v.revision DESC",  # noqa: S608
                (slot_id,),
            )
        return [version_of(record), *(version_record(namespace, name, row) for row in rows)]

    def read_version(self, namespace: str, name: str, revision: int, now_ms: int) -> tuple[VersionRecord, bytes] | None:
        """One kept version of a live slot with its body."""
        with self.connection:
            found = self._slot(namespace, name)
            if found is None or not found[0].live(now_ms):
                return None
            record, slot_id = found
            if record.revision == revision:
                sql = "SELECT body FROM bodies WHERE slot_id = ?"
                return version_of(record), fetch(self.connection, sql, (slot_id,))[0][0]
            rows = fetch(
                self.connection,
                f"SELECT {VERSION}, b.body FROM versions v JOIN version_bodies b ON b.version_id = v.id"  # noqa: S608
                " WHERE v.slot_id = ? AND v.revision = ?",
                (slot_id, revision),
            )
        return (version_record(namespace, name, rows[0]), rows[0][-1]) if rows else None

    def namespace(self, path: str) -> NamespaceRecord | None:
        """The namespace."""
        rows = fetch(
            self.connection,
            f"SELECT {NAMESPACE} FROM namespaces n WHERE n.path = ?",  # noqa: S608
            (path,),
        )
        return namespace_record(rows[0]) if rows else None

    def configured(self, paths: Collection[str]) -> list[NamespaceRecord]:
        """Those of ``paths`` that are configured."""
        found = [self.namespace(path) for path in paths]
        return [record for record in found if record is not None and record.configured]

    def namespaces(self, parent: str, after: str, limit: int, now_ms: int) -> list[NamespaceRecord]:
        """Namespaces that are configured or hold a live slot, by path."""
        within: str = ""
        parameters: tuple[str, ...] = ()
        if parent:
            within, parameters = " AND (n.path = ? OR (n.path >= ? AND n.path < ?))", (parent, *below(parent))
        rows = fetch(
            self.connection,
            f"SELECT {NAMESPACE} FROM namespaces n WHERE n.path > ?{within} AND (n.configured OR {_LIVE})"  # noqa: S608
            " ORDER BY n.path LIMIT ?",
            (after, *parameters, now_ms, limit),
        )
        return [namespace_record(row) for row in rows]

    def tasks_due(self, limit: int, now_ms: int) -> list[NamespaceRecord]:
        """Namespaces whose task has something to do now."""
        rows = fetch(
            self.connection,
            f"SELECT {NAMESPACE} FROM namespaces n INDEXED BY namespaces_by_task WHERE n.task_due_ms <= ?"  # noqa: S608
            " ORDER BY n.task_due_ms, n.path LIMIT ?",
            (now_ms, limit),
        )
        return [namespace_record(row) for row in rows]

    def live_count(self, path: str, now_ms: int) -> int:
        """How many live slots a namespace holds."""
        rows = fetch(
            self.connection,
            "SELECT n.slot_count - (SELECT count(*) FROM slots s INDEXED BY slots_by_expiry"
            " WHERE s.namespace_id = n.id AND s.expire_ms <= ?) FROM namespaces n WHERE n.path = ?",
            (now_ms, path),
        )
        return int(rows[0][0]) if rows else 0

    def feed(self, after: int, limit: int) -> Sequence[FeedRecord]:
        """Records of the feed after a revision, in order."""
        rows = fetch(
            self.connection,
            "SELECT revision, time_ms, record FROM feed WHERE revision > ? ORDER BY revision LIMIT ?",
            (after, limit),
        )
        return [feed_rows.decode(row) for row in rows]

    def _slot(self, namespace: str, name: str) -> tuple[SlotRecord, int] | None:
        rows = fetch(self.connection, _DESCRIBE, (namespace, name))
        return (slot_record(namespace, rows[0]), rows[0][-1]) if rows else None
