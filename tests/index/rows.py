"""The tables that a compiled filter asks, filled from slots as a filter sees them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
from tests.index.strategies import Facts

from memslot_index.compile_sql import compile_filter
from memslot_index.filters import Filter, Scalar

_SCHEMA = """
CREATE TABLE slots(
  id INTEGER PRIMARY KEY, namespace_id INTEGER NOT NULL, name TEXT NOT NULL, task_type TEXT NOT NULL, importance REAL NOT NULL,
  body_bytes INTEGER NOT NULL, origin INTEGER NOT NULL, rank REAL NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
  accessed_ms INTEGER, expire_ms INTEGER);
CREATE INDEX slots_by_name ON slots(namespace_id, name);
CREATE TABLE slot_tags(
  namespace_id INTEGER NOT NULL, tag TEXT NOT NULL, rank REAL NOT NULL, name TEXT NOT NULL, slot_id INTEGER NOT NULL,
  expire_ms INTEGER, PRIMARY KEY (namespace_id, tag, rank DESC, name)) WITHOUT ROWID;
CREATE TABLE slot_attributes(
  slot_id INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL, value, PRIMARY KEY (slot_id, key)) WITHOUT ROWID;
"""
_TYPES = {bool: "b", str: "s", int: "i", float: "d"}


class Rows:
    """An SQLite database in RAM that holds slots; each is in a namespace of its own, so that names may repeat."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.execute(_SCHEMA)

    def fill(self, slots: Sequence[Facts]) -> None:
        """Replaces what is held; a slot's id is its position."""
        self.connection.execute("DELETE FROM slots; DELETE FROM slot_tags; DELETE FROM slot_attributes")
        for position, slot in enumerate(slots):
            self._insert(position, slot)

    def matching(self, condition: Filter) -> list[int]:
        """The positions of the slots that a compiled filter selects."""
        compiled = compile_filter(condition)
        sql = f"SELECT s.id FROM slots s WHERE {compiled.sql} ORDER BY s.id"
        return [row[0] for row in self.connection.execute(sql, compiled.params)]

    def truth(self, condition: Filter) -> list[int | None]:
        """The value of the condition for each slot, as SQLite computes it."""
        compiled = compile_filter(condition)
        return [
            row[0]
            for row in self.connection.execute(f"SELECT {compiled.sql} FROM slots s ORDER BY s.id", compiled.params)
        ]

    def _insert(self, position: int, slot: Facts) -> None:
        rank = position / 3
        facts = (slot.name, slot.task_type, slot.importance, slot.body_bytes, slot.origin, rank)
        times = (slot.created_ms, slot.updated_ms, slot.accessed_ms, slot.expire_ms)
        row = (position, position, *facts, *times)
        self.connection.execute(f"INSERT INTO slots VALUES ({','.join('?' * len(row))})", row)
        tags = [(position, tag, rank, slot.name, position, slot.expire_ms) for tag in slot.tags]
        self.connection.executemany("INSERT INTO slot_tags VALUES (?, ?, ?, ?, ?, ?)", tags)
        attributes = [(position, key, *_typed(value)) for key, value in slot.attributes.items()]
        self.connection.executemany("INSERT INTO slot_attributes VALUES (?, ?, ?, ?)", attributes)


def _typed(value: Scalar) -> tuple[str, Scalar]:
    return _TYPES[type(value)], int(value) if isinstance(value, bool) else value
