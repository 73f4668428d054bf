"""Tasks and what is made of bodies: indexes, files, backups."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.faults.asking import write
from tests.faults.canaries import Canary
from tests.faults.in_process import STORES, in_process
from tests.faults.test_erase import files_with
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import admin_service_pb2
from memslot.v1 import namespace_service_pb2 as pb
from memslot.v1 import slot_service_pb2 as slot_pb
from memslot_sidecar.errors import DimensionMismatch


async def _begin(m: Memory, attempt: int = 0, *carry_over: str) -> str:
    request = pb.BeginTaskRequest(namespace="acme", task_id="job", attempt=attempt, carry_over=carry_over)
    return str((await m.call("NamespaceService/BeginTask", request)).task_namespace)


async def _end(m: Memory, attempt: int, *promote: str) -> pb.EndTaskResponse:
    outcome = pb.TASK_OUTCOME_SUCCEEDED
    request = pb.EndTaskRequest(namespace="acme", task_id="job", attempt=attempt, outcome=outcome, promote=promote)
    return await m.call("NamespaceService/EndTask", request)  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", STORES)
async def test_moved_slots_are_found_where_they_are_at_once(tmp_path: Path, kind: str) -> None:
    """By words and by vectors, in the new namespace and in no other; what the attempt left is never found."""
    async with memory(tmp_path, kind, index_mode="hybrid", embedder="none") as m:
        one = await _begin(m)
        await m.write("plan", "zebra crossing", one, vector=[0.0, 1.0], summary="about zebras")
        await m.write("mess", "zebra dung", one, vector=[0.1, 1.0])
        assert sorted(await m.found("zebra", one)) == ["mess", "plan"]
        two = await _begin(m, 2, "plan")
        for question in ({"text": "zebra"}, {"vector": [0.0, 1.0]}):
            assert await m.found(namespace=two, **question) == ["plan"]
            assert await m.found(namespace=one, **question) == []
        (hit,) = (await m.search("zebra", two, view=slot_pb.SEARCH_VIEW_SUMMARY)).hits
        assert hit.summary.text == "about zebras"
        await _end(m, 2, "plan")
        assert await m.found("zebra", "acme") == ["plan"]
        assert await m.found("zebra", two) == []


async def test_a_vector_that_does_not_fit_stays_where_it_is(tmp_path: Path) -> None:
    """Nothing moves, nothing is lost, and the attempt goes on."""
    async with memory(tmp_path, "ram", index_mode="hybrid", embedder="none") as m:
        await m.write("other", "x", "acme", vector=[1.0, 0.0, 0.0])
        one = await _begin(m)
        await m.write("plan", "zebra", one, vector=[0.0, 1.0])
        with pytest.raises(DimensionMismatch):
            await _end(m, 1, "plan")
        assert await m.found("zebra", one) == ["plan"]
        assert list((await _end(m, 1)).promoted) == []


@pytest.mark.parametrize("retain_s", [0, 60])
async def test_what_an_attempt_left_is_in_no_file(tmp_path: Path, retain_s: int) -> None:
    """With erase_on_forget, when a begin or an end has answered, no byte of what was forgotten, nor of earlier versions of what was
    moved, is in any file, however much it was."""
    gone, kept = Canary(), Canary()
    async with in_process(
        "sqlite", tmp_path, erase_on_forget=True, versions_kept=3, slot_limit=2_000, index_mode="fulltext"
    ) as run:
        begun = await run(pb.BeginTaskRequest(namespace="acme", task_id="job"))
        at = begun.task_namespace
        for start in range(0, 600, 100):
            commit = slot_pb.CommitRequest(namespace=at)
            for number in range(start, start + 100):
                commit.operations.add(write=slot_pb.WriteRequest(name=f"n{number}", body=gone.text))
            await run(commit)
        await run(write("moved", gone.text, at))
        await run(write("moved", kept.text, at))
        await run(slot_pb.SearchRequest(namespace=at, text="x"))
        assert files_with(gone, tmp_path)
        if retain_s:
            ending = pb.EndTaskRequest(namespace="acme", task_id="job", attempt=1, outcome=pb.TASK_OUTCOME_FAILED)
            ending.retain.CopyFrom(Duration(seconds=retain_s))
            await run(ending)
            assert files_with(gone, tmp_path)
        await run(pb.BeginTaskRequest(namespace="acme", task_id="job", attempt=2, carry_over=["moved"]))
        assert files_with(gone, tmp_path) == []
        assert files_with(kept, tmp_path)
        ending = pb.EndTaskRequest(namespace="acme", task_id="job", attempt=2, outcome=pb.TASK_OUTCOME_FAILED)
        await run(ending)
        assert files_with(kept, tmp_path) == []


async def test_a_backup_keeps_tasks_and_their_fences(tmp_path: Path) -> None:
    """A store that is restored in the middle of a task goes on where it was."""
    async with in_process("sqlite", tmp_path / "first") as run:
        await run(pb.BeginTaskRequest(namespace="acme", task_id="job"))
        await run(pb.BeginTaskRequest(namespace="acme", task_id="job"))
        await run(write("plan", b"1", "acme/job/attempt-2"))
        copy = b"".join([chunk async for chunk, _, _ in run.sidecar.store.backup()])
    (tmp_path / "second" / "data").mkdir(parents=True)
    (tmp_path / "second" / "data" / "memslot.db").write_bytes(copy)
    async with in_process("sqlite", tmp_path / "second") as run:
        resumed = await run(pb.BeginTaskRequest(namespace="acme", task_id="job", attempt=2))
        assert resumed.resumed
        three = await run(pb.BeginTaskRequest(namespace="acme", task_id="job", carry_over=["plan"]))
        assert (three.attempt, list(three.carried_over)) == (3, ["plan"])
        assert not (await run(admin_service_pb2.CheckIntegrityRequest())).problems
