"""An audit log over a store in RAM, calls to feed it, and places for its lines that fail on demand."""

from __future__ import annotations

import asyncio
import errno
import json
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.sinks.base import Sink, Told
from memslot_sidecar.audit.sinks.choice import sink_for
from memslot_sidecar.audit.sinks.memory import MemorySink
from memslot_sidecar.call import Call
from memslot_sidecar.commands.audit import schema_text
from memslot_sidecar.model import SYSTEM, Caller, CallInfo, Change, SlotChange
from memslot_sidecar.stores.base import Store, Transaction
from memslot_sidecar.stores.ram import RamStore

PATIENCE_S = 20.0
LINE_LIMIT_BYTES = 16_384
VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text()))

Event = dict[str, Any]


async def eventually(condition: Callable[[], object], what: str) -> None:
    """Waits until ``condition`` is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        await asyncio.sleep(0.002)


async def admitted(audit: AuditLog) -> None:
    """Waits until there is room for the event of a call, as a call does."""
    if (room := audit.admit()) is not None:
        await room


def call(operation: str = "Read", *names: str, **notes: Any) -> Call:
    """A call as it is when it was answered."""
    made = Call(operation, caller=Caller("alice", "none", False))
    made.namespace = "acme/task"
    made.names = names
    for key, value in notes.items():
        setattr(made, key, value)
    return made


async def record(
    store: Store, made: Call, *changes: SlotChange, outcome: str = "CREATED", namespace: str = "acme/task"
) -> int:
    """Commits a revision on behalf of a call, as an operation does, and notes it."""
    revision = await commit(store, made.info, changes, outcome, namespace)
    made.recorded, made.revision, made.outcome = True, revision, outcome
    return revision


async def commit(
    store: Store, info: CallInfo, changes: Sequence[SlotChange], outcome: str, namespace: str = "acme/task"
) -> int:
    """Commits a revision."""

    def decide(tx: Transaction) -> int:
        revision = tx.next_revision()
        tx.emit(revision, namespace, info, changes, outcome)
        return revision

    return await store.transact(decide)


def created(name: str) -> SlotChange:
    """A slot that was created."""
    return SlotChange(name, Change.CREATED, 0, 7)


def forgotten(names: Iterable[str]) -> list[SlotChange]:
    """Slots that were forgotten."""
    return [SlotChange(name, Change.FORGOTTEN, 1, 7) for name in names]


def expiry() -> CallInfo:
    """What the sidecar does by itself."""
    return CallInfo(uuid.uuid4().hex, "Expire", SYSTEM, time.time_ns() // 1_000_000)


def events_in(data: bytes, after: int = 0) -> list[Event]:
    """The events of whole lines; each is valid, short enough, and numbered in its place, a process's first one ``after`` + 1."""
    found = [_checked(line) for line in data.splitlines(keepends=True)]
    last: dict[str, int] = {}
    for event in found:
        assert event["sequence"] == last.get(event["instance_id"], after) + 1
        last[event["instance_id"]] = event["sequence"]
    assert [event["time"] for event in found] == sorted(event["time"] for event in found)
    return found


def operations_in(events: Sequence[Event]) -> list[str]:
    """Event ids of the operations that the events tell, each once."""
    ended = [event["event_id"] for event in events if event.get("last_part", True)]
    assert len(ended) == len(set(ended))
    assert {event["event_id"] for event in events} == set(ended)
    return ended


def _checked(line: bytes) -> Event:
    assert len(line) <= LINE_LIMIT_BYTES
    assert line.endswith(b"\n")
    event: Event = json.loads(line)
    VALIDATOR.validate(event)
    return event


def chosen(audit_file: str) -> Sink:
    """The sink that a setting means, with small limits where it is a folder."""
    return sink_for(audit_file, file_limit_bytes=4096, file_limit_s=1)


class FailingSink:
    """A sink that is down, slow or full when told so. ``taken`` are the bytes that went through."""

    def __init__(self, sink: Sink | None = None) -> None:
        self._sink = sink or MemorySink(10**9)
        self.down = False
        self.stuck = False
        self.room: int | None = None
        self.syncs = 0
        self.taken = bytearray()

    def open(self) -> None:
        """Opens the place."""
        self._sink.open()

    def told(self, after: int, since_ms: int) -> Told:
        """What the place holds."""
        return self._sink.told(after, since_ms)

    def write(self, data: memoryview, line_start: bool) -> int:
        """Writes as much as there is room for."""
        if self.stuck:
            time.sleep(0.002)
            return 0
        if self.down:
            raise OSError(errno.EIO, "input/output error")
        if self.room is not None:
            data = data[: self.room]
            if not data:
                raise OSError(errno.ENOSPC, "no space left on device")
        taken = self._sink.write(data, line_start)
        self.taken += data[:taken]
        if self.room is not None:
            self.room -= taken
        return taken

    def moved(self) -> bool:
        """Whether the place is another."""
        return self._sink.moved()

    def sync(self) -> None:
        """Syncs, unless it is down."""
        if self.down:
            raise OSError(errno.EIO, "input/output error")
        self.syncs += 1
        self._sink.sync()

    def reopen(self) -> None:
        """Opens the place anew."""
        self._sink.reopen()

    def close(self) -> None:
        """Closes the place."""
        self._sink.close()

    def events(self) -> list[Event]:
        """What was told."""
        return events_in(bytes(self.taken))


@asynccontextmanager
async def started(
    sink: Sink, store: Store | None = None, *, policy: str = "block", limit: int = 1000
) -> AsyncIterator[tuple[AuditLog, Store]]:
    """An audit log at work; its store is in RAM and empty by default. Both are closed at the end, the store only if it was made here."""
    kept = store or RamStore()
    if store is None:
        await kept.start()
    audit = AuditLog(sink, policy, limit, uuid.uuid4().hex, checkpoint_s=0.005)
    await audit.start(kept)
    try:
        yield audit, kept
    finally:
        await audit.close(grace_s=2.0)
        if store is None:
            await kept.close()


async def crash(audit: AuditLog, sink: FailingSink) -> None:
    """Ends an audit log so that nothing more gets into its place, nor into its store."""
    sink.down = True
    await audit.close(grace_s=0.02)
    sink.close()


def file_events(*paths: Path, after: int = 0) -> list[Event]:
    """The events of files, in their order; the first line is ``after`` + 1."""
    return events_in(b"".join(path.read_bytes() for path in paths), after)
