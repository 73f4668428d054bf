"""The thread that writes lines, so that no call waits for a disk or for a reader of a pipe.

Lines are rendered in the event loop's thread and handed over in batches: a thread that rendered would take the interpreter's lock from the
calls under way, and be kept waiting for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memslot_sidecar.audit.sinks.base import Sink

_BATCH_BYTES = 65_536
_RETRY_S = 0.25
_LOG_INTERVAL_S = 10.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Batch:
    """Whole lines, and what they tell: how many events, how much of the queue's bound they take, and which revisions."""

    lines: bytes
    events: int
    weight: int
    revisions: Sequence[int]


@dataclass(slots=True, eq=False)
class _Barrier:
    """Runs ``act`` in the thread, once all that was queued before it is written."""

    act: Callable[[], None]
    future: asyncio.Future[None]


class _GaveUp(Exception):
    """The writer was told to stop though not all could be written."""


class Writer:
    """Owns the sink while it runs. A write that fails is tried again, without end, until the writer is closed.

    ``on_written`` is called in the event loop's thread for each batch, in their order.
    """

    def __init__(self, sink: Sink, on_written: Callable[[Batch], None]) -> None:
        self._sink = sink
        self._on_written = on_written
        self._loop = asyncio.get_running_loop()
        self._queue: deque[Batch | _Barrier] = deque()
        self._awake = threading.Event()
        self._stopping = threading.Event()
        self._given_up = threading.Event()
        self._failing_since: float | None = None
        self._logged_at = 0.0
        self.failures = 0
        self._thread = threading.Thread(target=self._run, name="memslot-audit", daemon=True)

    @property
    def failing(self) -> bool:
        """Whether the sink took nothing at the last try."""
        return self._failing_since is not None

    @property
    def ended(self) -> bool:
        """Whether the thread has let go of the sink."""
        return not self._thread.is_alive()

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def put(self, batch: Batch) -> None:
        """Queues a batch; it is written after the next :meth:`wake`."""
        self._queue.append(batch)

    def wake(self) -> None:
        """Lets the thread write what is queued."""
        self._awake.set()

    def synced(self) -> asyncio.Future[None]:
        """Done when all batches queued so far are written and synced; fails with OSError when the sync does."""
        return self._after_all(self._sink.sync)

    def reopened(self) -> asyncio.Future[None]:
        """Done when the sink has left a file that was moved away."""
        return self._after_all(self._sink.reopen)

    async def close(self, grace_s: float) -> int:
        """Ends the thread once all is written, or after ``grace_s``. Returns how many events could not be written."""
        self._stopping.set()
        self.wake()
        await asyncio.to_thread(self._thread.join, grace_s)
        if self._thread.is_alive():
            self._given_up.set()
            await asyncio.to_thread(self._thread.join, 2 * _RETRY_S)
        return sum(item.events for item in self._queue if isinstance(item, Batch))

    def _after_all(self, act: Callable[[], None]) -> asyncio.Future[None]:
        future = self._loop.create_future()
        self._queue.append(_Barrier(act, future))
        self.wake()
        return future

    def _run(self) -> None:
        while not (self._stopping.is_set() and not self._queue):
            self._awake.wait()
            self._awake.clear()
            try:
                while self._queue:
                    self._step(self._queue[0])
            except _GaveUp:
                return

    def _step(self, head: Batch | _Barrier) -> None:
        """Writes some batches at once, or runs the barrier at the head."""
        if isinstance(head, _Barrier):
            self._queue.popleft()
            self._pass(head)
            return
        batches = self._next()
        self._write(b"".join(batch.lines for batch in batches))
        for _ in batches:
            self._queue.popleft()
        self._call_soon(lambda: self._report(batches))

    def _next(self) -> list[Batch]:
        """The batches at the head that make up one write. They stay in the queue until they are written."""
        found: list[Batch] = []
        size = 0
        for item in self._queue.copy():
            if isinstance(item, _Barrier) or size >= _BATCH_BYTES:
                break
            found.append(item)
            size += len(item.lines)
        return found

    def _report(self, batches: Sequence[Batch]) -> None:
        for batch in batches:
            self._on_written(batch)

    def _write(self, data: bytes) -> None:
        """Writes all. After a failure it goes on where it stopped, at the line's start if the file is another."""
        view = memoryview(data)
        at = 0
        while at < len(data):
            line_start = at == 0 or data[at - 1] == 0x0A
            try:
                taken = self._sink.write(view[at:], line_start)
                at += taken
                if taken:
                    self._works()
                    continue
            except OSError as error:
                self._failed(error)
                if not line_start and self._moved():
                    at = data.rfind(b"\n", 0, at) + 1
                self._given_up.wait(_RETRY_S)
            if self._given_up.is_set():
                raise _GaveUp

    def _pass(self, barrier: _Barrier) -> None:
        try:
            barrier.act()
        except OSError as error:
            self._failed(error)
            failure = error
            self._call_soon(lambda: _settle(barrier.future, failure))
        else:
            self._call_soon(lambda: _settle(barrier.future, None))

    def _moved(self) -> bool:
        try:
            return self._sink.moved()
        except OSError:
            return False

    def _failed(self, error: OSError) -> None:
        self.failures += 1
        now = time.monotonic()
        if self._failing_since is None:
            self._failing_since = now
        if now - self._logged_at >= _LOG_INTERVAL_S:
            self._logged_at = now
            _log.error("the audit trail cannot be written, and is tried again: %s", error.strerror or error)

    def _works(self) -> None:
        if self._failing_since is not None:
            _log.warning("the audit trail is written again, after %.1f s", time.monotonic() - self._failing_since)
            self._failing_since = None
            self._logged_at = 0.0

    def _call_soon(self, act: Callable[[], None]) -> None:
        # A loop that is closed raises: nobody waits any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act)


def _settle(future: asyncio.Future[None], error: OSError | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
