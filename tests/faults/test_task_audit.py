"""Tasks in the audit trail: one event an operation, however many revisions and namespaces it takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.faults.asking import write
from tests.faults.in_process import STORES, Clock, in_process
from tests.faults.test_forget_all import filled
from tests.faults.trail import Event, reconcile, revisions_told

from memslot.v1 import namespace_service_pb2 as pb
from memslot.v1 import slot_service_pb2
from memslot_sidecar.errors import MemslotError, StaleAttempt
from memslot_sidecar.operations.clearing import KEPT_MS, clear_due

ID = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
NAMES = [f"slot {number:04}" for number in range(1_200)]


def _begin(attempt: int = 0, **fields: object) -> pb.BeginTaskRequest:
    return pb.BeginTaskRequest(namespace="acme", task_id="job", attempt=attempt, **fields)  # type: ignore[arg-type]


def _end(attempt: int, **fields: object) -> pb.EndTaskRequest:
    return pb.EndTaskRequest(
        namespace="acme", task_id="job", attempt=attempt, outcome=pb.TASK_OUTCOME_FAILED, **fields  # type: ignore[arg-type]
    )  # fmt: skip


def _operations(events: list[Event], *names: str) -> list[list[Event]]:
    """The lines of each operation of some names, in the order in which they ended."""
    by_id: dict[str, list[Event]] = {}
    for event in events:
        if event["operation"] in names:
            by_id.setdefault(event["event_id"], []).append(event)
    return list(by_id.values())


def _check_parts(lines: list[Event]) -> None:
    if len(lines) > 1:
        assert [line["part"] for line in lines] == list(range(1, len(lines) + 1))
        assert [line["last_part"] for line in lines] == [False] * (len(lines) - 1) + [True]


@pytest.mark.parametrize("store", STORES)
async def test_one_event_an_operation(tmp_path: Path, store: str) -> None:
    """A begin that moves, forgets in two namespaces and seals is one event whose last part tells the task; repeats and refusals have theirs."""
    async with in_process(store, tmp_path, slot_limit=2_000) as run:
        await run(_begin())
        for name in ("plan", "scratch"):
            await run(write(name, b"CANARY", "acme/job/attempt-1"))
        await run(write("deep", b"CANARY", "acme/job/attempt-1/deeper"))
        begun = await run(_begin(carry_over=["plan", "missing"], request_id=ID))
        assert await run(_begin(carry_over=["plan", "missing"], request_id=ID)) == begun
        assert (await run(_begin(2))).resumed
        with pytest.raises(StaleAttempt):
            await run(_begin(1))
        await run(_end(2, promote=["plan"]))
        assert (await run(_end(2))).repeated_end
        events = await run.events()
    operations = _operations(events, "BeginTask", "EndTask")
    for lines in operations:
        _check_parts(lines)
    assert [(len(lines), lines[-1]["outcome"], lines[-1]["code"]) for lines in operations] == [
        (1, "BEGUN", "OK"), (5, "BEGUN", "OK"), (1, "REPEATED", "OK"), (1, "RESUMED", "OK"),
        (1, "FAILED", "FAILED_PRECONDITION"), (3, "FAILED", "OK"), (1, "FAILED", "OK"),
    ]  # fmt: skip
    assert operations[1][-1]["namespace"] == "acme/job"
    assert {line["namespace"] for line in operations[1]} == {
        "acme/job", "acme/job/attempt-1", "acme/job/attempt-1/deeper", "acme/job/attempt-2"
    }  # fmt: skip
    assert revisions_told(events) == list(range(1, max(revisions_told(events)) + 1))
    assert "CANARY" not in (tmp_path / "audit.jsonl").read_text()


@pytest.mark.parametrize("store", STORES)
async def test_what_the_server_clears_is_told_namespace_by_namespace(tmp_path: Path, store: str) -> None:
    """Each portion that the upkeep forgets is a whole event of the system's own."""
    clock = Clock()
    async with in_process(store, tmp_path, clock, slot_limit=2_000) as run:
        await run(_begin())
        await filled(run, NAMES, "acme/job/attempt-1")
        await filled(run, NAMES[:10], "acme/job/attempt-1/deeper")
        await run(_end(1, retain=Duration(seconds=60)))
        clock.now_ms += 60_000
        await clear_due(run.sidecar.context)
        clock.now_ms += KEPT_MS
        await clear_due(run.sidecar.context)
        events = await run.events()
    cleared = _operations(events, "ClearTask")
    assert [len(lines) for lines in cleared] == [1] * 4
    assert {lines[0]["caller"]["id"] for lines in cleared} == {"system"}
    assert sum(len(lines[0]["names"]) for lines in cleared) == 1_210
    assert revisions_told(events) == list(range(1, max(revisions_told(events)) + 1))


@pytest.mark.parametrize("portions", [1, 2])
async def test_a_begin_cut_short_and_what_completes_it(tmp_path: Path, portions: int) -> None:
    """Whoever gave up has its event, and who completes the clearing, under the same request id or anew, has one too."""
    async with in_process("sqlite", tmp_path, slot_limit=2_000) as run:
        await run(_begin())
        await filled(run, NAMES, "acme/job/attempt-1")
        call = asyncio.ensure_future(run(_begin(2, request_id=ID)))
        while (run.sidecar.store.namespace("acme/job").task.attempt) == 1:  # type: ignore[union-attr]
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises((asyncio.CancelledError, MemslotError)):
            await call
        await run(_begin(2, request_id=ID) if portions == 1 else _begin(2))
        assert not (await run(slot_service_pb2.LookupRequest(namespace="acme/job/attempt-1"))).slots
        events = await run.events()
    for lines in _operations(events, "BeginTask"):
        _check_parts(lines)
    assert len(_operations(events, "BeginTask")) == 3
    assert revisions_told(events) == list(range(1, max(revisions_told(events)) + 1))
    assert reconcile(tmp_path / "data", tmp_path / "audit.jsonl") == ""
