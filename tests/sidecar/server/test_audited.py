"""One event and one count a call, and no exception but our own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import pytest

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InternalError, MemslotError, RevisionMismatch, SlotNotFound
from memslot_sidecar.interceptors.audited import audited, audited_stream
from memslot_sidecar.interceptors.counts import CallCounts


class Notes:
    """An audit log that keeps what it is told, and admits when it is told to."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.open = asyncio.Event()
        self.open.set()

    def admit(self) -> Awaitable[None] | None:
        """What is waited for until it is open."""
        return None if self.open.is_set() else self._opened()

    async def _opened(self) -> None:
        await self.open.wait()

    def finished(self, call: Call, code: str) -> None:
        """Keeps the event."""
        self.events.append((call.event_id, code))


async def answer(request: Any, call: Call) -> str:
    """Answers, hangs, or raises what it was asked."""
    if isinstance(request, BaseException):
        raise request
    if request == "hang":
        await asyncio.Event().wait()
    return f"answer to {request}"


async def count_to(request: Any, call: Call) -> AsyncIterator[int]:
    """Counts, but not to three."""
    for number in range(request):
        if number == 2:
            raise SlotNotFound("no third")
        yield number


async def test_answer_leaves_one_event() -> None:
    """A call that succeeds is told once, as OK."""
    notes, counts, call = Notes(), CallCounts(), Call("Read")
    assert await audited("SlotService/Read", answer, notes, counts)("x", call) == "answer to x"
    assert notes.events == [(call.event_id, "OK")]
    assert counts.snapshot() == {("SlotService/Read", "OK"): 1}


@pytest.mark.parametrize(("error", "code"), [(SlotNotFound("no"), "NOT_FOUND"), (RevisionMismatch("no"), "ABORTED")])
async def test_refusal_leaves_one_event(error: MemslotError, code: str) -> None:
    """A call that is refused is told once, with its code, and the caller gets the error as it is."""
    notes, counts, call = Notes(), CallCounts(), Call("Read")
    with pytest.raises(type(error)) as caught:
        await audited("SlotService/Read", answer, notes, counts)(error, call)
    assert caught.value is error
    assert notes.events == [(call.event_id, code)]


async def test_unforeseen_exception_is_told_by_id_only(caplog: pytest.LogCaptureFixture) -> None:
    """The caller of a bug learns an id and nothing else; whoever's log it is has the kind and place under it, and not the text."""
    notes, counts, call = Notes(), CallCounts(), Call("Read")
    with caplog.at_level(logging.ERROR), pytest.raises(InternalError) as caught:
        await audited("SlotService/Read", answer, notes, counts)(ValueError("the secret body"), call)
    error_id = caught.value.metadata["error_id"]
    assert "secret" not in str(caught.value)
    assert "secret" not in str(caught.value.metadata)
    assert caught.value.__cause__ is None
    assert error_id in caplog.text
    assert "builtins.ValueError" in caplog.text
    assert "secret" not in caplog.text
    assert notes.events == [(call.event_id, "INTERNAL")]


@pytest.mark.parametrize(("deadline_s", "code"), [(None, "CANCELLED"), (0.0, "DEADLINE_EXCEEDED"), (1e12, "CANCELLED")])
async def test_cancelled_call_leaves_one_event(deadline_s: float | None, code: str) -> None:
    """A caller who gave up is told apart from one whose time was over."""
    notes, call = Notes(), Call("Read")
    call.deadline_s = deadline_s
    task = asyncio.ensure_future(audited("SlotService/Read", answer, notes, CallCounts())("hang", call))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert notes.events == [(call.event_id, code)]


async def test_call_waits_until_the_audit_admits_it() -> None:
    """Where no event may be lost, a call does not run before its event has room."""
    notes = Notes()
    notes.open.clear()
    task = asyncio.ensure_future(audited("SlotService/Read", answer, notes, CallCounts())("x", Call("Read")))
    await asyncio.sleep(0)
    assert not task.done()
    notes.open.set()
    assert await task == "answer to x"


async def test_stream_leaves_one_event() -> None:
    """A stream is one operation: told once, when it ended, with how it ended."""
    notes, counts = Notes(), CallCounts()
    run = audited_stream("AdminService/Backup", count_to, notes, counts)
    assert [number async for number in run(2, Call("Backup"))] == [0, 1]
    with pytest.raises(SlotNotFound):
        [number async for number in run(3, Call("Backup"))]
    abandoned = run(2, Call("Backup"))
    await anext(abandoned)
    await abandoned.aclose()
    assert [code for _, code in notes.events] == ["OK", "NOT_FOUND", "CANCELLED"]
    assert sum(counts.snapshot().values()) == 3
