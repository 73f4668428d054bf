"""What waits for a vector, as it is asked for again and again while vectors are made."""

from __future__ import annotations

import apsw
import pytest

from memslot_index.database import documents, schema
from memslot_index.database.documents import Row


@pytest.fixture
def connection() -> apsw.Connection:
    """Documents of a hundred spaces, of which every tenth has some that wait."""
    connection = apsw.Connection(":memory:")
    assert schema.prepare(connection)
    rows = [
        Row(space << 32 | at, space, f"n{at}", at + 1, at, "", "", waiting=space % 10 == 0 and at < 3)
        for space in range(1, 101)
        for at in range(5)
    ]
    documents.put(connection, rows)
    return connection


def test_spaces_that_wait_are_found_without_the_others(connection: apsw.Connection) -> None:
    """Just those with documents that wait, by one statement that reads the index of what waits and nothing else."""
    asked: list[str] = []
    connection.exec_trace = lambda _cursor, sql, _bindings: asked.append(sql) or True
    assert documents.waiting_spaces(connection) == list(range(10, 101, 10))
    assert documents.waiting_count(connection, 10) == 3
    assert documents.waiting_count(connection, 11) == 0
    connection.exec_trace = None
    assert len(asked) == 3
    plan = [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + asked[0])]
    assert [step for step in plan if "documents" in step and "INDEX documents_waiting" not in step] == []


def test_where_nothing_waits_nothing_is_found(connection: apsw.Connection) -> None:
    """An index that is complete has no space that waits."""
    connection.execute("UPDATE documents SET waiting = 0")
    assert documents.waiting_spaces(connection) == []
