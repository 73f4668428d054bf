"""The audit trail of one process: one event an operation.

Events of calls that the change feed does not hold go through a bounded queue. Those of mutations are a projection of the feed with a
watermark: whatever happens to the process or the place where the lines go, the feed tells what is missing.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from memslot_sidecar.audit.admission import Admission
from memslot_sidecar.audit.catchup import CatchUp
from memslot_sidecar.audit.completeness import Completeness
from memslot_sidecar.audit.event import Answered, Dropped, Entry, Recorded
from memslot_sidecar.audit.heldback import HeldBack
from memslot_sidecar.audit.lines import Lines
from memslot_sidecar.audit.renderer import Renderer
from memslot_sidecar.audit.sinks.base import Sink, Told
from memslot_sidecar.audit.watermark import PROJECTION, Watermark
from memslot_sidecar.audit.writer import Batch, Writer
from memslot_sidecar.call import Call
from memslot_sidecar.errors import MemslotError, StartupError
from memslot_sidecar.explaining import explained
from memslot_sidecar.model import SYSTEM, FeedRecord
from memslot_sidecar.stores.base import Store

_CHECKPOINT_S = 1.0
_RETRY_S = 1.0
_CATCH_UP_WAIT_S = 5.0
_CLOSE_GRACE_S = 5.0
_HELD_LIMIT = 10_000
_LAG_FACTOR = 2
_FIRST_RECORDS = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuditStats:
    """What became of the events since the process started.

    ``behind`` are revisions that wait in the store's feed because the queue is full. ``failures`` counts writes that failed and were
    tried again; ``failing`` tells whether the last one did.
    """

    written: int
    dropped: int
    queued: int
    behind: int
    failures: int
    failing: bool


class AuditLog:
    """One a process. The methods belong to the event loop's thread; none of them waits for the sink, except where it says so.

    ``policy`` tells what happens when ``queue_limit`` events wait: ``block`` lets calls wait in :meth:`admit`; ``drop`` drops and counts
    events that are no mutation's. Mutations' events are never dropped: beyond twice the limit they are read from the feed later.
    ``checkpoint_s`` is how often the watermark is stored.
    """

    def __init__(
        self, sink: Sink, policy: str, queue_limit: int, instance_id: str, *, checkpoint_s: float = _CHECKPOINT_S
    ) -> None:
        if policy not in ("block", "drop"):
            raise ValueError(f"policy is {policy!r}: it is block or drop")
        self._sink = sink
        self._dropping = policy == "drop"
        self._instance_id = instance_id
        self._checkpoint_s = checkpoint_s
        self._admission = Admission(queue_limit)
        self._in_flight = HeldBack(_HELD_LIMIT, self._tell_unanswered)
        self._completeness = Completeness(0)
        self._catch_up: CatchUp | None = None
        self._catching_up: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._written = 0
        self._dropped = 0
        self._drops_to_tell = 0
        self._watermark: Watermark | None = None
        self._writer: Writer | None = None
        self._renderer: Renderer | None = None
        self._open = False

    async def start(self, store: Store) -> None:
        """Opens the sink, tells what a crash left untold, and follows the store's feed from then on.

        Waits for the telling, but not long: a sink that takes nothing now must not keep the server from serving. Raises StartupError when
        the sink cannot be opened.
        """
        self._store = store
        complete = store.watermark(PROJECTION)
        self._completeness = Completeness(complete)
        try:
            await asyncio.to_thread(self._sink.open)
            told = await self._told(complete)
        except OSError as error:
            self._sink.close()
            where = f" ({error.filename})" if error.filename else ""
            raise StartupError(
                f"the audit file cannot be used{where}: {error.strerror or error}; make its folder, writable for this user, or choose"
                " another --audit-file"
            ) from error
        lines = Lines(self._instance_id, store.store_id, max(store.now_ms(), told.last_ms))
        for event_id, parts in told.parts.items():
            lines.goes_on(event_id, parts)
        self._writer = Writer(self._sink, self._on_written)
        self._renderer = Renderer(lines, self._writer)
        self._watermark = Watermark(store, self._writer, self._completeness)
        self._writer.start()
        self._open = True
        store.subscribe(self.on_feed)
        self._keeping = asyncio.create_task(self._watermark.keep(self._checkpoint_s), name="memslot audit watermark")
        if store.revision > complete:
            try:
                await asyncio.wait([self._fall_behind(store.revision, told)], timeout=_CATCH_UP_WAIT_S)
            except asyncio.CancelledError:
                await self.close()
                raise

    def admit(self) -> Awaitable[None] | None:
        """What is to be waited for until there is room for the event of another call, if that is the policy; None where there is."""
        return None if self._dropping else self._admission.wait()

    def finished(self, call: Call, code: str) -> None:
        """Takes the event of a call that was answered with the gRPC code ``code``. Never blocks.

        If the call changed something, its event is that of the change feed, completed with the code and the duration.
        """
        record = self._in_flight.release(call.event_id)
        if record is not None:
            more_behind = self._catch_up is not None and call.revision > self._completeness.taken
            self._put(Recorded(record, call, code, call.duration_us(), last=not more_behind))
        elif call.recorded:
            # Told, or about to be told, by the catch-up.
            self._admission.remove(0)
        elif self._dropping and self._admission.full:
            self._drop()
        else:
            self._put(Answered(call, code, call.duration_us()))

    def on_feed(self, records: Sequence[FeedRecord]) -> None:
        """Takes the records of a commit. Those of a call wait for its answer; the sidecar's own are told at once."""
        for record in records:
            if record.revision <= self._completeness.taken:
                continue
            if self._catch_up is not None:
                self._catch_up.head = record.revision
            elif record.revision > self._completeness.taken + 1 or self._overfull:
                self._fall_behind(record.revision, Told())
            else:
                self._take(record)

    @property
    def watermark(self) -> int:
        """The highest revision up to which all events are durable, as the store knows it. The feed must not be trimmed beyond it."""
        return self._watermark.stored if self._watermark else 0

    @property
    def stats(self) -> AuditStats:
        """What became of the events since the process started."""
        head = self._catch_up.head if self._catch_up else self._completeness.taken
        writer, renderer = self._writer, self._renderer
        return AuditStats(
            written=self._written,
            dropped=self._dropped,
            queued=self._admission.queued,
            behind=max(0, head - self._completeness.taken),
            failures=(writer.failures if writer else 0) + (renderer.failures if renderer else 0),
            failing=writer.failing if writer else False,
        )

    def reopen(self) -> None:
        """Lets go of a file that was rotated away, without waiting for the next event. Returns at once."""
        if self._writer is not None:
            self._writer.reopened().add_done_callback(lambda done: done.cancelled() or done.exception())

    async def flush(self) -> None:
        """Waits until the events so far are written and, where that can be had, synced. Raises OSError when the sync fails."""
        if self._writer is not None and self._renderer is not None:
            await self._renderer.drain()
            await self._writer.synced()

    async def close(self, grace_s: float = _CLOSE_GRACE_S) -> None:
        """Writes what is left, for at most about ``grace_s``, and keeps the watermark. Idempotent."""
        if self._writer is None or self._renderer is None or self._watermark is None:
            self._sink.close()
            return
        if not self._open:
            return
        deadline = time.monotonic() + grace_s
        self._in_flight.tell_all()
        if self._catching_up is not None:
            await asyncio.wait([self._catching_up], timeout=grace_s)
        self._tell_drops()
        self._open = False
        await _cancelled(self._catching_up, self._keeping)
        await self._renderer.drain()
        try:
            await asyncio.wait_for(self.flush(), _until(deadline))
            await asyncio.wait_for(self._watermark.store(), _until(deadline))
        except (asyncio.TimeoutError, OSError, MemslotError) as error:
            _log.error(
                "the audit trail was not completed; what is missing of mutations is told at the next start: %r", error
            )
        left = await self._writer.close(_until(deadline))
        if left:
            self._dropped += left
            _log.error("%d audit events could not be written", left)
        if self._writer.ended:
            self._sink.close()

    async def _told(self, complete: int) -> Told:
        """What the sink holds beyond the watermark."""
        records = await self._store.feed(complete, _FIRST_RECORDS)
        begun = [min(record.time_ms, record.call.started_ms) for record in records]
        return await asyncio.to_thread(self._sink.told, complete, min(begun, default=self._store.now_ms()))

    @property
    def _overfull(self) -> bool:
        return self._admission.queued >= _LAG_FACTOR * self._admission.limit

    def _take(self, record: FeedRecord) -> None:
        self._completeness.take(record.revision)
        if record.call.caller == SYSTEM:
            self._put(Recorded(record, code="OK"))
        else:
            self._in_flight.hold(record)

    def _tell_unanswered(self, record: FeedRecord, last: bool) -> None:
        self._put(Recorded(record, code="UNKNOWN" if last else None, last=last))

    def _put(self, entry: Entry) -> None:
        if not self._open or self._renderer is None:
            self._dropped += 1
            return
        self._admission.add(entry.weight)
        self._renderer.put(entry)

    def _drop(self) -> None:
        if not self._drops_to_tell:
            _log.warning("audit events are dropped: %d wait to be written", self._admission.queued)
        self._dropped += 1
        self._drops_to_tell += 1

    def _tell_drops(self) -> None:
        """Tells in the trail itself how many events are missing there."""
        if self._drops_to_tell:
            _log.warning("%d audit events were dropped", self._drops_to_tell)
            self._put(Dropped(uuid.uuid4().hex, self._drops_to_tell, self._store.now_ms()))
            self._drops_to_tell = 0

    def _on_written(self, written: Batch) -> None:
        self._written += written.events
        self._admission.remove(written.weight)
        if written.revisions and self._watermark is not None:
            self._watermark.written(written.revisions)
        if not self._admission.full:
            self._tell_drops()

    def _fall_behind(self, head: int, told: Told) -> asyncio.Task[None]:
        """From now on revisions are read from the feed, until none is behind."""
        self._catch_up = CatchUp(self._store, self._completeness, self._admission, self._put, self._in_flight, told)
        self._catch_up.head = head
        self._catching_up = asyncio.create_task(self._run_catch_up(self._catch_up), name="memslot audit catch-up")
        return self._catching_up

    async def _run_catch_up(self, catch_up: CatchUp) -> None:
        while self._catch_up is not None:
            try:
                await catch_up.run()
                self._catch_up = None
            except Exception as error:  # noqa: BLE001 - a supervisor: what is behind stays in the feed
                _log.error(
                    "the audit trail cannot catch up with the change feed, and tries again: %s", explained(error)
                )
                await asyncio.sleep(_RETRY_S)


def _until(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


async def _cancelled(*tasks: asyncio.Task[None] | None) -> None:
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
