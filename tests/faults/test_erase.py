"""Erasing: what was forgotten is in no file, as somebody who has the disk would look for it."""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.asking import NAMESPACE, Failure, append, attempt, read, write
from tests.faults.canaries import Canary
from tests.faults.in_process import in_process
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2, namespace_service_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub
from memslot_sidecar.background import upkeep

SIZES = (60, 1000, 5000, 70_000)
FLAGS = ("--listen", "127.0.0.1:0", "--body-limit-bytes", "3MB", "--versions-kept", 3, "--slot-limit", 1000)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A sidecar that keeps versions."""
    with Served("--data-dir", tmp_path, *FLAGS) as running:
        yield running.ready()


def files_with(canary: Canary, directory: Path) -> list[str]:
    """Names of the files in which it stands."""
    return [path.name for path in directory.rglob("*") if path.is_file() and canary.is_in(path.read_bytes())]


def fill(slots: SlotServiceStub, name: str, canary: Canary, size: int) -> None:
    """A slot with a life behind it: written, extended, overwritten, with versions."""
    body = canary.text * (size // len(canary.text) + 1)
    slots.Write(write(name, body))
    slots.Write(append(name, canary.text))
    slots.Write(write(name, body[: size // 2] + canary.text))
    slots.Write(
        write(f"{name} patched", json.dumps({"a": canary.word, "b": 1}).encode(), content_type="application/json")
    )
    slots.Write(write(f"{name} patched", b'{"a": null}', mode=pb.WRITE_MODE_MERGE_PATCH))
    slots.Write(write(f"beside {name}", b"kept" * (size // 4)))


@pytest.mark.slow
def test_erased_bodies_are_in_no_file(served: Served, tmp_path: Path) -> None:
    """When Forget with `erase` has answered, no byte of the body, of its versions or of what it was before is in any file, among slots
    that stay, whatever its size; those that stay are whole."""
    slots = served.slots()
    for round_number, size in enumerate(SIZES):
        canary = Canary()
        fill(slots, f"slot {round_number}", canary, size)
        assert files_with(canary, tmp_path)
        for name in (f"slot {round_number} patched", f"slot {round_number}"):
            slots.Forget(pb.ForgetRequest(namespace=NAMESPACE, name=name, erase=True), timeout=PATIENCE_S)
        assert files_with(canary, tmp_path) == []
    kept = [f"beside slot {number}" for number in range(len(SIZES))]
    results = slots.BatchRead(pb.BatchReadRequest(namespace=NAMESPACE, names=kept)).results
    assert [result.slot.body for result in results] == [b"kept" * (size // 4) for size in SIZES]
    assert list(served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []


def test_every_way_to_erase_erases(served: Served, tmp_path: Path) -> None:
    """ForgetMatching with `erase`, a Commit, and a namespace with erase_on_forget, by whichever way its slots go, leave nothing either."""
    slots, namespaces = served.slots(), served.namespaces()
    canary = Canary()
    for number in range(20):
        slots.Write(write(f"many {number}", canary.text * (number * 10 + 1)))
    commit = pb.CommitRequest(namespace=NAMESPACE)
    commit.operations.add(forget=pb.ForgetRequest(name="many 0", erase=True))
    slots.Commit(commit, timeout=PATIENCE_S)
    request = pb.ForgetMatchingRequest(namespace=NAMESPACE, filter={"name_prefix": "many"}, erase=True)
    assert slots.ForgetMatching(request, timeout=PATIENCE_S).forgotten == 19
    assert files_with(canary, tmp_path) == []

    settings = namespace_service_pb2.NamespaceSettings(erase_on_forget=True)
    namespaces.UpdateNamespace(namespace_service_pb2.UpdateNamespaceRequest(namespace="secret", settings=settings))
    for name in ("forgotten", "deleted"):
        slots.Write(write(name, canary.text * 100, "secret"))
    expiring = write("expiring", canary.text, "secret")
    expiring.ttl.FromMilliseconds(50)
    slots.Write(expiring)
    slots.Forget(pb.ForgetRequest(namespace="secret", name="forgotten"), timeout=PATIENCE_S)
    deletion = namespace_service_pb2.DeleteNamespaceRequest(namespace="secret", force=True)
    namespaces.DeleteNamespace(deletion, timeout=PATIENCE_S)
    eventually(lambda: files_with(canary, tmp_path) == [], "what expired is erased when it is swept")


async def test_slots_that_expire_are_erased_where_that_is_asked_for(tmp_path: Path) -> None:
    """With erase_on_forget, what expires is erased by itself some time after it was swept, and nothing then waits to be erased."""
    canary = Canary()
    async with in_process("sqlite", tmp_path, erase_on_forget=True, ttl_default_s=1.0) as run:
        for number in range(5):
            await run(write(f"{number}", canary.text * 20))
        run.clock.now_ms += 1000
        sidecar = run.sidecar
        jobs = {job.name: job for job in upkeep(sidecar.context, sidecar.audit, 1.0, 1, 1.0)}
        await jobs["sweeping expired slots"].work()
        assert (await run(admin_service_pb2.StatsRequest())).erase_pending
        await jobs["erasing swept slots"].work()
        assert files_with(canary, tmp_path) == []
        assert not (await run(admin_service_pb2.StatsRequest())).erase_pending


@pytest.mark.slow
def test_erasing_is_resumed_after_a_kill(tmp_path: Path) -> None:
    """kill -9 at any moment of an erasure: what was forgotten by then is erased by itself after the next start, and what was not is there."""
    chance = random.Random()
    for number in range(5):
        canary = Canary()
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            slots = served.ready().slots()
            slots.Write(write(f"{number}", canary.text * 1000))
            request = pb.ForgetRequest(namespace=NAMESPACE, name=f"{number}", erase=True)
            erasing = slots.Forget.future(request, timeout=PATIENCE_S)
            time.sleep(chance.random() * 0.02)
            served.signal(signal.SIGKILL)
            acknowledged = erasing.exception() is None
            served.exit_code()
        if acknowledged:
            assert files_with(canary, tmp_path) == []
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            slots = served.ready().slots()
            if isinstance(attempt(slots.Read, read(f"{number}")), Failure):
                eventually(lambda: files_with(canary, tmp_path) == [], "it is erased by itself")  # noqa: B023
            else:
                assert not acknowledged
                slots.Forget(request, timeout=PATIENCE_S)
                assert files_with(canary, tmp_path) == []
