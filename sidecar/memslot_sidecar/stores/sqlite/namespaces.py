"""Rows of ``namespaces`` as domain values, and back."""

from __future__ import annotations

from typing import Any

import orjson

from memslot_sidecar.model import CLOSED_SETTINGS, NamespaceRecord, NamespaceSettings, Sealed, TaskOutcome, TaskState

NAMESPACE = "n.path, n.settings, n.configured, n.slot_count, n.stored_bytes, n.created_ms, n.vector_count, n.vector_dimensions, n.task"
"""A namespace's columns of alias ``n``."""


def namespace_record(row: tuple[Any, ...]) -> NamespaceRecord:
    """The namespace in a row of :data:`NAMESPACE`."""
    task = _decode_task(row[8])
    slots, stored, created, vectors, dimensions = row[3:8]
    settings = decode_settings(row[1])
    return NamespaceRecord(row[0], settings, row[2] == 1, slots, stored, created, vectors, dimensions, task)


def encode_task(task: TaskState | None) -> tuple[str | None, int | None]:
    """The columns ``task`` and ``task_due_ms``."""
    if task is None:
        return None, None
    sealed = [(one.attempt, one.clear_ms) for one in task.sealed]
    return orjson.dumps([task.attempt, int(task.ended), task.forget_ms, sealed]).decode(), task.due_ms


def _decode_task(text: str | None) -> TaskState | None:
    if text is None:
        return None
    attempt, ended, forget_ms, sealed = orjson.loads(text)
    return TaskState(attempt, forget_ms, TaskOutcome(ended), tuple(Sealed(*one) for one in sealed))


def encode_settings(settings: NamespaceSettings) -> str:
    """The settings as JSON: those that are set, by name."""
    names = NamespaceSettings.__slots__
    return orjson.dumps({name: value for name in names if (value := getattr(settings, name)) is not None}).decode()


def decode_settings(text: str) -> NamespaceSettings:
    """The settings in JSON text."""
    if text == "{}":
        return NamespaceSettings()
    fields: dict[str, Any] = orjson.loads(text)
    for name, kind in CLOSED_SETTINGS.items():
        if name in fields:
            fields[name] = kind(fields[name])
    return NamespaceSettings(**fields)
