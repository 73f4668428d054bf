"""Finding out which revisions a file already tells."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from memslot_sidecar.audit.event import rfc3339
from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.audit.sinks.tail import lines_from_end


class Scan:
    """Collects what lines tell of the revisions above ``after``. The lines come last one first, file after file."""

    def __init__(self, after: int, since_ms: int) -> None:
        self._after = after
        self._since = rfc3339(since_ms)
        self._names: dict[tuple[str, int], set[str]] = {}
        self._parts: dict[str, int] = {}
        self._last_time = ""
        self.done = False

    def take(self, lines: Iterable[bytes]) -> None:
        """Reads on until a line that was written before what is sought; then the scan is done."""
        for line in lines:
            event = _event(line)
            if event is None:
                continue
            time = event["time"]
            self._last_time = max(self._last_time, time)
            if time < self._since:
                self.done = True
                return
            if event.get("mutation") and event["revision"] > self._after:
                self._note(event)

    def take_files(self, paths: Iterable[Path]) -> None:
        """Reads whole files, the one written last first; what they tell is durable then. Raises OSError."""
        files = [path for path in paths if path.is_file()]
        for path in sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True):
            if self.done:
                return
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fdatasync(fd)
                self.take(lines_from_end(fd, os.fstat(fd).st_size))
            finally:
                os.close(fd)

    def told(self) -> Told:
        """What was found."""
        return Told(self._names, self._parts, _time_ms(self._last_time) if self._last_time else 0)

    def _note(self, event: dict[str, Any]) -> None:
        event_id = event["event_id"]
        self._names.setdefault((event_id, event["revision"]), set()).update(event["names"])
        if "part" in event:
            self._parts[event_id] = max(self._parts.get(event_id, 0), event["part"])


def _event(line: bytes) -> dict[str, Any] | None:
    """The audit event in a line, if it is one."""
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(event, dict) or event.get("log") != "audit":
        return None
    return event if {"time", "event_id", "names"} <= event.keys() else None


def _time_ms(rfc3339_time: str) -> int:
    return round(datetime.fromisoformat(rfc3339_time.removesuffix("Z") + "+00:00").timestamp() * 1000)
