"""Writers that go on until their server dies, and then know what must be found."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import grpc
from tests.faults import steps
from tests.faults.asking import failure
from tests.faults.steps import State, Step
from tests.system.process import PATIENCE_S

from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_service_pb2_grpc import SlotServiceStub

_MIXED = (steps.replace, steps.replace, steps.append, steps.append, steps.patch, steps.describe, steps.forget)
_BULK_COMMITS, _BULK_SIZE = 5, 120


class Writer:
    """Owns a namespace and takes one step after the other in it. ``acknowledged`` are revisions."""

    def __init__(self, namespace: str, plan: Callable[[Writer], Iterator[Step]], seed: str) -> None:
        self.namespace = namespace
        self.chance = random.Random(seed)
        self.states: dict[str, State | None] = {}
        self.acknowledged: list[int] = []
        self._steps = plan(self)
        self._pending: Step | None = None

    def run(self, slots: SlotServiceStub) -> None:
        """Takes steps until the server is gone."""
        for step in self._steps:
            self._pending = step
            try:
                self._take(slots, step)
            except grpc.RpcError as error:
                if failure(error).code != "UNAVAILABLE":
                    raise
                return

    def check(self, slots: SlotServiceStub) -> None:
        """Every acknowledged step must be found as it was left; the one whose answer was lost, done, not done or, when it goes piece
        by piece, done in part."""
        step = self._pending
        touched = set(step.effect) if step else set()
        found = _found(slots, self.namespace, [*self.states, *touched.difference(self.states)])
        wrong = {name: found[name] for name in self.states if name not in touched and found[name] != self.states[name]}
        assert not wrong, (wrong, {name: self.states[name] for name in wrong})
        if step is None:
            return
        before = {name: found[name] == self.states.get(name) for name in touched}
        after = {name: found[name] == step.effect[name] for name in touched}
        assert all(before[name] or after[name] or (step.fleeting and found[name] is None) for name in touched), step
        assert step.piecemeal or step.fleeting or all(before.values()) or all(after.values()), (step, before, after)

    def repeat(self, slots: SlotServiceStub) -> None:
        """Asks again for the answer that was lost, which must not do the step twice."""
        if self._pending is not None:
            self._take(slots, self._pending)
            self.check(slots)

    def _take(self, slots: SlotServiceStub, step: Step) -> None:
        reply = getattr(slots, step.method)(step.request, timeout=PATIENCE_S)
        if not step.fleeting:
            self.states.update(step.effect)
        self.acknowledged.append(reply.revision)
        self._pending = None


def mixed(writer: Writer) -> Iterator[Step]:
    """Every kind of mutation on a few slots, and a commit over all of them now and then."""
    chance, namespace = writer.chance, writer.namespace
    while True:
        for kind in chance.sample(_MIXED, len(_MIXED)):
            name = "json" if kind is steps.patch else f"slot {chance.randrange(6)}"
            before = writer.states.get(name)
            full = kind is steps.append and before is not None and len(before.body) > 100_000
            yield (steps.replace if full else kind)(chance, namespace, name, before)
        names = [f"slot {number}" for number in range(6)]
        chance.shuffle(names)
        forgotten = names.pop()
        yield steps.commit(namespace, {f"in commit {n}": steps.body_of(chance, 500) for n in names}, forgotten)


def bulk(writer: Writer) -> Iterator[Step]:
    """Six hundred slots and more, and all of them forgotten by one call."""
    chance, namespace = writer.chance, writer.namespace
    while True:
        for portion in range(_BULK_COMMITS):
            names = [f"bulk {portion}-{number}" for number in range(_BULK_SIZE)]
            yield steps.commit(namespace, {name: steps.body_of(chance, 30) for name in names}, "nothing")
        yield steps.forget_all(namespace, dict(writer.states))


def passing(writer: Writer) -> Iterator[Step]:
    """Slots that expire at once."""
    while True:
        yield steps.fleeting(writer.chance, writer.namespace, f"fleeting {writer.chance.randrange(50)}")


def _found(slots: SlotServiceStub, namespace: str, names: list[str]) -> dict[str, State | None]:
    found: dict[str, State | None] = {}
    for start in range(0, len(names), 1000):
        asked = names[start : start + 1000]
        reply = slots.BatchRead(pb.BatchReadRequest(namespace=namespace, names=asked), timeout=PATIENCE_S)
        for name, result in zip(asked, reply.results, strict=True):
            there = result.WhichOneof("result") == "slot"
            assert there or result.status.code == grpc.StatusCode.NOT_FOUND.value[0], result.status
            found[name] = State(result.slot.body, result.slot.info.description) if there else None
    return found
