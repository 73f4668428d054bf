"""What goes on failing is told seldom, in one line, and without a place in the code."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from tests.index.embedders.endpoint_server import EMBED, Reply, embeddings, running
from tests.sidecar.finding.memory import memory

from memslot_sidecar.finding.telling import Complaint


def test_a_complaint_is_not_repeated_soon(caplog: pytest.LogCaptureFixture) -> None:
    """One line when it begins, one when it is over; what begins again soon after is told only when it lasts."""
    now_s = [0.0]
    complaint = Complaint(logging.getLogger("test"), lambda: now_s[0])
    complaint.over("works")
    for _ in range(3):
        complaint.tell("fails: %s", "why")
    complaint.over("works")
    complaint.over("works")
    complaint.tell("fails: %s", "why")
    complaint.over("works")
    assert [record.getMessage() for record in caplog.records] == ["fails: why", "works"]
    now_s[0] = 601.0
    complaint.tell("fails: %s", "still")
    assert caplog.records[-1].getMessage() == "fails: still"


async def test_an_embedder_that_is_down_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """However often it is tried: one line when it fails and one when it is back, no places in the code; Stats tells meanwhile."""
    with running(lambda _: Reply(status=503)) as server:
        service = {
            "index_mode": "hybrid",
            "embedder": "openai",
            "openai_url": server.url,
            "openai_dimensions": EMBED.dimensions,
            "openai_key_env": "",
        }
        async with memory(tmp_path, **service) as m:
            await m.write("a", "zebra")
            while len(server.requests) < 3:
                await asyncio.sleep(0.01)
            assert "vectors wait" in (await m.stats()).indexes[0].problem
            server.usual = embeddings
            while (await m.stats()).index_waiting:
                await asyncio.sleep(0.01)
            assert not (await m.stats()).indexes[0].problem
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == 2
    assert "words are found meanwhile" in lines[0]
    assert "openai" in lines[1]
    assert not [line for line in lines if "\n" in line or ".py" in line]
