"""What an audit event tells, field by field, in the order of its line. Never a body, and never an error's text, which might hold one.

The fields are described in ``event.schema.json``. What a caller says about itself is cut to 256 bytes, so that no caller can make a line
long; only the names of an operation over many slots can, and such an event is told in parts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memslot_sidecar.call import Call
from memslot_sidecar.model import SYSTEM, Caller, Change, FeedRecord, SlotChange

SCHEMA_VERSION = 1
TEXT_LIMIT_BYTES = 256
NAMESPACE_LIMIT_BYTES = 1031
"""Eight segments of 128 bytes and the slashes between them."""
NAMES_PER_WEIGHT = 64
"""An event over many names counts as many in the queue's bound, since it takes as much memory."""

Fields = dict[str, Any]

_BODY_CHANGES = frozenset({Change.CREATED, Change.OVERWRITTEN, Change.APPENDED, Change.PATCHED})
_OVERWRITING = _BODY_CHANGES - {Change.CREATED}


@dataclass(slots=True)
class Answered:
    """The event of a call that the change feed does not hold: a read, a refusal, a failure, or a mutation that changed nothing."""

    call: Call
    code: str
    duration_us: int

    revision = 0
    last = True

    @property
    def event_id(self) -> str:
        """The operation's."""
        return self.call.event_id

    @property
    def weight(self) -> int:
        """How much of the queue's bound the event takes."""
        return 1 + len(self.call.names) // NAMES_PER_WEIGHT

    @property
    def at_ms(self) -> int:
        """When the operation ended."""
        return self.call.started_ms + self.duration_us // 1000

    def tell(self, fields: Fields) -> None:
        """Adds the event's fields to those of its line."""
        call = self.call
        fields["event_id"] = call.event_id
        fields["operation"] = call.operation
        fields["namespace"] = bounded(call.namespace, NAMESPACE_LIMIT_BYTES)
        fields["names"] = [bounded(name) for name in call.names]
        fields["outcome"] = (call.outcome or "DONE") if self.code == "OK" else "FAILED"
        fields["code"] = self.code
        fields["caller"] = _caller(call.caller)
        fields["duration_us"] = self.duration_us
        fields["body_bytes"] = call.body_bytes
        if call.revision:
            fields["revision"] = call.revision
        if call.count is not None:
            fields["count"] = call.count
        if call.repeated:
            fields["repeated"] = True
        _add_said(fields, call)


@dataclass(slots=True)
class Recorded:
    """The event of one revision of the change feed.

    ``call`` is the call that made it, when it was answered in this process; ``code`` and ``duration_us`` then are real. With ``last``
    False it is a part of an operation that takes several revisions. ``recovered`` events are told from the feed alone.
    """

    record: FeedRecord
    call: Call | None = None
    code: str | None = None
    duration_us: int | None = None
    last: bool = True
    recovered: bool = False

    @property
    def event_id(self) -> str:
        """The operation's."""
        return self.record.call.event_id

    @property
    def revision(self) -> int:
        """The revision that is told."""
        return self.record.revision

    @property
    def weight(self) -> int:
        """How much of the queue's bound the event takes."""
        return 1 + len(self.record.changes) // NAMES_PER_WEIGHT

    @property
    def at_ms(self) -> int:
        """When the operation ended, as far as that is known."""
        ended_ms = self.record.call.started_ms + (self.duration_us or 0) // 1000
        return max(self.record.time_ms, ended_ms)

    def tell(self, fields: Fields) -> None:
        """Adds the event's fields to those of its line."""
        record, call = self.record, self.call
        info = record.call
        fields["event_id"] = info.event_id
        fields["operation"] = info.operation
        fields["namespace"] = bounded(record.namespace, NAMESPACE_LIMIT_BYTES)
        fields["names"] = self._names()
        fields["outcome"] = record.outcome
        fields["code"] = self.code
        fields["caller"] = _caller(info.caller)
        fields["duration_us"] = self.duration_us
        fields["body_bytes"] = _written_bytes(record.changes) if call is None else call.body_bytes
        fields["revision"] = record.revision
        fields["mutation"] = True
        overwritten = [c.previous_revision for c in record.changes if c.change in _OVERWRITING]
        if len(overwritten) == 1:
            fields["overwritten_revision"] = overwritten[0]
        if any(change.change.value != record.outcome for change in record.changes):
            fields["changes"] = [_change(change) for change in record.changes]
        if call is not None and call.count is not None:
            fields["count"] = call.count
        if self.recovered:
            fields["recovered"] = True
            fields["commit_time"] = rfc3339(record.time_ms)
        _add_said(fields, info)

    def _names(self) -> list[str]:
        """The slots that changed, then those that the call named besides."""
        names = [change.name for change in self.record.changes if change.name]
        if self.call is not None and len(self.call.names) > 0 and list(self.call.names) != names:
            changed = set(names)
            names += [name for name in self.call.names if name not in changed]
        return [bounded(name) for name in names]


@dataclass(slots=True)
class Dropped:
    """Tells that events were dropped, under the policy that allows it."""

    event_id: str
    count: int
    at_ms: int

    revision = 0
    last = True
    weight = 1

    def tell(self, fields: Fields) -> None:
        """Adds the event's fields to those of its line."""
        fields |= {
            "event_id": self.event_id,
            "operation": "AuditOverflow",
            "namespace": "",
            "names": [],
            "outcome": "DROPPED",
            "code": "OK",
            "caller": _caller(SYSTEM),
            "duration_us": None,
            "body_bytes": 0,
            "count": self.count,
        }


Entry = Answered | Recorded | Dropped
"""What waits to be told. Rendered by the writer, off the request's path."""


def bounded(text: str, limit_bytes: int = TEXT_LIMIT_BYTES) -> str:
    """The text, cut to whole characters within a number of bytes of UTF-8."""
    if len(text) * 4 <= limit_bytes:
        return text
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= limit_bytes:
        return text
    return encoded[:limit_bytes].decode("utf-8", "ignore")


def rfc3339(time_ms: int) -> str:
    """A time in UTC with milliseconds; such texts sort as the times do."""
    second, millisecond = divmod(time_ms, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(second))}.{millisecond:03d}Z"


def _caller(caller: Caller) -> Fields:
    return {"id": bounded(caller.id), "source": bounded(caller.source), "verified": caller.verified}


def _add_said(fields: Fields, who: Any) -> None:
    """Adds what a Call or a CallInfo says about its circumstances, where it says anything."""
    if who.agent:
        fields["agent"] = bounded(who.agent)
    if who.conversation:
        fields["conversation"] = bounded(who.conversation)
    if who.turn:
        fields["turn"] = bounded(who.turn)
    if who.request_id:
        fields["request_id"] = bounded(who.request_id)
    if who.trace_id:
        fields["trace_id"] = bounded(who.trace_id)
    if who.parent_event_id:
        fields["parent_event_id"] = who.parent_event_id


def _change(change: SlotChange) -> Fields:
    fields: Fields = {"name": bounded(change.name), "change": change.change.value}
    if change.change in _OVERWRITING:
        fields["overwritten_revision"] = change.previous_revision
    return fields


def _written_bytes(changes: Sequence[SlotChange]) -> int:
    return sum(change.body_bytes for change in changes if change.change in _BODY_CHANGES)
