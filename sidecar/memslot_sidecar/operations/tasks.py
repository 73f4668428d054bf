"""Tasks: each attempt has a namespace of its own, and what an earlier attempt left, or still writes, does not reach the next one.

A task is a record beside the namespace that holds its attempts'. Beginning an attempt seals the one before in the same transaction that
moves what is carried over; the rest of it is forgotten afterwards, in portions, by the call or by the server's upkeep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import memslot
from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, InvalidName
from memslot_sidecar.model import Change, NamespaceRecord, NamespaceSettings, SlotChange, TaskOutcome, TaskState
from memslot_sidecar.operations.capacity import check_namespace_limit
from memslot_sidecar.operations.clearing import KEPT_MS, clear_attempts
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.fencing import attempt_path, stale
from memslot_sidecar.operations.moving import Moved, move
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.stores.base import Transaction

MOVED_LIMIT = 128
ATTEMPT_LIMIT = 1_000_000_000
RETAIN_LIMIT_MS = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class BeginTask:
    """Begin ``attempt`` of a task (0 = the next one), with the slots ``carry_over`` of the attempt before."""

    namespace: str
    task_id: str
    attempt: int = 0
    carry_over: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class EndTask:
    """End an attempt: ``promote`` moves slots to the task's parent, and the rest can be read for ``retain_ms``."""

    namespace: str
    task_id: str
    attempt: int
    outcome: TaskOutcome
    promote: Sequence[str] = ()
    retain_ms: int = 0


@dataclass(frozen=True, slots=True)
class Begun:
    """The namespace of an attempt. ``resumed`` says that it had begun before, and was left as it is."""

    namespace: str
    attempt: int
    resumed: bool
    carried: Moved
    revision: int


@dataclass(frozen=True, slots=True)
class Ended:
    """How an attempt ended. ``repeated`` says that it had ended so before."""

    outcome: TaskOutcome
    promoted: Moved
    repeated: bool
    revision: int


async def begin_task(ctx: Context, call: Call, command: BeginTask, once: Once | None = None) -> Begun | Repeated:
    """Begins an attempt. Raises InvalidName, InvalidField, StaleAttempt (a later one has begun, or this one has ended), RequestIdReused,
    and what moving raises: SlotLimitReached, StoreFull, BodyTooLarge, DimensionMismatch."""
    task = _task_path(call, command.namespace, command.task_id)
    carry_over = _names(command.carry_over, "carry_over")
    if not 0 <= command.attempt <= ATTEMPT_LIMIT:
        raise InvalidField(
            f"attempt is {command.attempt}: number attempts from 1, or send 0 for the next", field="attempt"
        )
    names.namespace_path(attempt_path(task, command.attempt or 1), "task_id")

    def decide(tx: Transaction) -> Begun:
        found = tx.namespace(task)
        before = None if found is None else found.task
        attempt = command.attempt or (before.attempt + 1 if before else 1)
        target = attempt_path(task, attempt)
        if before is not None and attempt <= before.attempt:
            ended = before.ended is not TaskOutcome.UNSPECIFIED
            if attempt < before.attempt or ended:
                raise stale(task, attempt, before.attempt, ended=attempt == before.attempt)
            return Begun(target, attempt, True, Moved(), tx.revision)
        if found is None:
            check_namespace_limit(tx, task, ctx.limits)
        sealed = () if before is None else tuple(dict.fromkeys((*before.sealed, before.attempt)))
        record = found or NamespaceRecord(task, NamespaceSettings(), False, 0, 0, tx.now_ms)
        due_ms = tx.now_ms if sealed else tx.now_ms + KEPT_MS
        tx.put_namespace(replace(record, task=TaskState(attempt, sealed=sealed, due_ms=due_ms)))
        carried = Moved(missing=carry_over)
        if before is not None:
            carried = move(tx, ctx, call, attempt_path(task, before.attempt), target, carry_over)
        return Begun(target, attempt, False, carried, _told(tx, call, task, "BEGUN"))

    def note(result: Begun) -> None:
        call.outcome = "RESUMED" if result.resumed else "BEGUN"
        call.recorded = not result.resumed
        call.names = result.carried.names
        call.revision = result.revision

    result = await mutate(ctx, call, once, decide, note)
    await clear_attempts(ctx, task, call)
    return result


async def end_task(ctx: Context, call: Call, command: EndTask, once: Once | None = None) -> Ended | Repeated:
    """Ends an attempt. Raises InvalidName, InvalidField, StaleAttempt (it is not the present one, or ended otherwise), RequestIdReused, and
    what moving raises."""
    task = _task_path(call, command.namespace, command.task_id)
    promote = _names(command.promote, "promote")
    if command.outcome is TaskOutcome.UNSPECIFIED:
        raise InvalidField("outcome is not set: say SUCCEEDED or FAILED", field="outcome")
    if not 0 <= command.retain_ms <= RETAIN_LIMIT_MS:
        raise InvalidField("retain is out of range: keep an ended attempt for 0 seconds to 30 days", field="retain")
    if not 1 <= command.attempt <= ATTEMPT_LIMIT:
        raise InvalidField("attempt is not set: say which attempt ends, as BeginTask answered it", field="attempt")
    parent = call.namespace

    def decide(tx: Transaction) -> Ended:
        found = tx.namespace(task)
        state = None if found is None else found.task
        if found is None or state is None:
            raise stale(task, command.attempt, 0)
        if command.attempt != state.attempt:
            raise stale(task, command.attempt, state.attempt)
        if state.ended is command.outcome:
            return Ended(state.ended, Moved(), True, tx.revision)
        if state.ended is not TaskOutcome.UNSPECIFIED:
            raise stale(task, command.attempt, state.attempt, ended=True)
        promoted = move(tx, ctx, call, attempt_path(task, command.attempt), parent, promote)
        sealed = tuple(dict.fromkeys((*state.sealed, command.attempt)))
        after = TaskState(command.attempt, command.outcome, sealed, tx.now_ms + command.retain_ms)
        tx.put_namespace(replace(found, task=after))
        return Ended(command.outcome, promoted, False, _told(tx, call, task, command.outcome.name))

    def note(result: Ended) -> None:
        call.outcome = result.outcome.name
        call.recorded = not result.repeated
        call.names = result.promoted.names
        call.revision = result.revision

    result = await mutate(ctx, call, once, decide, note)
    await clear_attempts(ctx, task, call)
    return result


def _task_path(call: Call, namespace: str, task_id: str) -> str:
    about(call, namespace)
    try:
        return f"{call.namespace}/{memslot.namespace(task_id)}"
    except ValueError as error:
        raise InvalidName(f"task_id cannot name a namespace: {error}", field="task_id") from None


def _names(wanted: Sequence[str], field: str) -> tuple[str, ...]:
    if len(wanted) > MOVED_LIMIT:
        raise InvalidField(
            f"{field} has {len(wanted)} names, at most {MOVED_LIMIT} can be moved by a call", field=field
        )
    return tuple(dict.fromkeys(names.slot_name(name, f"{field}[{index}]") for index, name in enumerate(wanted)))


def _told(tx: Transaction, call: Call, task: str, outcome: str) -> int:
    revision = tx.next_revision()
    tx.emit(revision, task, call.info, [SlotChange("", Change.CONFIGURED)], outcome)
    return revision
