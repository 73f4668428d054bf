"""Messages of BeginTask and EndTask as commands, and their answers as replies."""

from __future__ import annotations

from memslot.v1 import namespace_service_pb2 as pb
from memslot_sidecar.model import TaskOutcome
from memslot_sidecar.operations.tasks import BeginTask, Begun, Ended, EndTask
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.moments import span_ms

_OUTCOMES = {int(outcome): outcome for outcome in TaskOutcome}


def begin_command(request: pb.BeginTaskRequest) -> BeginTask:
    """The command of a BeginTask."""
    return BeginTask(request.namespace, request.task_id, request.attempt, tuple(request.carry_over))


def end_command(request: pb.EndTaskRequest) -> EndTask:
    """The command of an EndTask. Raises InvalidField."""
    retain_ms = span_ms(request.retain, "retain") if request.HasField("retain") else 0
    return EndTask(
        request.namespace,
        request.task_id,
        request.attempt,
        known(_OUTCOMES, request.outcome, "outcome"),
        tuple(request.promote),
        retain_ms,
    )


def begun(result: Begun) -> pb.BeginTaskResponse:
    """Reply of BeginTask."""
    return pb.BeginTaskResponse(
        task_namespace=result.namespace,
        attempt=result.attempt,
        resumed=result.resumed,
        carried_over=result.carried.names,
        missing=result.carried.missing,
        revision=result.revision,
    )


def ended(result: Ended) -> pb.EndTaskResponse:
    """Reply of EndTask."""
    return pb.EndTaskResponse(
        promoted=result.promoted.names,
        missing=result.promoted.missing,
        repeated_end=result.repeated,
        revision=result.revision,
    )
