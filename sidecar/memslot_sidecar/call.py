"""One call on its way through the layers, independent of gRPC, so that the embedded store takes the same way."""

from __future__ import annotations

import itertools
import os
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from memslot_sidecar.model import Caller, CallInfo


class _EventIds:
    """Ids that no other process makes: 16 random hexadecimal digits of this process (new after a fork), and 16 that count."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self._prefix = secrets.token_hex(8)
        self._count = itertools.count(1)

    def __call__(self) -> str:
        return f"{self._prefix}{next(self._count):016x}"


new_event_id = _EventIds()
os.register_at_fork(after_in_child=new_event_id.renew)


@dataclass(slots=True)
class Call:
    """Who asks for what, and what the audit event will tell about it.

    Made by the outermost layer; ``operation`` is the method's short name, e.g. ``Write``. Services and operations fill in the notes.
    ``deadline_s`` is when the caller gives up, on the clock of :func:`time.monotonic`. ``recorded`` means that the change feed holds the
    event of this call: the audit then tells it from there. ``parent_event_id`` is that of the call which made this one.
    """

    operation: str
    caller: Caller = Caller()
    agent: str = ""
    conversation: str = ""
    turn: str = ""
    trace_id: str = ""
    request_id: str = ""
    deadline_s: float | None = None
    started_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    started_ns: int = field(default_factory=time.perf_counter_ns)
    event_id: str = field(default_factory=new_event_id)
    namespace: str = ""
    names: Sequence[str] = ()
    revision: int = 0
    outcome: str = ""
    body_bytes: int = 0
    count: int | None = None
    repeated: bool = False
    recorded: bool = False
    parent_event_id: str = ""

    @property
    def info(self) -> CallInfo:
        """What the change feed keeps of this call."""
        return CallInfo(
            event_id=self.event_id,
            operation=self.operation,
            caller=self.caller,
            started_ms=self.started_ms,
            request_id=self.request_id,
            agent=self.agent,
            conversation=self.conversation,
            turn=self.turn,
            trace_id=self.trace_id,
            parent_event_id=self.parent_event_id,
        )

    def within(self, operation: str) -> Call:
        """A call that is made for this one: an event of its own, on the same behalf and until the same time."""
        return Call(
            operation,
            self.caller,
            self.agent,
            self.conversation,
            self.turn,
            self.trace_id,
            self.request_id,
            self.deadline_s,
            parent_event_id=self.event_id,
        )

    def duration_us(self) -> int:
        """Microseconds since the call arrived."""
        return (time.perf_counter_ns() - self.started_ns) // 1000
