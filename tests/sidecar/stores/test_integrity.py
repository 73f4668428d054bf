"""A check finds what is wrong, and tells it without content."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from tests.contract.writing import write

from memslot_sidecar.model import NamespaceRecord, NamespaceSettings, Sealed, Supplied, TaskState
from memslot_sidecar.stores.sqlite import SqliteStore

DAMAGE = {
    "slots of an unknown namespace": "UPDATE slots SET namespace_id = 99 WHERE name = 'x'",
    "slots that share their name": "UPDATE slots SET name = 'x' WHERE name = 'y'",
    "slots without a body": "DELETE FROM bodies WHERE slot_id = 1",
    "bodies without a slot": "INSERT INTO bodies VALUES (99, x'00')",
    "bodies of another size than said": "UPDATE bodies SET body = x'00' WHERE slot_id = 1",
    "vectors or summaries without a slot": "INSERT INTO supplied VALUES (99, NULL, 's')",
    "vectors or summaries of another size than said": "DELETE FROM supplied",
    "namespaces that are wrong about their vectors": "UPDATE namespaces SET vector_dimensions = 3",
    "versions without a slot": "UPDATE versions SET slot_id = 99",
    "versions without a body": "DELETE FROM version_bodies",
    "bodies without a version": "INSERT INTO version_bodies VALUES (99, x'00')",
    "tags that no slot has": "INSERT INTO slot_tags VALUES (1, 'u', 1.0, 'x', 1, NULL)",
    "tags that are not indexed": "DELETE FROM slot_tags",
    "attributes that no slot has": "INSERT INTO slot_attributes VALUES (1, 'other', 's', 'v')",
    "attributes that are not indexed": "DELETE FROM slot_attributes",
    "namespaces with wrong counters": "UPDATE namespaces SET stored_bytes = stored_bytes + 1",
    "empty namespaces without settings": "INSERT INTO namespaces VALUES (9, 'e', '{}', 0, 0, 0, 0, 0, NULL, NULL, NULL)",
    "tasks that cannot be read": "UPDATE namespaces SET task = '[1, 0, 5]' WHERE path = 't'",
    "tasks with a wrong due time": "UPDATE namespaces SET task_due_ms = 6 WHERE path = 't'",
    "roots with wrong sums": "UPDATE roots SET slots = 7",
    "wrong sums over the store": "UPDATE state SET slots = 7",
    "gaps in the change feed": "DELETE FROM feed WHERE revision = 2",
}


@pytest.mark.parametrize("problem", DAMAGE)
async def test_each_kind_of_damage_is_found(tmp_path: Path, problem: str) -> None:
    """Every table that another one depends on is checked against it."""
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n/m", "x", b"secret body", keep_versions=2, tags=("t",), attributes={"k": "v"})
    await write(store, "n/m", "x", b"secret body 2", keep_versions=2)
    await write(store, "n/m", "y", b"secret body 3", supplied=Supplied(b"\0" * 8, "secret summary"))
    task = NamespaceRecord("t", NamespaceSettings(), False, 0, 0, 0, task=TaskState(2, 7, sealed=(Sealed(1, 5),)))
    await store.transact(lambda tx: tx.put_namespace(task))
    assert (await store.check()).problems == []
    connection = apsw.Connection(str(tmp_path / "memslot.db"))
    connection.execute(DAMAGE[problem])
    connection.close()
    report = await store.check()
    assert any(problem in found for found in report.problems)
    assert "secret" not in str(report)
    await store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE namespaces SET vector_count = 1",
        "UPDATE namespaces SET vector_dimensions = NULL",
        "UPDATE namespaces SET vector_count = 0, vector_dimensions = NULL",
        "UPDATE slots SET vector_bytes = 12",
        "UPDATE slots SET summary_bytes = 1",
        "UPDATE supplied SET summary = NULL",
        "UPDATE supplied SET vector = x'00'",
    ],
)
async def test_whatever_is_wrong_with_vectors_is_found(tmp_path: Path, damage: str) -> None:
    """Sizes, counts and dimensions that do not agree are told."""
    store = SqliteStore(tmp_path)
    await store.start()
    await write(store, "n", "x", supplied=Supplied(b"\0" * 8, "s"))
    await write(store, "n", "y", supplied=Supplied(b"\0" * 8, "ü"))
    assert (await store.check()).problems == []
    connection = apsw.Connection(str(tmp_path / "memslot.db"))
    connection.execute(damage)
    connection.close()
    assert any("vectors" in found for found in (await store.check()).problems)
    await store.close()


async def test_a_torn_page_is_found(tmp_path: Path) -> None:
    """Bytes that changed in the file itself are found by the check, or the file is refused as damaged."""
    store = SqliteStore(tmp_path)
    await store.start()
    for number in range(200):
        await write(store, "n", f"slot-{number}", b"x" * 500)
    await store.close()
    path = tmp_path / "memslot.db"
    content = bytearray(path.read_bytes())
    connection = apsw.Connection(str(path))
    page = connection.execute("SELECT max(pageno) FROM dbstat WHERE name = 'slots_by_name'").fetchall()[0][0]
    connection.close()
    content[(page - 1) * 4096 : (page - 1) * 4096 + 64] = bytes(64)
    path.write_bytes(content)
    store = SqliteStore(tmp_path)
    await store.start()
    report = await store.check()
    assert any(problem.startswith("file: ") for problem in report.problems)
    await store.close()


@pytest.mark.parametrize(
    "task",
    [
        "'torn'",
        "'[1, 0, 7, [[1]]]'",
        "'[1, 3, 7, []]'",
        "'[0, 0, 7, []]'",
        "'[1, 0, null, []]'",
        "'{}'",
        "'[1, 0, 7, [[1, \"x\"]]]'",
    ],
)
async def test_a_task_that_makes_no_sense_is_found(tmp_path: Path, task: str) -> None:
    """Whatever stands in the column instead of a task."""
    store = SqliteStore(tmp_path)
    await store.start()
    record = NamespaceRecord("t", NamespaceSettings(), False, 0, 0, 0, task=TaskState(2, 7))
    await store.transact(lambda tx: tx.put_namespace(record))
    assert (await store.check()).problems == []
    connection = apsw.Connection(str(tmp_path / "memslot.db"))
    connection.execute(f"UPDATE namespaces SET task = {task}")
    connection.close()
    assert (await store.check()).problems == ["1 tasks that cannot be read"]
    await store.close()
