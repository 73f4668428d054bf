"""A search for the very name of a slot."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.finding.memory import Memory, memory

from memslot.v1 import slot_service_pb2 as pb

OTHERS = [f"zebra-zebra-{at}" for at in range(60)]


async def pages(m: Memory, limit: int) -> list[str]:
    """The names of all pages of a search."""
    names: list[str] = []
    token = ""
    while True:
        reply = await m.search("zebra", limit=limit, page_token=token)
        names += [hit.name for hit in reply.hits]
        assert [hit.score for hit in reply.hits] == sorted((hit.score for hit in reply.hits), reverse=True)
        token = reply.next_page_token
        if not token:
            return names


@pytest.mark.parametrize("limit", [5, 10, 100])
async def test_it_comes_first_and_once(limit: int, tmp_path: Path) -> None:
    """However little its words count among the others', it is the first hit, and no page repeats or misses a slot for that."""
    async with memory(tmp_path) as m:
        for at, name in enumerate(OTHERS):
            await m.write(name, "zebra " * (60 - at))
        await m.write("zebra", "something else entirely " * 3000)
        found = await pages(m, limit)
        assert found[0] == "zebra"
        assert sorted(found) == sorted([*OTHERS, "zebra"])


async def test_it_is_told_where_its_words_are(tmp_path: Path) -> None:
    """Also when it came far behind the others, of which no more are confirmed than are shown."""
    async with memory(tmp_path) as m:
        for at in range(20):
            await m.write(f"other-{at}", "zebra " * 10)
        await m.write("zebra", "zebra " + "something else entirely " * 3000)
        hit = (await m.search("zebra", limit=1)).hits[0]
        assert (hit.name, [*hit.matched_by]) == ("zebra", [pb.MATCH_NAME, pb.MATCH_BODY])
