"""Requests that hold anything."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sidecar.services.any_message import any_message
from tests.sidecar.services.served import served, store_maker

from memslot.v1 import namespace_service_pb2, slot_service_pb2
from memslot_sidecar.errors import MemslotError

REQUESTS: list[type[Message]] = [
    getattr(module, name)
    for module in (slot_service_pb2, namespace_service_pb2)
    for name in sorted(module.DESCRIPTOR.message_types_by_name)
    if name.endswith("Request")
]


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(REQUESTS).flatmap(any_message), max_size=12))
def test_whatever_a_request_holds_it_is_answered_or_refused(kind: str, tmp_path: Path, requests: list[Any]) -> None:
    """Requests with anything in any field meet nothing unforeseen, and leave a store that finds itself sound."""

    async def ask() -> None:
        async with served(store_maker(kind, tmp_path)) as run:
            for request in requests:
                with suppress(MemslotError):
                    reply = await run(request)
                    assert reply.revision <= run.store.revision
            assert (await run.store.check()).problems == []

    asyncio.run(ask())
