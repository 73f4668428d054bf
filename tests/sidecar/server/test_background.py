"""Jobs that the server does by itself."""

from __future__ import annotations

import asyncio
import logging

import pytest

from memslot_sidecar.background import Background, Job
from memslot_sidecar.errors import StoreUnavailable


@pytest.mark.parametrize(
    ("error", "told"), [(RuntimeError("broken"), "builtins.RuntimeError"), (StoreUnavailable("later"), "later")]
)
async def test_failed_job_is_counted_and_comes_again(
    error: Exception, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A job that fails is logged and counted, and is done again."""
    done = asyncio.Event()
    runs = 0

    async def work() -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise error
        done.set()

    background = Background()
    with caplog.at_level(logging.WARNING):
        background.start(Job("testing", 0.001, work))
        await asyncio.wait_for(done.wait(), 10)
        await background.stop()
    assert background.failures == {"testing": 1}
    assert told in caplog.text


async def test_stopped_jobs_do_not_come_again() -> None:
    """After stop no job runs, also none that was under way."""
    started = asyncio.Event()

    async def work() -> None:
        started.set()
        await asyncio.Event().wait()

    background = Background()
    background.start(Job("hanging", 0.001, work))
    await asyncio.wait_for(started.wait(), 10)
    await asyncio.wait_for(background.stop(), 10)
    assert len(asyncio.all_tasks()) == 1
