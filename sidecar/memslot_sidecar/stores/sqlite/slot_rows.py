"""Changes one slot in all its tables: the slot, its body and what was sent with it, its versions, its tags and attributes."""

from __future__ import annotations

import apsw

from memslot_sidecar.model import SlotRecord, Supplied
from memslot_sidecar.stores.changes import SlotPut, SlotRemoved
from memslot_sidecar.stores.sqlite.records import COLUMNS, attribute_rows, slot_values

_CHANGING = tuple(column for column in COLUMNS if column not in ("name", "created_revision", "created_ms"))
_INSERT = f"INSERT INTO slots (namespace_id, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"  # noqa: S608
_UPDATE = f"UPDATE slots SET {', '.join(f'{column} = ?' for column in _CHANGING)} WHERE id = ?"  # noqa: S608
_KEPT = tuple(position for position, column in enumerate(COLUMNS) if column in _CHANGING)


def insert(connection: apsw.Connection, namespace_id: int, put: SlotPut) -> int:
    """Adds a slot; answers its row's id."""
    record = put.record
    connection.execute(_INSERT, (namespace_id, *slot_values(record)))
    slot_id = connection.last_insert_rowid()
    connection.execute("INSERT INTO bodies VALUES (?, ?)", (slot_id, put.body))
    if put.supplied is not None:
        _supply(connection, slot_id, put.supplied)
    _add_tags(connection, namespace_id, slot_id, record)
    _add_attributes(connection, slot_id, record)
    return slot_id


def update(connection: apsw.Connection, namespace_id: int, slot_id: int, put: SlotPut) -> None:
    """Replaces a slot's record, and its body and what was sent with it if there is something new."""
    previous, record = put.previous, put.record
    assert previous is not None
    if put.keep_previous:
        _keep_version(connection, slot_id, previous)
    for revision in put.dropped:
        _drop_version(connection, slot_id, revision)
    values = slot_values(record)
    connection.execute(_UPDATE, (*[values[position] for position in _KEPT], slot_id))
    if put.body is not None:
        connection.execute("UPDATE bodies SET body = ? WHERE slot_id = ?", (put.body, slot_id))
    if put.supplied is not None:
        _supply(connection, slot_id, put.supplied)
    elif previous.supplied_bytes and not record.supplied_bytes:
        _withdraw(connection, slot_id)
    if previous.tags != record.tags or (previous.rank, previous.expire_ms) != (record.rank, record.expire_ms):
        _remove_tags(connection, namespace_id, previous)
        _add_tags(connection, namespace_id, slot_id, record)
    if previous.attributes != record.attributes or _types(previous) != _types(record):
        connection.execute("DELETE FROM slot_attributes WHERE slot_id = ?", (slot_id,))
        _add_attributes(connection, slot_id, record)


def remove(connection: apsw.Connection, namespace_id: int, slot_id: int, removed: SlotRemoved) -> None:
    """Removes a slot from all tables."""
    record = removed.record
    connection.execute("DELETE FROM slots WHERE id = ?", (slot_id,))
    connection.execute("DELETE FROM bodies WHERE slot_id = ?", (slot_id,))
    if record.supplied_bytes:
        _withdraw(connection, slot_id)
    _remove_tags(connection, namespace_id, record)
    if record.attributes:
        connection.execute("DELETE FROM slot_attributes WHERE slot_id = ?", (slot_id,))
    if removed.kept:
        _drop_versions(connection, slot_id)


def access(
    connection: apsw.Connection, namespace_id: int, slot_id: int, record: SlotRecord, accessed: SlotRecord
) -> None:
    """Replaces a slot's rank and its count of accesses."""
    connection.execute(
        "UPDATE slots SET rank = ?, access_count = ?, accessed_ms = ? WHERE id = ?",
        (accessed.rank, accessed.access_count, accessed.accessed_ms, slot_id),
    )
    _remove_tags(connection, namespace_id, record)
    _add_tags(connection, namespace_id, slot_id, accessed)


def _supply(connection: apsw.Connection, slot_id: int, supplied: Supplied) -> None:
    vector, summary = supplied.vector or None, supplied.summary or None
    if vector is None and summary is None:
        _withdraw(connection, slot_id)
    else:
        connection.execute("INSERT OR REPLACE INTO supplied VALUES (?, ?, ?)", (slot_id, vector, summary))


def _withdraw(connection: apsw.Connection, slot_id: int) -> None:
    connection.execute("DELETE FROM supplied WHERE slot_id = ?", (slot_id,))


def _keep_version(connection: apsw.Connection, slot_id: int, record: SlotRecord) -> None:
    connection.execute(
        "INSERT INTO versions (slot_id, revision, version, content_type, body_bytes, description, updated_ms, written_by, origin)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            slot_id,
            record.revision,
            record.version,
            record.content_type,
            record.body_bytes,
            record.description,
            record.updated_ms,
            record.written_by,
            record.origin.value,
        ),
    )
    connection.execute(
        "INSERT INTO version_bodies SELECT ?, body FROM bodies WHERE slot_id = ?",
        (connection.last_insert_rowid(), slot_id),
    )


def _drop_version(connection: apsw.Connection, slot_id: int, revision: int) -> None:
    connection.execute(
        "DELETE FROM version_bodies WHERE version_id = (SELECT id FROM versions WHERE slot_id = ? AND revision = ?)",
        (slot_id, revision),
    )
    connection.execute("DELETE FROM versions WHERE slot_id = ? AND revision = ?", (slot_id, revision))


def _drop_versions(connection: apsw.Connection, slot_id: int) -> None:
    connection.execute(
        "DELETE FROM version_bodies WHERE version_id IN (SELECT id FROM versions WHERE slot_id = ?)", (slot_id,)
    )
    connection.execute("DELETE FROM versions WHERE slot_id = ?", (slot_id,))


def _add_tags(connection: apsw.Connection, namespace_id: int, slot_id: int, record: SlotRecord) -> None:
    for tag in record.tags:
        connection.execute(
            "INSERT INTO slot_tags VALUES (?, ?, ?, ?, ?, ?)",
            (namespace_id, tag, record.rank, record.name, slot_id, record.expire_ms),
        )


def _remove_tags(connection: apsw.Connection, namespace_id: int, record: SlotRecord) -> None:
    for tag in record.tags:
        connection.execute(
            "DELETE FROM slot_tags WHERE namespace_id = ? AND tag = ? AND rank = ? AND name = ?",
            (namespace_id, tag, record.rank, record.name),
        )


def _add_attributes(connection: apsw.Connection, slot_id: int, record: SlotRecord) -> None:
    if record.attributes:
        connection.executemany(
            "INSERT INTO slot_attributes VALUES (?, ?, ?, ?)", attribute_rows(slot_id, record.attributes)
        )


def _types(record: SlotRecord) -> list[type]:
    return [type(value) for value in record.attributes.values()]
