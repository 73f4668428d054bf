"""Summaries through the whole sidecar: searched for, counted, and made by what really makes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.index.embedders.endpoint_server import EndpointServer, Reply, chat, running
from tests.sidecar.finding.memory import SPACE, Memory, memory

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.errors import UsageError

ENGLISH = (
    "The ferry to Naxos leaves at half past seven from gate E3. "
    "Mara wants to sit outside because she gets seasick. "
    "We paid for two bicycles, but the harbour office lost one of the tickets. "
    "Somebody at the desk promised to call back before noon. "
) * 12
CHINESE = (
    "小林喜欢在早上喝乌龙茶，下午只喝水。她对花生过敏，所以点餐时要提醒厨房。她的生日是三月九日，那天想去看海。" * 20
)
SUMMARY = pb.SEARCH_VIEW_SUMMARY


@pytest.fixture(params=["ram", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    """Every store."""
    kind: str = request.param
    return kind


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits for a condition."""
    while not await condition():
        await asyncio.sleep(0.01)


async def count(m: Memory, wanted: int) -> bool:
    """Whether so many summaries are kept."""
    return (await m.stats()).summaries == wanted


async def summary(m: Memory, name: str) -> slot_pb2.Summary:
    """The summary that Read tells."""
    reply = await m.call("Read", pb.ReadRequest(namespace=SPACE, name=name, view=pb.READ_VIEW_SUMMARY))
    found: slot_pb2.Summary = reply.summary
    return found


async def test_search_shows_summaries(kind: str, tmp_path: Path) -> None:
    """A search in view SUMMARY tells with each hit the summary that is at hand, whoever made it, and in no other view."""
    async with memory(tmp_path, kind, summary_mode="extractive") as m:
        await m.write("ferry", ENGLISH)
        await m.write("tickets", "Tickets for the ferry.", summary="On tickets.", origin="ORIGIN_TOOL")
        await m.write("short", "A ferry.")
        await until(lambda: count(m, 1))
        hits = {hit.name: hit for hit in (await m.search("ferry", view=SUMMARY)).hits}
        assert hits["ferry"].summary.text in _choices(ENGLISH)
        assert hits["ferry"].summary == await summary(m, "ferry")
        assert hits["tickets"].summary.text == "On tickets."
        assert (hits["tickets"].summary.source, hits["tickets"].summary.origin) == (1, 3)
        assert [hits[name].info.has_summary for name in ("ferry", "tickets", "short")] == [True, True, False]
        assert not hits["short"].HasField("summary")
        for view in (pb.SEARCH_VIEW_NAMES, pb.SEARCH_VIEW_INFO):
            assert not [hit for hit in (await m.search("ferry", view=view)).hits if hit.HasField("summary")]


def _choices(text: str) -> set[str]:
    """What whole sentences of a text, in order and each once, may be."""
    parts = [part.strip() + "." for part in dict.fromkeys(text.split(".")) if part.strip()]
    return {
        " ".join(part for index, part in enumerate(parts) if chosen >> index & 1)
        for chosen in range(1, 1 << len(parts))
    }


async def test_search_after_an_overwrite_shows_no_old_summary(kind: str, tmp_path: Path) -> None:
    """The search after a write tells nothing of what was there before."""
    async with memory(tmp_path, kind, summary_mode="extractive") as m:
        await m.write("x", ENGLISH)
        await until(lambda: count(m, 1))
        await m.write("x", "The ferry is gone.")
        (hit,) = (await m.search("ferry", view=SUMMARY)).hits
        assert not hit.HasField("summary")
        assert (await m.stats()).summaries == 0


async def test_both_scripts_are_summarised(kind: str, tmp_path: Path) -> None:
    """English and Chinese are cut down to whole sentences of their own, of about the same number of bytes."""
    async with memory(tmp_path, kind, summary_mode="extractive", summary_above_bytes=1000) as m:
        for name, text in (("en", ENGLISH), ("zh", CHINESE)):
            await m.write(name, text)
            found = await summary(m, name)
            assert found.source == slot_pb2.SUMMARY_SOURCE_EXTRACTIVE
            assert 0 < len(found.text.encode()) <= 600
            assert found.text.rstrip()[-1] in ".。"
            for sentence in found.text.replace("。", "。|").replace(". ", ".|").split("|"):
                assert sentence.strip() in text
        await until(lambda: count(m, 2))


async def test_model_behind_an_endpoint(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's summary takes the place of sentences, also when the endpoint was broken at first, and is the model's word."""
    monkeypatch.setenv("A_KEY", "sk-key")
    with running(chat("A ferry, and tickets.")) as server:
        server.script.append(Reply(503, b"busy"))
        async with memory(tmp_path, kind, **_by_model(server)) as m:
            await m.write("x", ENGLISH, origin="ORIGIN_USER")
            assert (await summary(m, "x")).source == 2
            await until(lambda: count(m, 1))
            await m.write("y", ENGLISH, origin="ORIGIN_TOOL")
            await until(lambda: _made_by_model(m, "y"))
            assert (await summary(m, "y")) == slot_pb2.Summary(
                text="A ferry, and tickets.", source=3, origin=3, revision=(await summary(m, "y")).revision
            )


def _by_model(server: EndpointServer) -> dict[str, str]:
    return {
        "summary_mode": "model",
        "summary_url": server.url,
        "summary_model": "a-model",
        "summary_key_env": "A_KEY",
    }


async def _made_by_model(m: Memory, name: str) -> bool:
    return (await summary(m, name)).source == 3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "--summary-url and --summary-model"),
        ({"summary_url": "https://model.example/v1"}, "--summary-url and --summary-model"),
        (
            {"summary_url": "https://model.example/v1", "summary_model": "m", "summary_key_env": "NO_SUCH_KEY"},
            "NO_SUCH_KEY",
        ),
    ],
)
async def test_model_that_is_not_configured(settings: dict[str, str], said: str, tmp_path: Path) -> None:
    """A server that should have summaries made by a model, and has none, does not start and says what is missing."""
    with pytest.raises(UsageError, match=said):
        async with memory(tmp_path, summary_mode="model", **settings):
            pass


async def test_namespace_that_wants_a_model_that_is_gone(tmp_path: Path) -> None:
    """Where a namespace was set to a model that the server has no longer, sentences of the body serve, and Stats says what is wrong."""
    model = {"summary_url": "https://model.example/v1", "summary_model": "m", "summary_key_env": ""}
    async with memory(tmp_path, **model) as m:
        await m.configure(summary_mode="SUMMARY_MODE_MODEL")
    async with memory(tmp_path) as m:
        await m.write("x", ENGLISH)
        await until(lambda: count(m, 1))
        (hit,) = (await m.search("ferry", view=SUMMARY)).hits
        assert hit.summary.source == 2
        assert "--summary-model" in (await m.stats()).indexes[0].problem
