"""Searches that take too long: ended, with a reason, and out of the way of others."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.finding.memory import memory

from memslot_index.database.stopping import Stop
from memslot_index.index import Index
from memslot_sidecar import errors

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
KINDS = pytest.mark.parametrize("kind", ["ram", "sqlite"])


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """A search for a word that begins with "endless" has no end of its own; released by each one that takes a thread."""
    search, taken = Index.search, threading.Semaphore(0)

    def searching(self: Index, path: str, wanted: Any, stop: Stop) -> Any:
        if wanted.query is not None and "endless" in wanted.query.match():
            taken.release()
            with self._connections.stoppable(stop), self._connections.reading() as connection:
                connection.execute(ENDLESS).fetchall()
        return search(self, path, wanted, stop)

    monkeypatch.setattr(Index, "search", searching)
    return taken


@KINDS
@pytest.mark.usefixtures("begun")
async def test_a_search_that_takes_too_long_is_ended_and_told_why(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the field and the remedy; its thread is free again, and its connection as good as before."""
    async with memory(tmp_path, kind) as m:
        await m.write("a", "zebra")
        assert await m.found("zebra") == ["a"]
        with monkeypatch.context() as patch:
            patch.setattr("memslot_sidecar.finding.finder._SEARCH_S", 0.05)
            for _ in range(4):
                with pytest.raises(errors.InvalidField, match="rarer words") as caught:
                    await m.search("endless")
                assert caught.value.field == "text"
        assert await asyncio.wait_for(m.found("zebra"), 10) == ["a"]
        await m.write("b", "zebra")
        assert set(await m.found("zebra")) == {"a", "b"}


@KINDS
async def test_a_search_ends_with_its_caller(kind: str, tmp_path: Path, begun: threading.Semaphore) -> None:
    """Whoever is cancelled takes the search along, whether it runs or waits for a thread."""
    async with memory(tmp_path, kind) as m:
        await m.write("a", "zebra")
        calls = [asyncio.ensure_future(m.search("endless")) for _ in range(6)]
        await asyncio.to_thread(begun.acquire)
        for call in calls:
            call.cancel()
        assert await asyncio.wait_for(m.found("zebra"), 10) == ["a"]
        await asyncio.gather(*calls, return_exceptions=True)


@KINDS
async def test_who_finds_no_thread_in_time_may_try_again(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: threading.Semaphore
) -> None:
    """While others take all threads, a search is refused as unavailable, not blamed for its words."""
    async with memory(tmp_path, kind) as m:
        await m.write("a", "zebra")
        await m.found("zebra")
        broad = [asyncio.ensure_future(m.search("endless")) for _ in range(2)]
        for _ in broad:
            await asyncio.to_thread(begun.acquire)
        monkeypatch.setattr("memslot_sidecar.finding.finder._SEARCH_S", 0.05)
        with pytest.raises(errors.IndexUnavailable, match="too many others"):
            await m.search("zebra")
        for call in broad:
            call.cancel()
        await asyncio.gather(*broad, return_exceptions=True)
