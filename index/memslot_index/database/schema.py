"""The tables of the index's file; those for full text are made when they are needed (see words.py)."""

from __future__ import annotations

import secrets

import apsw

from memslot_index.database import summaries
from memslot_index.database.rows import fetch

VERSION = 5
"""Of the tables. A file of another version is made anew."""

_FIRST_SPACE = 1 << 30

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE spaces(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, next_local INTEGER NOT NULL, complete INTEGER NOT NULL,
  vectors INTEGER NOT NULL, model TEXT NOT NULL, dimensions INTEGER NOT NULL, words INTEGER NOT NULL,
  place INTEGER NOT NULL);
CREATE TABLE documents(
  id INTEGER PRIMARY KEY, space INTEGER NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL,
  task_type TEXT NOT NULL, digest TEXT NOT NULL, waiting INTEGER NOT NULL, truncated INTEGER NOT NULL,
  speaker TEXT NOT NULL, context INTEGER NOT NULL);
CREATE UNIQUE INDEX documents_by_name ON documents(space, name);
CREATE INDEX documents_by_turn ON documents(space, task_type, created, id);
CREATE INDEX documents_waiting ON documents(space, revision, waiting) WHERE waiting;
CREATE INDEX documents_truncated ON documents(space, truncated) WHERE truncated;
CREATE INDEX documents_by_speaker ON documents(space) WHERE speaker <> '';
CREATE INDEX documents_by_context ON documents(context) WHERE context > 0;
CREATE TABLE vectors(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, vector BLOB NOT NULL);
CREATE INDEX vectors_by_seq ON vectors(seq);
CREATE INDEX vectors_by_id ON vectors(id);
"""


def prepare(connection: apsw.Connection) -> bool:
    """Makes the tables of a new file; False when the file is of another version."""
    version = int(connection.pragma("user_version"))
    if version == VERSION:
        return True
    if version or fetch(connection, "SELECT 1 FROM sqlite_schema LIMIT 1"):
        return False
    with connection:
        connection.execute(_TABLES)
        connection.execute(summaries.TABLES)
        # What else keeps something of a space knows it by its number, which must not come again in another file.
        connection.execute("INSERT INTO sqlite_sequence VALUES ('spaces', ?)", (secrets.randbelow(_FIRST_SPACE),))
        connection.pragma("user_version", VERSION)
    return True


def check(connection: apsw.Connection) -> list[str]:
    """What is wrong with the file, a line each; nothing when it is sound. Of full text it is told too where words and documents disagree."""
    try:
        lines = [row[0] for row in fetch(connection, "PRAGMA integrity_check")]
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError) as error:
        return [str(error)]
    return [] if lines == ["ok"] else lines


def meta(connection: apsw.Connection, key: str) -> str | int | None:
    """A value that was kept under ``key``."""
    rows = fetch(connection, "SELECT value FROM meta WHERE key = ?", (key,))
    value: str | int | None = rows[0][0] if rows else None
    return value


def set_meta(connection: apsw.Connection, key: str, value: str | int) -> None:
    """Keeps a value under ``key``."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
