"""A sidecar that is killed while models act."""

from __future__ import annotations

import itertools
import json
import random
import signal
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from tests.faults.asking import Failure, attempt, failure, read
from tests.faults.trail import read_trail, reconcile, revisions_told
from tests.system.process import Served, eventually

from memslot.v1 import admin_service_pb2
from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.agent_service_pb2_grpc import AgentServiceStub

KILLS = 6
FLAGS = ("--listen", "127.0.0.1:0", "--body-limit-bytes", 1_000_000)


class Model:
    """Acts in a namespace of its own: each output numbers a text and an array on, reads, forgets, and breaks off."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self.answered = 0
        self.revisions: set[int] = set()
        self._asked: pb.ActRequest | None = None

    def run(self, agent: AgentServiceStub) -> None:
        """Acts until the server is gone. An output whose answer was lost is sent again first, under its id."""
        while True:
            self._asked = self._asked or self._next()
            try:
                reply = agent.Act(self._asked)
            except grpc.RpcError as error:
                if failure(error).code != "UNAVAILABLE":
                    raise
                return
            assert [one.outcome for one in reply.actions] == [pb.ACTION_OUTCOME_DONE] * 4, reply.model_text
            self.revisions |= {one.receipt.revision for one in reply.actions if one.receipt.revision}
            self.answered += 1
            self._asked = None

    def check(self, served: Served) -> None:
        """Every acknowledged output is there once and in order; of the one whose answer was lost, a beginning."""
        found = [attempt(served.slots().Read, read(name, self.namespace)) for name in ("log", "list")]
        bodies = [None if isinstance(one, Failure) else one.slot.body for one in found]
        assert all(one.code == "NOT_FOUND" for one in found if isinstance(one, Failure))
        log, listed = (bodies[0] or b"").decode().split(), json.loads(bodies[1] or "[]")
        assert log == [str(number) for number in range(len(log))]
        assert listed == list(range(len(listed)))
        assert self.answered <= len(listed) <= len(log) <= self.answered + 1

    def _next(self) -> pb.ActRequest:
        number = self.answered
        actions = [
            {"action": "mem_append", "slot": "log", "value": f"{number} "},
            {"action": "mem_append", "slot": "list", "value": number},
            {"action": "mem_read", "slot": "log"},
            {"action": "mem_forget", "slot": "log of yesterday"},
        ]
        output = "\n".join(map(json.dumps, actions)) + ' {"action": "mem_write", "slot": "log", "value": "torn'
        return pb.ActRequest(namespace=self.namespace, output=output, request_id=str(uuid.uuid4()), turn=str(number))


@pytest.mark.slow
def test_kill_while_models_act(tmp_path: Path) -> None:
    """kill -9, several times: every acknowledged action is there, an output that is sent again is executed once, nothing torn is stored,
    each revision has its one audit event, and store and trail agree."""
    chance = random.Random()
    models = [Model(f"acme/{number}") for number in range(6)]
    for _ in range(KILLS):
        with Served("--data-dir", tmp_path, *FLAGS) as served:
            _check(served.ready(), models, tmp_path)
            _storm(served, models, chance.randrange(10, 150))
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        _check(served.ready(), models, tmp_path)
        assert served.stop() == 0
    assert reconcile(tmp_path) == ""


def _storm(served: Served, models: Sequence[Model], acts: int) -> None:
    until = acts + sum(model.answered for model in models)
    with ThreadPoolExecutor(len(models)) as pool:
        running = [pool.submit(model.run, AgentServiceStub(served.channel())) for model in models]
        eventually(
            lambda: sum(model.answered for model in models) >= until or any(one.done() for one in running), "it storms"
        )
        served.signal(signal.SIGKILL)
    for outcome in running:
        outcome.result()
    served.exit_code()


def _check(served: Served, models: Sequence[Model], directory: Path) -> None:
    for model in models:
        model.check(served)
    assert list(served.admin().CheckIntegrity(admin_service_pb2.CheckIntegrityRequest()).problems) == []
    acknowledged = set(itertools.chain.from_iterable(model.revisions for model in models))

    def untold() -> set[int]:
        told = revisions_told(read_trail(directory / "audit.jsonl"))
        assert told == list(range(1, len(told) + 1))
        return acknowledged.difference(told)

    eventually(lambda: not untold(), "every acknowledged revision is told")
