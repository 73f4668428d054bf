"""Tasks: each attempt has a namespace of its own, and what an earlier attempt left, or still writes, does not reach the next one.

A task is a record beside the namespace that holds its attempts'. Beginning an attempt seals the one before, moves what is carried over
and forgets the rest in one transaction. Only what is more than a portion is forgotten afterwards, by the call or by the server's upkeep.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import memslot
from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, InvalidName, NamespaceNotEmpty
from memslot_sidecar.model import NamespaceRecord, NamespaceSettings, Sealed, TaskOutcome, TaskState
from memslot_sidecar.operations.clearing import KEPT_MS, clear_task, cleared, is_free
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.fencing import attempt_path, stale
from memslot_sidecar.operations.moving import Moved, move
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.wiping import wiped
from memslot_sidecar.stores.base import Transaction

T = TypeVar("T")

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
        attempt = command.attempt or _next_free(tx, task, 0 if before is None else before.attempt)
        target = attempt_path(task, attempt)
        if before is not None and attempt <= before.attempt:
            ended = before.ended is not TaskOutcome.UNSPECIFIED
            if attempt < before.attempt or ended:
                raise stale(task, attempt, before.attempt, ended=attempt == before.attempt)
            return Begun(target, attempt, True, Moved(), tx.revision)
        _check_free(tx, target)
        carried = Moved(missing=carry_over)
        sealed: tuple[Sealed, ...] = ()
        if before is not None:
            carried = move(tx, ctx, call, attempt_path(task, before.attempt), target, carry_over)
            over = dict.fromkeys((*(one.attempt for one in before.sealed), before.attempt))
            sealed = tuple(cleared(tx, ctx, call, task, list(over)))
        record = tx.namespace(task) or NamespaceRecord(task, NamespaceSettings(), False, 0, 0, tx.now_ms)
        tx.put_namespace(replace(record, task=TaskState(attempt, tx.now_ms + KEPT_MS, sealed=sealed)))
        return Begun(target, attempt, False, carried, _told(tx, call, task, "BEGUN"))

    def note(result: Begun) -> None:
        call.outcome = "RESUMED" if result.resumed else "BEGUN"
        call.recorded = not result.resumed
        call.names = result.carried.names
        call.revision = result.revision

    return await _settled(ctx, call, task, lambda: mutate(ctx, call, once, decide, note))


async def end_task(ctx: Context, call: Call, command: EndTask, once: Once | None = None) -> Ended | Repeated:
    """Ends an attempt. Raises InvalidName, InvalidField, StaleAttempt (it is not the present one, or ended otherwise), RequestIdReused, and
    what moving raises."""
    task = _task_path(call, command.namespace, command.task_id)
    promote = _names(command.promote, "promote")
    _check_ending(command)
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
        ended: Sequence[Sealed] = [Sealed(command.attempt, tx.now_ms + command.retain_ms)]
        if not command.retain_ms:
            ended = cleared(tx, ctx, call, task, [command.attempt])
        forget_ms = tx.now_ms + command.retain_ms + KEPT_MS
        after = TaskState(command.attempt, forget_ms, command.outcome, (*state.sealed, *ended))
        tx.put_namespace(replace(found, task=after))
        return Ended(command.outcome, promoted, False, _told(tx, call, task, command.outcome.name))

    def note(result: Ended) -> None:
        call.outcome = result.outcome.name
        call.recorded = not result.repeated
        call.names = result.promoted.names
        call.revision = result.revision

    return await _settled(ctx, call, task, lambda: mutate(ctx, call, once, decide, note))


async def _settled(ctx: Context, call: Call, task: str, mutation: Callable[[], Awaitable[T]]) -> T:
    """The mutation's answer, when all that is due was forgotten, and wiped where that is wanted."""
    found = ctx.store.namespace(task)
    attempts = [] if found is None or found.task is None else [attempt_path(task, found.task.attempt)]
    erasing = any(ctx.settings(path).erase_on_forget for path in (call.namespace, *attempts))
    result = await mutation()
    await clear_task(ctx, task, call)
    # What the first answer's attempts wanted may be gone with them.
    await wiped(ctx, wanted=erasing or call.repeated)
    return result


def _next_free(tx: Transaction, task: str, last: int) -> int:
    """The next attempt whose namespace is free: what was written before the task began is neither its to forget nor to find."""
    return next(n for n in itertools.count(last + 1) if is_free(tx, attempt_path(task, n)))


def _check_free(tx: Transaction, target: str) -> None:
    if not is_free(tx, target):
        raise NamespaceNotEmpty(
            f"namespace '{target}' holds slots of before the task began: delete it with force, or leave the attempt out",
            field="attempt",
            metadata={"namespace": target},
        )


def _check_ending(command: EndTask) -> None:
    if command.outcome is TaskOutcome.UNSPECIFIED:
        raise InvalidField("outcome is not set: say SUCCEEDED or FAILED", field="outcome")
    if not 0 <= command.retain_ms <= RETAIN_LIMIT_MS:
        raise InvalidField("retain is out of range: keep an ended attempt for 0 seconds to 30 days", field="retain")
    if not 1 <= command.attempt <= ATTEMPT_LIMIT:
        raise InvalidField("attempt is not set: say which attempt ends, as BeginTask answered it", field="attempt")


def _task_path(call: Call, namespace: str, task_id: str) -> str:
    about(call, namespace)
    if not task_id:
        raise InvalidName("task_id is empty: give the text that names the task", field="task_id")
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
    tx.emit(revision, task, call.info, [], outcome)
    return revision
