"""Forgetting everything, however much it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.asking import NAMESPACE, read, write
from tests.faults.in_process import STORES, InProcess, in_process
from tests.faults.trail import LINE_LIMIT_BYTES, revisions_told

from memslot.v1 import namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import NamespaceNotEmpty

SLOTS = 10_000
NAMES = [f"用户偏好 number {number:05}" for number in range(SLOTS)]


async def filled(run: InProcess, names: list[str], namespace: str = NAMESPACE) -> None:
    """Writes slots, as fast as commits can."""
    for start in range(0, len(names), 128):
        commit = pb.CommitRequest(namespace=namespace)
        for name in names[start : start + 128]:
            commit.operations.add(write=pb.WriteRequest(name=name, body=b"body"))
        await run(commit)


@pytest.mark.slow
@pytest.mark.parametrize("store", STORES)
async def test_forget_all_forgets_all_and_says_so(tmp_path: Path, store: str) -> None:
    """Forget-all over 10,000 slots forgets 10,000 and says so, in portions of 500, and the audit names each of them exactly once in lines
    that stay short."""
    async with in_process(store, tmp_path, slot_limit=SLOTS) as run:
        await filled(run, NAMES)
        reply = await run(pb.ForgetMatchingRequest(namespace=NAMESPACE, all=True))
        assert (reply.forgotten, reply.more_remain) == (SLOTS, False)
        assert list((await run(pb.LookupRequest(namespace=NAMESPACE))).slots) == []
        events = await run.events()
    revisions = revisions_told(events)
    assert revisions == list(range(1, reply.revision + 1))
    lines = [event for event in events if event["operation"] == "ForgetMatching"]
    assert len({line["revision"] for line in lines}) == SLOTS // 500
    assert len({line["event_id"] for line in lines}) == 1
    assert sorted(name for line in lines for name in line["names"]) == NAMES
    assert [line["part"] for line in lines] == list(range(1, len(lines) + 1))
    assert [line["last_part"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert sum(line.get("count", 0) for line in lines) == SLOTS
    assert max(map(len, (tmp_path / "audit.jsonl").read_bytes().splitlines(keepends=True))) <= LINE_LIMIT_BYTES


@pytest.mark.parametrize("store", STORES)
async def test_recursive_forget_stays_below_its_namespace(tmp_path: Path, store: str) -> None:
    """A recursive forget-all counts the slots of all namespaces below, and leaves those beside alone."""
    async with in_process(store, tmp_path, slot_limit=SLOTS) as run:
        for namespace in ("acme/a", "acme/a/b", "acme/ab", "acme"):
            await filled(run, NAMES[:600], namespace)
        reply = await run(pb.ForgetMatchingRequest(namespace="acme/a", all=True, recursive=True))
        assert reply.forgotten == 1200
        left = await run(pb.LookupRequest(namespace="acme", recursive=True, total=True))
        assert left.total == 1200


@pytest.mark.parametrize("store", STORES)
async def test_repeated_forget_all_answers_as_before(tmp_path: Path, store: str) -> None:
    """The same request again gets the first answer, and forgets nothing that was written since."""
    async with in_process(store, tmp_path, slot_limit=SLOTS) as run:
        await filled(run, NAMES[:1100])
        request = pb.ForgetMatchingRequest(
            namespace=NAMESPACE, all=True, request_id="6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
        )
        first = await run(request)
        await filled(run, NAMES[:3])
        assert await run(request) == first
        assert first.forgotten == 1100
        assert (await run(pb.LookupRequest(namespace=NAMESPACE, total=True))).total == 3


@pytest.mark.parametrize("store", STORES)
async def test_deleting_without_force_takes_no_slot(tmp_path: Path, store: str) -> None:
    """Whatever is written while its namespace is deleted without force, the slot is there when its write was acknowledged last or the
    deletion was refused, and a deletion that was answered counts no slot."""
    settings = namespace_service_pb2.NamespaceSettings(slot_limit=5)
    configure = namespace_service_pb2.UpdateNamespaceRequest(namespace=NAMESPACE, settings=settings)
    async with in_process(store, tmp_path) as run:
        for _ in range(20):
            await run(configure)
            deletion = run(namespace_service_pb2.DeleteNamespaceRequest(namespace=NAMESPACE))
            deleted, written = await asyncio.gather(deletion, run(write("a")), return_exceptions=True)
            assert isinstance(deleted, NamespaceNotEmpty) or deleted.forgotten == 0
            assert (await run(read("a"))).slot.info.revision == written.receipt.revision
            await run(pb.ForgetRequest(namespace=NAMESPACE, name="a"))
