"""Turns queued events into batches of lines, a few at a time in the event loop's thread."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from memslot_sidecar.audit.event import Entry
from memslot_sidecar.audit.lines import Lines
from memslot_sidecar.audit.writer import Batch, Writer
from memslot_sidecar.explaining import explained

_DELAY_S = 0.05
_TURN_EVENTS = 64
_TURN_BYTES = 65_536

_log = logging.getLogger(__name__)


class Renderer:
    """Renders what was put, at most 0.05 s later; a turn of the loop renders some dozens of events, so that no call waits long.

    Waking the writer's thread costs more than rendering, so it is done once for all events of one delay.
    """

    def __init__(self, lines: Lines, writer: Writer) -> None:
        self._lines = lines
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Entry] = deque()
        self._armed = False
        self.failures = 0

    def put(self, entry: Entry) -> None:
        """Queues an event."""
        self._waiting.append(entry)
        if not self._armed:
            self._armed = True
            self._loop.call_later(_DELAY_S, self._turn)

    async def drain(self) -> None:
        """Renders all that waits and hands it to the writer."""
        while self._waiting:
            self._render_some()
            await asyncio.sleep(0)
        self._writer.wake()

    def _turn(self) -> None:
        self._render_some()
        if self._waiting:
            self._loop.call_soon(self._turn)
        else:
            self._armed = False
            self._writer.wake()

    def _render_some(self) -> None:
        lines: list[bytes] = []
        revisions: list[int] = []
        weight = size = 0
        while self._waiting and len(lines) < _TURN_EVENTS and size < _TURN_BYTES:
            entry = self._waiting.popleft()
            weight += entry.weight
            line = self._rendered(entry)
            if line:
                lines.append(line)
                size += len(line)
                if entry.revision:
                    revisions.append(entry.revision)
        self._writer.put(Batch(b"".join(lines), len(lines), weight, revisions))

    def _rendered(self, entry: Entry) -> bytes:
        """The event's line. One that cannot be told must not keep others from it: its revision stays untold, which is visible."""
        try:
            return self._lines.render(entry)
        except Exception as error:  # noqa: BLE001 - a supervisor: other events wait behind
            self.failures += 1
            _log.error("an audit event could not be rendered: %s", explained(error))
            return b""
