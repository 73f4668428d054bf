"""The tables, and how an older file becomes the present one.

A file says in ``user_version`` which migrations it has had. Migrations only go forward, each in a transaction of its own; a file of a
newer version is refused untouched.

Why so many indexes on ``slots``: each order that is paged must come out of an index that also holds the name and the expiry, so
that a page of names touches neither the table's rows nor, ever, a body. Bodies have their own table for the same reason.
"""

from __future__ import annotations

import secrets
import uuid

import apsw

from memslot_sidecar.errors import StoreUnusable
from memslot_sidecar.stores.sqlite.connection import fetch

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE state(
  id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, time_ms INTEGER NOT NULL,
  namespaces INTEGER NOT NULL, slots INTEGER NOT NULL, stored_bytes INTEGER NOT NULL);
INSERT INTO state VALUES (1, 0, 0, 0, 0, 0);
CREATE TABLE roots(
  path TEXT PRIMARY KEY, namespaces INTEGER NOT NULL, slots INTEGER NOT NULL, stored_bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE namespaces(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, configured INTEGER NOT NULL,
  slot_count INTEGER NOT NULL, stored_bytes INTEGER NOT NULL, created_ms INTEGER NOT NULL);

CREATE TABLE slots(
  id INTEGER PRIMARY KEY, namespace_id INTEGER NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL,
  content_type TEXT NOT NULL, body_bytes INTEGER NOT NULL, description TEXT NOT NULL, task_type TEXT NOT NULL, tags TEXT NOT NULL,
  attributes TEXT NOT NULL, importance REAL NOT NULL, pinned INTEGER NOT NULL, origin INTEGER NOT NULL, written_by TEXT NOT NULL,
  rank REAL NOT NULL, access_count INTEGER NOT NULL, created_revision INTEGER NOT NULL, created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL, accessed_ms INTEGER, expire_ms INTEGER, lifetime INTEGER NOT NULL, ttl_ms INTEGER);
CREATE INDEX slots_by_name ON slots(namespace_id, name, expire_ms);
CREATE INDEX slots_by_rank ON slots(namespace_id, rank DESC, name, expire_ms);
CREATE INDEX slots_by_task_type ON slots(namespace_id, task_type, rank DESC, name, expire_ms) WHERE task_type <> '';
CREATE INDEX slots_by_update ON slots(namespace_id, updated_ms DESC, name, expire_ms);
CREATE INDEX slots_by_creation ON slots(namespace_id, created_revision, name);
CREATE INDEX slots_by_expiry ON slots(namespace_id, expire_ms);
CREATE INDEX slots_expiring ON slots(expire_ms) WHERE expire_ms IS NOT NULL;
CREATE TABLE bodies(slot_id INTEGER PRIMARY KEY, body BLOB NOT NULL);

CREATE TABLE slot_tags(
  namespace_id INTEGER NOT NULL, tag TEXT NOT NULL, rank REAL NOT NULL, name TEXT NOT NULL, slot_id INTEGER NOT NULL,
  expire_ms INTEGER, PRIMARY KEY (namespace_id, tag, rank DESC, name)) WITHOUT ROWID;
CREATE TABLE slot_attributes(
  slot_id INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL, value, PRIMARY KEY (slot_id, key)) WITHOUT ROWID;

CREATE TABLE versions(
  id INTEGER PRIMARY KEY, slot_id INTEGER NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL, content_type TEXT NOT NULL,
  body_bytes INTEGER NOT NULL, description TEXT NOT NULL, updated_ms INTEGER NOT NULL, written_by TEXT NOT NULL,
  origin INTEGER NOT NULL);
CREATE UNIQUE INDEX versions_by_slot ON versions(slot_id, revision DESC);
CREATE TABLE version_bodies(version_id INTEGER PRIMARY KEY, body BLOB NOT NULL);

CREATE TABLE feed(revision INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, record TEXT NOT NULL);
CREATE TABLE answers(
  caller TEXT NOT NULL, request_id TEXT NOT NULL, method TEXT NOT NULL, digest BLOB NOT NULL, reply BLOB NOT NULL,
  expire_ms INTEGER NOT NULL, PRIMARY KEY (caller, request_id)) WITHOUT ROWID;
CREATE INDEX answers_by_expiry ON answers(expire_ms);
"""

_SUPPLIED = """
ALTER TABLE slots ADD COLUMN vector_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE slots ADD COLUMN summary_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE namespaces ADD COLUMN vector_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE namespaces ADD COLUMN vector_dimensions INTEGER;
CREATE TABLE supplied(slot_id INTEGER PRIMARY KEY, vector BLOB, summary TEXT);
"""

_TASKS = """
ALTER TABLE namespaces ADD COLUMN task TEXT;
ALTER TABLE namespaces ADD COLUMN task_due_ms INTEGER;
CREATE INDEX namespaces_by_task ON namespaces(task_due_ms) WHERE task_due_ms IS NOT NULL;
"""

_COPY = "copy"

MIGRATIONS: tuple[str, ...] = (_TABLES, _SUPPLIED, _TASKS)
"""The step to version n + 1 stands at position n. A step that was released never changes."""


def prepare(connection: apsw.Connection) -> None:
    """Brings the file to the present version, and gives a new one its identity. Raises StoreUnusable for a newer file."""
    version = int(connection.pragma("user_version"))
    if version > len(MIGRATIONS):
        raise StoreUnusable(
            f"the store was written by a newer memslot (its schema has version {version}, this one knows {len(MIGRATIONS)}): "
            "install the newer version again, or restore an older backup"
        )
    connection.pragma("journal_mode", "wal")
    for step in range(version, len(MIGRATIONS)):
        with connection:
            connection.execute(MIGRATIONS[step])
            connection.pragma("user_version", step + 1)
    known = {key for (key,) in fetch(connection, "SELECT key FROM meta")}
    if "store_id" not in known:
        with connection:
            renew_identity(connection)
            connection.execute("INSERT INTO meta VALUES ('digest_key', ?)", (secrets.token_bytes(32),))
    elif _COPY in known:
        with connection:
            renew_identity(connection)
            connection.execute("DELETE FROM meta WHERE key = ?", (_COPY,))


def renew_identity(connection: apsw.Connection) -> None:
    """Makes the file another store, so that page tokens of the one that it was copied from are refused."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('store_id', ?)", (uuid.uuid4().hex,))


def mark_copy(connection: apsw.Connection) -> None:
    """Makes a copy another store now, and yet another each time that it is put in place and opened: revisions are not used twice."""
    renew_identity(connection)
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, 1)", (_COPY,))
