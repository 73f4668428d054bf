"""Durable writes of 1 KiB, each a call of its own, and the proof that every slot holds what was acknowledged last."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable
from itertools import islice

from tests.benchmarks.connection import Sidecar
from tests.benchmarks.dataset import body_of
from tests.benchmarks.load import allow

from memslot.v1.agent_service_pb2 import ActRequest
from memslot.v1.slot_pb2 import OUTCOME_CREATED, OUTCOME_OVERWRITTEN, Receipt
from memslot.v1.slot_service_pb2 import BatchReadRequest, WriteRequest

NAMESPACE = "bench/written"
NAMES_A_CALLER = 200
"""A caller goes round so many names of its own: the first time round creates slots, later ones overwrite."""


class Writes:
    """Writes by any number of callers up to the one prepared for. Every Write carries a request_id, as clients send it."""

    namespace = NAMESPACE

    def __init__(self, sidecar: Sidecar, body_of: Callable[[int], bytes]) -> None:
        self._sidecar = sidecar
        self._body_of = body_of
        self._made: Counter[int] = Counter()
        self._last: dict[str, tuple[int, int]] = {}
        self._revisions: set[int] = set()

    @classmethod
    async def prepared(cls, sidecar: Sidecar, *, callers: int, body_of: Callable[[int], bytes] = body_of) -> Writes:
        """Makes room for the slots of so many callers; ``body_of`` makes a body from a number that is given once."""
        await allow(sidecar, cls.namespace, 2 * callers * NAMES_A_CALLER)
        return cls(sidecar, body_of)

    @property
    def last(self) -> dict[str, int]:
        """From which number the body of each slot was made last."""
        return {name: seed for name, (seed, _) in self._last.items()}

    async def __call__(self, caller: int) -> None:
        """Writes the caller's next slot. Raises AssertionError on a receipt that is wrong."""
        turn = self._made[caller]
        self._made[caller] += 1
        name, seed = f"caller-{caller}-slot-{turn % NAMES_A_CALLER}", caller * 1_000_000 + turn
        receipt = await self._written(name, self._body_of(seed))
        expected = OUTCOME_CREATED if turn < NAMES_A_CALLER else OUTCOME_OVERWRITTEN
        if receipt.outcome != expected or receipt.revision in self._revisions:
            raise AssertionError(f"the receipt of {name} is wrong: {receipt}")
        self._revisions.add(receipt.revision)
        self._last[name] = (seed, receipt.revision)

    async def _written(self, name: str, body: bytes) -> Receipt:
        """Writes one slot."""
        request = WriteRequest(
            namespace=self.namespace, name=name, body=body, content_type="text/plain", request_id=str(uuid.uuid4())
        )
        return (await self._sidecar.slots.Write(request)).receipt

    async def verify(self) -> int:
        """Reads every slot and returns how many there are. Raises AssertionError unless each has the body and the revision that were acknowledged last."""
        names = iter(self._last)
        while chunk := list(islice(names, 500)):
            reply = await self._sidecar.slots.BatchRead(BatchReadRequest(namespace=self.namespace, names=chunk))
            for name, result in zip(chunk, reply.results, strict=True):
                seed, revision = self._last[name]
                if result.slot.body != self._body_of(seed) or result.slot.info.revision != revision:
                    raise AssertionError(f"{name} is not what was acknowledged")
        return len(self._last)


class ActedWrites(Writes):
    """The same slots, written by a model: each in an Act with prose around one action."""

    namespace = "bench/acted"

    async def _written(self, name: str, body: bytes) -> Receipt:
        action = json.dumps({"action": "mem_write", "slot": name, "value": body.decode()})
        output = f"I will remember that.\n{action}\nIs there anything else?"
        request = ActRequest(namespace=self.namespace, output=output, request_id=str(uuid.uuid4()))
        (done,) = (await self._sidecar.agent.Act(request)).actions
        if done.line != f"stored {name}":
            raise AssertionError(f"the line of {name} is wrong: {done.line}")
        return done.receipt
