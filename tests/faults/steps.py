"""Steps of a write storm: requests whose effect is known, so that the state of each slot can be foretold.

A slot's state is its body and its description, or None when it is not there. Each step carries a request id: who lost the answer may
ask again.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.faults.asking import write

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb


class State(NamedTuple):
    """What a slot holds."""

    body: bytes
    description: str = ""


States = Mapping[str, "State | None"]


@dataclass(frozen=True)
class Step:
    """A request with its effect. A ``piecemeal`` one may have been done in part when its answer is lost; of a ``fleeting`` one the
    effect passes by itself."""

    method: str
    request: Any
    effect: States
    piecemeal: bool = False
    fleeting: bool = False


def replace(chance: random.Random, namespace: str, name: str, before: State | None) -> Step:
    """A new body of any size."""
    body = body_of(chance, chance.choice((10, 300, 5_000, 60_000)))
    return _write(write(name, body, namespace), State(body, before.description if before else ""))


def append(chance: random.Random, namespace: str, name: str, before: State | None) -> Step:
    """Bytes at the end."""
    more = body_of(chance, 40)
    before = before or State(b"")
    after = State(before.body + more, before.description)
    return _write(write(name, more, namespace, mode=pb.WRITE_MODE_APPEND), after)


def patch(chance: random.Random, namespace: str, name: str, _: State | None) -> Step:
    """A JSON body and its merge patch, in one."""
    document = {"k": chance.randrange(10**9), "drop": None}
    request = write(name, json.dumps(document).encode(), namespace, mode=pb.WRITE_MODE_MERGE_PATCH)
    return _write(request, State(json.dumps({"k": document["k"]}, separators=(",", ":")).encode()))


def describe(chance: random.Random, namespace: str, name: str, before: State | None) -> Step:
    """Another description; a slot that is missing is written instead."""
    if before is None:
        return replace(chance, namespace, name, before)
    info = slot_pb2.SlotInfo(description=f"described {chance.random()}")
    request = pb.UpdateInfoRequest(namespace=namespace, name=name, info=info, request_id=_id())
    request.update_mask.paths.append("description")
    return Step("UpdateInfo", request, {name: State(before.body, info.description)})


def forget(chance: random.Random, namespace: str, name: str, _: State | None) -> Step:
    """No slot any more; now and then no byte of it either."""
    erase = chance.random() < 0.1
    return Step("Forget", pb.ForgetRequest(namespace=namespace, name=name, erase=erase, request_id=_id()), {name: None})


def commit(namespace: str, bodies: Mapping[str, bytes], forgotten: str) -> Step:
    """Many slots written and one forgotten, all or nothing."""
    request = pb.CommitRequest(namespace=namespace, request_id=_id())
    for name, body in bodies.items():
        request.operations.add(write=pb.WriteRequest(name=name, body=body))
    request.operations.add(forget=pb.ForgetRequest(name=forgotten))
    return Step("Commit", request, {**{name: State(body) for name, body in bodies.items()}, forgotten: None})


def forget_all(namespace: str, names: Mapping[str, Any]) -> Step:
    """All slots of a namespace, in portions."""
    request = pb.ForgetMatchingRequest(namespace=namespace, all=True, request_id=_id())
    return Step("ForgetMatching", request, dict.fromkeys(names), piecemeal=True)


def fleeting(chance: random.Random, namespace: str, name: str) -> Step:
    """A slot that expires within moments."""
    request = write(name, body_of(chance, 100), namespace)
    request.ttl.FromMilliseconds(chance.randrange(1, 300))
    step = _write(request, State(request.body))
    return Step(step.method, step.request, step.effect, fleeting=True)


def body_of(chance: random.Random, size: int) -> bytes:
    """Text of about that size that no other body has."""
    word = f"<{chance.getrandbits(64):016x}>"
    return (word * (size // len(word) + 1)).encode()


def _write(request: pb.WriteRequest, after: State) -> Step:
    request.request_id = _id()
    return Step("Write", request, {request.name: after})


def _id() -> str:
    return str(uuid.uuid4())
