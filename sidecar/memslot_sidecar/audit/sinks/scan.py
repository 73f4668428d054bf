"""Finding out which revisions files already tell."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memslot_sidecar.audit.event import rfc3339
from memslot_sidecar.audit.readback import is_event, json_object, time_ms
from memslot_sidecar.audit.sinks.base import Told
from memslot_sidecar.audit.sinks.tail import lines_from_end

_log = logging.getLogger(__name__)


class Scan:
    """Collects what lines tell of the revisions above ``after``. The lines of a file come last one first; the files in any order."""

    def __init__(self, after: int, since_ms: int) -> None:
        self._after = after
        self._since = rfc3339(since_ms)
        self._names: dict[tuple[str, int], set[str]] = {}
        self._parts: dict[str, int] = {}
        self._last_time = ""

    def take(self, lines: Iterable[bytes]) -> bool:
        """Reads the lines of a file until one that was written before what is sought; whether there was such a line."""
        for line in lines:
            event = _event(line)
            if event is None:
                continue
            time = event["time"]
            self._last_time = max(self._last_time, time)
            if time < self._since:
                return True
            if event.get("mutation") and event["revision"] > self._after:
                self._note(event)
        return False

    def take_files(self, paths: Iterable[Path]) -> None:
        """Reads whole files; what they tell is durable then.

        All are looked at: which was written last, neither their names nor their times say for sure, since clocks are set back. One that is
        gone by now, or cannot be read, holds nothing up: what it tells is told again.
        """
        for path in paths:
            try:
                if path.is_file():
                    self._take_file(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                _log.warning(
                    "%s cannot be read (%s): if it tells of the last revisions before a crash, they are told again",
                    *(path, error.strerror or error),
                )

    def _take_file(self, path: Path) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fdatasync(fd)
            self.take(lines_from_end(fd, os.fstat(fd).st_size))
        finally:
            os.close(fd)

    def told(self) -> Told:
        """What was found."""
        return Told(self._names, self._parts, time_ms(self._last_time) or 0)

    def _note(self, event: dict[str, Any]) -> None:
        event_id = event["event_id"]
        self._names.setdefault((event_id, event["revision"]), set()).update(event["names"])
        if "part" in event:
            self._parts[event_id] = max(self._parts.get(event_id, 0), event["part"])


def _event(line: bytes) -> dict[str, Any] | None:
    """The audit event in a line, if it is one."""
    event = json_object(line)
    if event is None or event.get("log") != "audit" or not is_event(event) or time_ms(event["time"]) is None:
        return None
    names = event.get("names")
    return event if isinstance(names, list) and all(isinstance(name, str) for name in names) else None
