"""Fills a store through the public contract: Commits of 128 writes, a few under way at a time."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from tests.benchmarks.connection import Sidecar
from tqdm import tqdm

from memslot.v1.namespace_service_pb2 import GetNamespaceRequest, NamespaceSettings, UpdateNamespaceRequest
from memslot.v1.slot_pb2 import OUTCOME_CREATED, OUTCOME_OVERWRITTEN, OUTCOME_UNCHANGED
from memslot.v1.slot_service_pb2 import BatchReadRequest, CommitOperation, CommitRequest, WriteRequest

COMMIT_WRITES = 128
_AT_ONCE = 4
_TTL_S = 30 * 24 * 3600
_WRITTEN = {OUTCOME_CREATED, OUTCOME_OVERWRITTEN, OUTCOME_UNCHANGED}


@dataclass(frozen=True, slots=True)
class Filling:
    """What a store is filled with, by the slot's number. ``write_of`` has neither namespace nor request_id."""

    namespace: str
    slots: int
    name_of: Callable[[int], str]
    body_of: Callable[[int], bytes]
    write_of: Callable[[int], WriteRequest]


async def allow(sidecar: Sidecar, namespace: str, slots: int) -> None:
    """Lets a namespace hold so many slots, for a month."""
    settings = NamespaceSettings(slot_limit=slots, ttl_default=Duration(seconds=_TTL_S))
    mask = FieldMask(paths=["slot_limit", "ttl_default"])
    await sidecar.namespaces.UpdateNamespace(
        UpdateNamespaceRequest(namespace=namespace, settings=settings, update_mask=mask, request_id=str(uuid.uuid4()))
    )


async def fill(sidecar: Sidecar, filling: Filling) -> int:
    """Brings the store to its slots and returns how many were missing; what an earlier run left is kept. Raises AssertionError when it
    then holds another number."""
    slots = filling.slots
    await allow(sidecar, filling.namespace, 2 * slots)
    present = await _count(sidecar, filling.namespace)
    if present > slots:
        raise AssertionError(f"the store holds {present:,} slots, more than the {slots:,} asked for")
    with tqdm(total=slots, initial=present, unit="slot", desc="filling", leave=False, disable=None) as progress:
        # A load that was cut short left a gap of at most the Commits then under way.
        begin = max(present - present % COMMIT_WRITES - _AT_ONCE * COMMIT_WRITES, 0) if present < slots else slots
        ranges = iter(range(begin, slots, COMMIT_WRITES))
        await asyncio.gather(*(_commits(sidecar, filling, ranges, progress.update) for _ in range(_AT_ONCE)))
    if (found := await _count(sidecar, filling.namespace)) != slots:
        raise AssertionError(f"the store holds {found:,} slots after {slots:,} were written")
    await verify(sidecar, filling, range(0, slots, max(slots // 200, 1)))
    return slots - present


async def verify(sidecar: Sidecar, filling: Filling, numbers: range) -> None:
    """Reads up to 1,000 slots and raises AssertionError unless each body is the one that was written."""
    request = BatchReadRequest(namespace=filling.namespace, names=[filling.name_of(number) for number in numbers])
    reply = await sidecar.slots.BatchRead(request)
    bodies = [result.slot.body for result in reply.results]
    if bodies != [filling.body_of(number) for number in numbers]:
        raise AssertionError("a body is not what was written")


async def _commits(sidecar: Sidecar, filling: Filling, begins: Iterator[int], tell: Callable[[int], object]) -> None:
    for begin in begins:
        numbers = range(begin, min(begin + COMMIT_WRITES, filling.slots))
        operations = [CommitOperation(write=filling.write_of(number)) for number in numbers]
        reply = await sidecar.slots.Commit(
            CommitRequest(namespace=filling.namespace, operations=operations, request_id=str(uuid.uuid4()))
        )
        outcomes = [result.receipt.outcome for result in reply.results]
        if len(outcomes) != len(numbers) or not _WRITTEN.issuperset(outcomes):
            raise AssertionError("a Commit was answered without a receipt for each write")
        tell(len(numbers))


async def _count(sidecar: Sidecar, namespace: str) -> int:
    reply = await sidecar.namespaces.GetNamespace(GetNamespaceRequest(namespace=namespace))
    return reply.namespace.slot_count
