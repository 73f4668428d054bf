"""Requests about tasks of the namespace `ns`, short to write."""

from __future__ import annotations

from typing import Any

from tests.sidecar.operations.requests import lookup
from tests.sidecar.services.served import Served

from memslot.v1 import namespace_service_pb2 as pb


def begin(attempt: int = 0, *carry_over: str, task_id: str = "job", **fields: Any) -> pb.BeginTaskRequest:
    """A request to begin an attempt."""
    return pb.BeginTaskRequest(
        **{"namespace": "ns", "task_id": task_id, "attempt": attempt, "carry_over": carry_over, **fields}
    )


def end(
    attempt: int, *promote: str, outcome: pb.TaskOutcome.ValueType = pb.TASK_OUTCOME_SUCCEEDED, **fields: Any
) -> pb.EndTaskRequest:
    """A request to end an attempt."""
    return pb.EndTaskRequest(
        **{
            "namespace": "ns",
            "task_id": "job",
            "attempt": attempt,
            "outcome": outcome,
            "promote": promote,
            **fields,
        }
    )


async def names(run: Served, namespace: str) -> list[str]:
    """The names in a namespace."""
    return sorted(found.name for found in (await run(lookup(namespace=namespace))).slots)
