"""A sidecar that is killed while tasks begin and end."""

from __future__ import annotations

import random
import signal
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from tests.faults.asking import failure, write
from tests.faults.trail import read_trail, reconcile, revisions_told
from tests.system.process import Served, eventually

from memslot.v1 import admin_service_pb2
from memslot.v1 import namespace_service_pb2 as pb
from memslot.v1 import slot_service_pb2 as slot_pb
from memslot.v1.namespace_service_pb2_grpc import NamespaceServiceStub
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

KILLS = 6
SLOTS = 1_300
FLAGS = ("--listen", "127.0.0.1:0", "--slot-limit", 2_000)


class Worker:
    """Takes one task through attempt after attempt: writes a count and some scratch, or so much that clearing takes portions; begins
    the next with the count; ends and promotes now and then."""

    def __init__(self, namespace: str, chance: random.Random) -> None:
        self.namespace = namespace
        self.attempt = 0
        self.done = 0
        self._chance = chance
        self._asked: pb.BeginTaskRequest | None = None

    def run(self, channel: grpc.Channel) -> None:
        """Works until the server is gone. A begin whose answer was lost is sent again first, under its id."""
        tasks, slots = NamespaceServiceStub(channel), SlotServiceStub(channel)
        try:
            while True:
                self._step(tasks, slots)
        except grpc.RpcError as error:
            if failure(error).code != "UNAVAILABLE":
                raise

    def _step(self, tasks: NamespaceServiceStub, slots: SlotServiceStub) -> None:
        self._asked = self._asked or pb.BeginTaskRequest(
            namespace=self.namespace, task_id="job", carry_over=["count"], request_id=str(uuid.uuid4())
        )
        begun = tasks.BeginTask(self._asked)
        assert begun.attempt > self.attempt
        self.attempt, self._asked = begun.attempt, None
        found = [info.name for info in slots.Lookup(slot_pb.LookupRequest(namespace=begun.task_namespace)).slots]
        assert set(found) <= {"count"}, found
        before = slot_pb.LookupRequest(namespace=f"{self.namespace}/job/attempt-{begun.attempt - 1}", recursive=True)
        assert not slots.Lookup(before).slots
        slots.Write(write("count", str(begun.attempt).encode(), begun.task_namespace))
        many = self._chance.random() < 0.3
        for start in range(0, SLOTS if many else 20, 100):
            commit = slot_pb.CommitRequest(namespace=begun.task_namespace)
            for number in range(start, start + (100 if many else 20)):
                commit.operations.add(write=slot_pb.WriteRequest(name=f"scratch {number}", body=b"x" * 100))
            slots.Commit(commit)
        if self._chance.random() < 0.3:
            outcome = pb.TASK_OUTCOME_SUCCEEDED
            ending = pb.EndTaskRequest(namespace=self.namespace, task_id="job", attempt=begun.attempt, outcome=outcome)
            ending.promote.append("count")
            assert list(tasks.EndTask(ending).promoted) == ["count"]
        self.done += 1

    def check(self, served: Served) -> None:
        """Only the present attempt, and what was promoted, hold anything, soon after the start and without anybody asking."""

        def others() -> set[str]:
            request = slot_pb.LookupRequest(namespace=self.namespace, recursive=True, page_size=1_000)
            found = {info.namespace for info in served.slots().Lookup(request).slots} - {self.namespace}
            present = {f"{self.namespace}/job/attempt-{self.attempt + more}" for more in (0, 1)}
            return found if len(found) > 1 else found - present

        eventually(lambda: not others(), "what was cut short is cleared")
        late = write("late", namespace=f"{self.namespace}/job/attempt-{max(self.attempt - 1, 1)}")
        if self.attempt > 1:
            with pytest.raises(grpc.RpcError) as caught:
                served.slots().Write(late)
            assert failure(caught.value).reason == "STALE_ATTEMPT"


@pytest.mark.slow
def test_kill_while_tasks_begin_and_end(tmp_path: Path) -> None:
    """kill -9, several times: no attempt finds what another one left, what was carried over is there once, each revision has its one event,
    the fence stands after the restart, and what had to be forgotten is forgotten by itself."""
    chance = random.Random()
    workers = [Worker(f"acme/{number}", random.Random(chance.random())) for number in range(4)]
    for _ in range(KILLS):
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            _check(served.ready(), workers)
            _storm(served, workers, chance.randrange(5, 60))
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        _check(served.ready(), workers)
        assert served.stop() == 0
    events = read_trail(tmp_path / "audit.jsonl")
    told = revisions_told(events)
    assert told == list(range(1, len(told) + 1))
    assert reconcile(tmp_path) == ""


def _storm(served: Served, workers: list[Worker], steps: int) -> None:
    until = steps + sum(worker.done for worker in workers)
    with ThreadPoolExecutor(len(workers)) as pool:
        running = [pool.submit(worker.run, served.channel()) for worker in workers]
        eventually(
            lambda: sum(worker.done for worker in workers) >= until or any(one.done() for one in running), "it storms"
        )
        served.signal(signal.SIGKILL)
    for outcome in running:
        outcome.result()
    served.exit_code()


def _check(served: Served, workers: list[Worker]) -> None:
    for worker in workers:
        worker.check(served)
    assert list(served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []
