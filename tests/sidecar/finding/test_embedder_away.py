"""An embedder that does not answer: searches go on by words, in their time, and the sidecar can be stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from tests.index.embedders.endpoint_server import EMBED, EndpointServer, Reply, embeddings, running
from tests.sidecar.finding.memory import SPACE, memory

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors

FOREVER_S = 600.0


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    """Takes requests and answers none, until the test is over."""
    over = Event()
    with running(lambda _: Reply(wait=over)) as server:
        try:
            yield server
        finally:
            over.set()


def settings(server: EndpointServer, timeout_s: float) -> dict[str, object]:
    """A namespace whose vectors come from the server."""
    return {
        "index_mode": "hybrid",
        "embedder": "openai",
        "openai_url": server.url,
        "openai_dimensions": EMBED.dimensions,
        "openai_timeout_s": timeout_s,
        "openai_key_env": "",
    }


async def test_searches_do_not_queue_for_an_embedder_that_is_silent(server: EndpointServer, tmp_path: Path) -> None:
    """Of many searches at once one waits for the embedder; all of them find by words, and say so without the address."""
    async with memory(tmp_path, **settings(server, 0.2)) as m:
        replies = await asyncio.gather(*(m.search(f"zebra {at}") for at in range(8)))
        assert {reply.mode for reply in replies} == {pb.SEARCH_MODE_FULLTEXT}
        assert all("openai" in reply.degraded[0] and server.url not in reply.degraded[0] for reply in replies)
        asked = [request["input"] for request in server.requests]
        assert len([texts for texts in asked if texts[0].startswith("zebra")]) == 1


async def test_a_search_answers_within_its_deadline(server: EndpointServer, tmp_path: Path) -> None:
    """Half of a call's time is for the embedder: then words are searched, and a search by vectors alone is refused."""
    server.script.append(embeddings)
    async with memory(tmp_path, **settings(server, FOREVER_S)) as m:
        reply = await m.sidecar.dispatch(
            "SlotService/Search", pb.SearchRequest(namespace=SPACE, text="zebra"), remaining_s=1.0
        )
        assert reply.mode == pb.SEARCH_MODE_FULLTEXT
        request = pb.SearchRequest(namespace=SPACE, text="horse", mode=pb.SEARCH_MODE_VECTOR)
        with pytest.raises(errors.EmbedderUnavailable):
            await m.sidecar.dispatch("SlotService/Search", request, remaining_s=1.0)


async def test_a_silent_embedder_does_not_hold_up_the_stop(
    server: EndpointServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever is being embedded when the sidecar stops is given up, and nothing is logged of it."""
    server.script.append(embeddings)
    with caplog.at_level(logging.WARNING):
        async with memory(tmp_path, **settings(server, FOREVER_S)) as m:
            await m.write("a", "zebra")
            while not any("zebra" in request["input"][0] for request in server.requests):
                await asyncio.sleep(0.01)
    assert not caplog.records


async def test_a_silent_model_of_summaries_does_not_hold_up_the_stop(server: EndpointServer, tmp_path: Path) -> None:
    """A summary that a model is asked for when the sidecar stops is given up too; it waits for the next start."""
    model = {"summary_mode": "model", "summary_url": server.url, "summary_model": "m", "summary_key_env": ""}
    async with memory(tmp_path, summary_above_bytes=1000, **model) as m:
        await m.write("a", "A zebra has stripes, and nobody knows why. " * 50)
        while not server.requests:
            await asyncio.sleep(0.01)
