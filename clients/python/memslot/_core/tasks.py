"""Tasks: beginning and ending an attempt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memslot._core import encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import Pending, mutate, new_request_id
from memslot._core.steps import Steps
from memslot.expiry import Seconds
from memslot.v1 import namespace_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class Begun:
    """What the server says of an attempt that begins."""

    namespace_path: str
    attempt: int
    resumed: bool
    carried_over: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """What the server says of an attempt that ended."""

    promoted: tuple[str, ...]
    missing: tuple[str, ...]


def begin(at: Binding, task_id: str, attempt: int, carry_over: Iterable[str], timeout: Seconds | None) -> Steps[Begun]:
    """Begin an attempt. Raises StaleAttempt, InvalidName, InvalidField, OutcomeUnknown, and what does not fit where slots move."""
    request = pb.BeginTaskRequest(
        namespace=at.namespace,
        task_id=encode.text(task_id, "task_id"),
        attempt=attempt,
        carry_over=encode.strings(carry_over, "carry_over"),
        request_id=new_request_id(),
    )
    begun: Begun = yield from mutate(at, Pending(methods.BEGIN_TASK, request.request_id, request, _begun), timeout)
    return begun


def end(
    at: Binding,
    task_id: str,
    attempt: int,
    promote: Iterable[str],
    *,
    failed: bool,
    retain: Seconds,
    timeout: Seconds | None,
) -> Steps[Ended]:
    """End an attempt. Raises as :func:`begin`."""
    request = pb.EndTaskRequest(
        namespace=at.namespace,
        task_id=encode.text(task_id, "task_id"),
        attempt=attempt,
        outcome=pb.TASK_OUTCOME_FAILED if failed else pb.TASK_OUTCOME_SUCCEEDED,
        promote=encode.strings(promote, "promote"),
        retain=encode.duration(retain, "retain"),
        request_id=new_request_id(),
    )
    ended: Ended = yield from mutate(at, Pending(methods.END_TASK, request.request_id, request, _ended), timeout)
    return ended


def _begun(reply: pb.BeginTaskResponse) -> Begun:
    return Begun(reply.task_namespace, reply.attempt, reply.resumed, tuple(reply.carried_over), tuple(reply.missing))


def _ended(reply: pb.EndTaskResponse) -> Ended:
    return Ended(tuple(reply.promoted), tuple(reply.missing))
