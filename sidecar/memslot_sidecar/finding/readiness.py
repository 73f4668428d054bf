"""Waiting until the index knows what a search has to know."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from memslot_sidecar.errors import IndexBehind
from memslot_sidecar.finding.desk import seen
from memslot_sidecar.finding.plans import Plans
from memslot_sidecar.finding.running import Running

_PLAN_WAIT_S = 5.0
_SETTLE_S = 0.25
_ANSWER_S = (0.02, 0.5)
_ANSWER_SHARE = 0.1


async def ready(
    running: Running, namespace: str, revision: int, min_revision: int, deadline_s: float | None, *, vectors: bool
) -> list[str]:
    """Waits until the index contains the words of ``revision`` and, with ``vectors``, those up to ``min_revision``.

    Returns what is still missing, a sentence each. Raises IndexUnavailable, IndexBehind, apsw.Error, OSError.
    """
    follower = running.follower
    missing = await _planned(running.plans, namespace, deadline_s)
    if not follower.problem and follower.done < revision:
        await _in_time(running, follower.reached(revision), deadline_s, revision)
    if follower.problem:
        missing.append(follower.problem)
    if vectors and min_revision:
        await _in_time(running, _settled(running, namespace, min_revision), deadline_s, min_revision)
    elif vectors and _settling(running, namespace) is not None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(_settled(running, namespace, 0), _SETTLE_S)
    return missing


async def _planned(plans: Plans, namespace: str, deadline_s: float | None) -> list[str]:
    """Waits a while for a namespace that is being indexed whole."""
    if not plans.covers(namespace):
        return []
    left_s = _PLAN_WAIT_S if deadline_s is None else max(0.0, deadline_s - time.monotonic()) / 2
    first = asyncio.ensure_future(plans.look_at(namespace))
    first.add_done_callback(seen)
    try:
        await asyncio.wait_for(asyncio.shield(first), min(left_s, _PLAN_WAIT_S))
    except asyncio.TimeoutError:
        return [f"namespace '{namespace}' is still being indexed: not all of its slots can be found yet"]
    return []


async def _in_time(
    running: Running, reaching: Coroutine[Any, Any, None], deadline_s: float | None, revision: int
) -> None:
    left_s = None if deadline_s is None else patience_s(deadline_s - time.monotonic())
    try:
        await asyncio.wait_for(reaching, left_s)
    except asyncio.TimeoutError:
        raise IndexBehind(
            f"the index has not reached revision {revision}: ask again, or with a later deadline or a smaller min_revision",
            field="min_revision",
            metadata={"indexed_revision": str(running.follower.done)},
        ) from None


def patience_s(left_s: float) -> float:
    """How long to wait of what is left to a caller: a tenth, from 20 to 500 ms, is kept for the answer that says how far the index is."""
    least, most = _ANSWER_S
    return max(0.0, left_s - min(most, max(least, left_s * _ANSWER_SHARE)))


async def _settled(running: Running, namespace: str, revision: int) -> None:
    """Answers when the vectors of a namespace up to a revision are made, and what compares them has followed."""
    if revision:
        await running.embedding.complete(namespace, revision)
    job = _settling(running, namespace)
    if job is not None:
        # It goes on, whoever waits for it.
        await asyncio.wait([asyncio.wrap_future(job)])


def _settling(running: Running, namespace: str) -> Future[None] | None:
    """What is done when the namespace's vectors can be compared; None when they can."""
    index = running.desk.index
    space = index.space(namespace)
    return None if space is None else index.vectors.job(space)
