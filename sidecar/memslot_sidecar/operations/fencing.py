"""Attempts of tasks that may not write any more."""

from __future__ import annotations

import re

from memslot_sidecar.errors import StaleAttempt
from memslot_sidecar.model import TaskOutcome
from memslot_sidecar.stores.base import Transaction

_ATTEMPT = re.compile(r"attempt-([1-9][0-9]{0,9})")


def attempt_path(task: str, attempt: int) -> str:
    """The namespace of an attempt, below that of its task."""
    return f"{task}/attempt-{attempt}"


def check_fences(tx: Transaction, namespace: str) -> None:
    """Raises StaleAttempt when the namespace is, or lies below, that of an attempt that is not its task's present one.

    Costs nothing elsewhere: the namespaces of attempts are told by their names, and a task's record says the rest.
    """
    if "/attempt-" not in namespace:
        return
    segments = namespace.split("/")
    for depth, segment in enumerate(segments[1:], start=1):
        written = _ATTEMPT.fullmatch(segment)
        if written is None:
            continue
        task = "/".join(segments[:depth])
        found = tx.namespace(task)
        if found is None or found.task is None:
            continue
        state, attempt = found.task, int(written[1])
        if attempt != state.attempt:
            raise stale(task, attempt, state.attempt)
        if state.ended is not TaskOutcome.UNSPECIFIED:
            raise stale(task, attempt, state.attempt, ended=True)


def stale(task: str, attempt: int, current: int, *, ended: bool = False) -> StaleAttempt:
    """The error for a call of an attempt that is over."""
    if ended:
        why = f"attempt {attempt} of task '{task}' has ended"
    elif attempt < current:
        why = f"attempt {attempt} of task '{task}' is over: attempt {current} has begun"
    else:
        why = f"attempt {attempt} of task '{task}' has not begun: the present one is {current}"
    return StaleAttempt(
        f"{why}; begin the next attempt with BeginTask, and write to the namespace that it answers with",
        metadata={"task": task, "attempt": str(attempt), "current_attempt": str(current)},
    )
