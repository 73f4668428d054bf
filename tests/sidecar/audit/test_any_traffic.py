"""Whatever the traffic is, each operation leaves exactly one event."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sidecar.audit.harness import FailingSink, call, commit, expiry, file_events, operations_in, record

from memslot_sidecar.audit.log import AuditLog
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.call import Call
from memslot_sidecar.model import Change, SlotChange
from memslot_sidecar.stores.listeners import Listeners
from memslot_sidecar.stores.ram import RamStore

NAMES = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=100), min_size=1, max_size=40, unique=True)
CODES = st.sampled_from(["OK", "NOT_FOUND", "CANCELLED", "INTERNAL"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("read"), NAMES, CODES),
        st.tuples(st.just("begin"), NAMES, CODES),
        st.tuples(st.just("portion"), NAMES, CODES),
        st.tuples(st.just("answer"), st.just(["x"]), CODES),
        st.tuples(st.just("expire"), NAMES, CODES),
        st.tuples(st.just("break"), st.just(["x"]), CODES),
        st.tuples(st.just("mend"), st.just(["x"]), CODES),
        st.tuples(st.just("wait"), st.just(["x"]), CODES),
        st.tuples(st.just("crash"), st.just(["x"]), CODES),
    ),
    max_size=60,
)


@dataclass
class Traffic:
    """A store, the audit logs of the processes that served it one after the other, and what they have to tell."""

    path: Path
    store: RamStore = field(default_factory=RamStore)
    sink: FailingSink = field(default_factory=FailingSink)
    open_calls: list[Call] = field(default_factory=list)
    mutations: set[str] = field(default_factory=set)
    changes: list[tuple[int, str]] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    async def begin(self) -> None:
        """Starts a process."""
        self.sink = FailingSink(FileSink(self.path))
        self.audit = AuditLog(self.sink, "block", 5, uuid.uuid4().hex, checkpoint_s=0.001)
        await self.audit.start(self.store)

    async def run(self, steps: list[tuple[str, list[str], str]]) -> None:
        """Does the steps in their order, and stops in good order at the end."""
        await self.store.start()
        await self.begin()
        for step, names, code in steps:
            await self.step(step, names, code)
        self.sink.down = False
        for made in self.open_calls:
            self.audit.finished(made, "OK")
        await self.audit.close()

    async def step(self, step: str, names: list[str], code: str) -> None:
        """Does one step."""
        changes = [SlotChange(name, Change.FORGOTTEN, 3, 7) for name in names]
        if step == "read":
            made = call("Read", *names, outcome="READ")
            self.others.add(made.event_id)
            self.audit.finished(made, code)
        elif step == "begin" or (step == "portion" and not self.open_calls):
            made = call("ForgetMatching")
            self.open_calls.append(made)
            self.mutations.add(made.event_id)
            await record(self.store, made, *changes, outcome="FORGOTTEN")
            self.note(names)
        elif step == "portion":
            await record(self.store, self.open_calls[0], *changes, outcome="FORGOTTEN")
            self.note(names)
        elif step == "answer" and self.open_calls:
            self.audit.finished(self.open_calls.pop(0), code)
        elif step == "expire":
            info = expiry()
            self.mutations.add(info.event_id)
            await commit(self.store, info, changes, "EXPIRED")
            self.note(names)
        elif step in ("break", "mend"):
            self.sink.down = step == "break"
        elif step == "wait":
            await asyncio.sleep(0.06)
        elif step == "crash":
            await self.crash()

    def note(self, names: list[str]) -> None:
        """Notes what the last revision has to tell."""
        self.changes += [(self.store.revision, name) for name in names]

    async def crash(self) -> None:
        """Ends the process so that nothing more is written, and starts another."""
        self.sink.down = True
        self.store._listeners = Listeners()
        await self.audit.close(grace_s=0.01)
        self.sink.close()
        self.open_calls.clear()
        self.lost = self.others.copy()
        await self.begin()


@settings(max_examples=60)
@given(STEPS)
def test_each_operation_leaves_one_event_and_each_revision_is_told_once(
    steps: list[tuple[str, list[str], str]],
) -> None:
    """Numbers have no gaps, lines are valid, every change is told once though processes crash, and only a crash costs a read's event."""
    with TemporaryDirectory() as directory:
        traffic = Traffic(Path(directory) / "audit.jsonl")
        asyncio.run(traffic.run(steps))
        events = file_events(traffic.path)
    ended = operations_in(events)
    told = Counter((event["revision"], name) for event in events if event.get("mutation") for name in event["names"])
    assert told == Counter(traffic.changes)
    reads = {event["event_id"] for event in events if event["operation"] == "Read"}
    assert set(ended) == traffic.mutations | reads
    assert traffic.others - traffic.lost <= reads <= traffic.others
