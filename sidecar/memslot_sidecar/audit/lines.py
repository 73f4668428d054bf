"""Lines of the audit trail: events rendered by structlog, numbered in their order, each line at most 16 KiB.

A line that would be longer is told in parts under one event id. All parts say who asked for what; names and changes are spread over
them, and what is counted (code, duration, bytes) stands in the last part only, so that sums over lines are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict

from memslot_sidecar.audit.event import SCHEMA_VERSION, Entry, Fields, rfc3339

LINE_LIMIT_BYTES = 16_384
"""Of a line with its newline. Collectors cut or drop longer ones."""

_ROOM_FOR_PART_BYTES = 64

_Tell = Callable[[Fields], None]


class Lines:
    """Renders events. Not thread-safe: one thread renders, in the order in which it writes.

    ``now_ms`` is where the time starts: the time of a line is never before that of the line above it, whatever the clock does.
    """

    def __init__(self, instance_id: str, store_id: str, now_ms: int = 0) -> None:
        self._sequence = 0
        self._time_ms = now_ms
        self._second = -1
        self._until_second = ""
        self._parts: dict[str, int] = {}
        self._context: EventDict = {
            "schema_version": SCHEMA_VERSION,
            "log": "audit",
            "event": "memslot.audit",
            "instance_id": instance_id,
            "store_id": store_id,
        }
        # Called directly: a bound logger and its chain of processors cost as much again.
        self._rendered = structlog.processors.JSONRenderer(serializer=orjson.dumps, option=orjson.OPT_APPEND_NEWLINE)

    def goes_on(self, event_id: str, parts: int) -> None:
        """Notes that an event has been told in part by an earlier process."""
        self._parts[event_id] = parts

    def render(self, entry: Entry) -> bytes:
        """The event's line; several where it is long, or a part of something longer."""
        self._time_ms = max(self._time_ms, entry.at_ms)
        if entry.last and (not self._parts or entry.event_id not in self._parts):
            line = self._line(entry.tell)
            if len(line) <= LINE_LIMIT_BYTES:
                self._sequence += 1
                return line
        return b"".join(self._in_parts(entry))

    def _in_parts(self, entry: Entry) -> Iterator[bytes]:
        fields: Fields = {}
        entry.tell(fields)
        event_id = fields["event_id"]
        before = self._parts.pop(event_id, 0)
        taken = len(self._line(_telling(fields | {"names": [], "changes": []})))
        chunks = list(_chunks(fields, LINE_LIMIT_BYTES - taken - _ROOM_FOR_PART_BYTES))
        fields.pop("changes", None)
        in_parts = before > 0 or len(chunks) > 1 or not entry.last
        for number, chunk in enumerate(chunks, start=before + 1):
            last = entry.last and number == before + len(chunks)
            part = {"part": number, "last_part": last} if in_parts else {}
            whole = (fields if last else _uncounted(fields)) | chunk | part
            yield self._line(_telling(whole))
            self._sequence += 1
        if not entry.last:
            self._parts[event_id] = before + len(chunks)

    def _line(self, tell: _Tell) -> bytes:
        try:
            return self._told(tell)
        except TypeError:
            # JSON knows no lone surrogates, which an embedded caller may have in its strings.
            return self._told(_repaired(tell))

    def _told(self, tell: _Tell) -> bytes:
        """A line at its place in the order."""
        event = {**self._context, "sequence": self._sequence + 1, "time": self._stamp()}
        tell(event)
        line: Any = self._rendered(None, "line", event)
        return line  # type: ignore[no-any-return]

    def _stamp(self) -> str:
        second, millisecond = divmod(self._time_ms, 1000)
        if second != self._second:
            self._second = second
            self._until_second = rfc3339(second * 1000)[:-4]
        return f"{self._until_second}{millisecond:03d}Z"


def _uncounted(fields: Fields) -> Fields:
    kept = {key: value for key, value in fields.items() if key not in ("count", "overwritten_revision")}
    return kept | {"code": None, "duration_us": None, "body_bytes": 0}


def _chunks(fields: Fields, room: int) -> Iterator[Fields]:
    """Names and changes in portions that take at most ``room`` bytes of JSON."""
    changes = {change["name"]: change for change in fields.get("changes", ())}
    items = [(name, changes.pop(name, None)) for name in fields["names"]]
    items += [(None, change) for change in changes.values()]
    names: list[str] = []
    changed: list[Fields] = []
    used = 0
    for name, change in items:
        needed = sum(_json_bytes(value) + 1 for value in (name, change) if value is not None)
        if used + needed > room and used:
            yield _chunk(names, changed)
            names, changed, used = [], [], 0
        used += needed
        if name is not None:
            names.append(name)
        if change is not None:
            changed.append(change)
    yield _chunk(names, changed)


def _chunk(names: list[str], changes: list[Fields]) -> Fields:
    return {"names": names, "changes": changes} if changes else {"names": names}


def _json_bytes(value: Any) -> int:
    try:
        return len(orjson.dumps(value))
    except TypeError:
        return len(orjson.dumps(_without_surrogates(value)))


def _telling(fields: Fields) -> _Tell:
    return lambda event: event.update(fields)


def _repaired(tell: _Tell) -> _Tell:
    def tell_repaired(event: Fields) -> None:
        told: Fields = {}
        tell(told)
        event.update(_without_surrogates(told))

    return tell_repaired


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {key: _without_surrogates(item) for key, item in value.items()}
    return value
