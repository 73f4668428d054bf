"""What one store answers, the other answers too; and calls at once are as if they had come one after the other."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from tests.faults.in_process import Clock, InProcess, in_process
from tests.faults.random_requests import NAMES, NAMESPACES, Requests

from memslot.v1 import admin_service_pb2, slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import InternalError, MemslotError

LIMITS: dict[str, Any] = {"slot_limit": 8, "versions_kept": 2, "store_limit_bytes": 3000, "namespace_limit": 5}
CHANGED_NOTHING = {slot_pb2.OUTCOME_UNCHANGED, slot_pb2.OUTCOME_ABSENT, slot_pb2.OUTCOME_CHECKED}


async def answer(run: InProcess, request: Message) -> Any:
    """The reply without what two stores cannot share, or what the error says."""
    try:
        reply = await run(request)
    except InternalError:
        raise
    except MemslotError as error:
        return type(error).__name__, error.message, error.metadata
    if "next_page_token" in reply.DESCRIPTOR.fields_by_name:
        reply.next_page_token = "more" if reply.next_page_token else ""
    return reply


@pytest.mark.slow
@pytest.mark.parametrize("overflow", ["reject", "evict-lowest-rank"])
async def test_both_stores_answer_alike(tmp_path: Path, overflow: str) -> None:
    """Thousands of random requests, refusals and the passing of time included: replies and errors of both stores are the same."""
    seed = random.random()
    requests, clock = Requests(seed), Clock()
    (tmp_path / "ram").mkdir()
    ram_store = in_process("ram", tmp_path / "ram", clock, overflow=overflow, **LIMITS)
    async with ram_store as ram, in_process("sqlite", tmp_path, clock, overflow=overflow, **LIMITS) as sqlite:
        for step in range(3000):
            request = requests.any()
            expected = await answer(ram, request)
            assert await answer(sqlite, request) == expected, (seed, step, request)
            # The one noted difference: SQLite writes access counts in portions.
            await sqlite.sidecar.store.flush_accesses()
            clock.now_ms += requests.chance.choice([0] * 40 + [1, 500, 100_000])
        assert list((await sqlite(admin_service_pb2.CheckIntegrityRequest())).problems) == []


@pytest.mark.parametrize("overflow", ["reject", "evict-lowest-rank"])
async def test_calls_at_once_are_as_if_one_after_the_other(tmp_path: Path, overflow: str) -> None:
    """Two dozen callers mutate the same slots at once: done again one by one in the order of their revisions, each gets the very same reply,
    and the same slots are there in the end."""
    seed = random.random()
    (tmp_path / "again").mkdir()
    async with in_process("sqlite", tmp_path, overflow=overflow, **LIMITS) as run:
        done: list[tuple[int, bool, Message, Any]] = []

        async def caller(number: int) -> None:
            requests = Requests(f"{seed}/{number}")
            for _ in range(20):
                request = requests.mutation()
                reply = await answer(run, request)
                if isinstance(reply, Message):
                    done.append((reply.revision, not _changed(reply), request, reply))  # type: ignore[attr-defined]

        await asyncio.gather(*[caller(number) for number in range(24)])
        async with in_process("ram", tmp_path / "again", overflow=overflow, **LIMITS) as again:
            for _, _, request, reply in sorted(done, key=lambda entry: entry[:2]):
                assert await answer(again, request) == reply, (seed, request)
            for namespace in NAMESPACES:
                content = pb.BatchReadRequest(namespace=namespace, names=NAMES)
                assert await answer(run, content) == await answer(again, content)


def _changed(reply: Any) -> bool:
    """Whether a mutation changed something; one that did not comes after the one whose revision it tells."""
    if isinstance(reply, pb.ForgetMatchingResponse):
        return reply.forgotten > 0
    receipts = [r.receipt for r in reply.results] if isinstance(reply, pb.CommitResponse) else [reply.receipt]
    return any(receipt.outcome not in CHANGED_NOTHING for receipt in receipts)
