"""Records of the change feed as JSON text: one array a revision, in the order of the fields."""

from __future__ import annotations

from typing import Any

import orjson

from memslot_sidecar.model import Caller, CallInfo, Change, FeedRecord, SlotChange


def encode(record: FeedRecord) -> tuple[int, int, str]:
    """The row of ``feed``."""
    call = record.call
    caller = call.caller
    content = [
        record.namespace,
        record.outcome,
        [[change.name, change.change, change.previous_revision, change.body_bytes] for change in record.changes],
        [caller.id, caller.source, caller.verified],
        [
            call.event_id,
            call.operation,
            call.started_ms,
            call.request_id,
            call.agent,
            call.conversation,
            call.turn,
            call.trace_id,
            *([call.parent_event_id] if call.parent_event_id else []),
        ],
    ]
    return record.revision, record.time_ms, orjson.dumps(content).decode()


def decode(row: tuple[Any, ...]) -> FeedRecord:
    """The record in a row of ``feed``."""
    namespace, outcome, changes, (caller_id, source, verified), call = orjson.loads(row[2])
    event_id, operation, started_ms, *said = call
    return FeedRecord(
        revision=row[0],
        time_ms=row[1],
        namespace=namespace,
        call=CallInfo(event_id, operation, Caller(caller_id, source, verified), started_ms, *said),
        changes=tuple(SlotChange(name, Change(change), previous, size) for name, change, previous, size in changes),
        outcome=outcome,
    )
