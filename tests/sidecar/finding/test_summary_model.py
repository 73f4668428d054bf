"""Summaries by a model that is slow, down, or does not like a text: everything else goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.sidecar.finding.summarised import EXTRACTIVE, SPACE, Slots, Summing, long_text, summarised, told
from tests.sidecar.services.served import Clock

from memslot.v1 import slot_pb2
from memslot_index.summaries.base import Summariser, SummariserMissing
from memslot_sidecar.errors import IndexNotEnabled
from memslot_sidecar.finding.summary import SummarySource
from memslot_sidecar.model import SummaryMode

MODEL = replace(EXTRACTIVE, summary_mode=SummaryMode.MODEL)


def makers(model: Summing) -> dict[SummarySource, Summariser]:
    """A model beside one that works without."""
    return {SummarySource.EXTRACTIVE: Summing(), SummarySource.MODEL: model}


async def sources(slots: Slots, *names: str) -> list[int]:
    """How the summaries at hand were made; 0 for none."""
    return [result.summary.source for result in await slots.described(*names)]


async def test_read_does_not_wait_for_the_model(tmp_path: Path) -> None:
    """While the model thinks, Read answers with sentences of the body, which serve until the model's own words are there."""
    model = Summing()
    model.open.clear()
    async with summarised(tmp_path, defaults=MODEL, makers=makers(model)) as slots:
        await slots.write("x", "zebra", origin="ORIGIN_USER")
        found = await slots.summary("x")
        assert (found.source, found.text, found.origin) == (2, told("zebra"), 1)
        await slots.until(lambda: _is(slots, [2]))
        model.open.set()
        await slots.until(lambda: _is(slots, [3]))
        assert ((await slots.summary("x")).source, model.asked) == (3, ["zebra"])


async def _is(slots: Slots, wanted: list[int], *names: str) -> bool:
    return await sources(slots, *(names or ("x",))) == wanted


async def test_model_that_is_down(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """While the model does not answer, what is wrong can be seen, sentences of the body serve, and its own words come when it is back; no
    text is in the log."""
    model, clock = Summing(), Clock()
    model.failing = True
    async with summarised(tmp_path, "sqlite", defaults=MODEL, makers=makers(model), clock=clock) as slots:
        await slots.write("x", "zebra")
        await slots.until(lambda: _is(slots, [2]))
        assert slots.summaries.problem(SPACE) == "summaries wait: the test says so"
        model.failing = False
        clock.forward(3_600_000)
        await slots.write("y", "heron")
        await slots.until(lambda: _is(slots, [3, 3], "x", "y"))
        assert slots.summaries.problem(SPACE) == ""
    assert "the test says so" in caplog.text
    assert long_text("zebra")[:40] not in caplog.text
    assert "zebra" not in caplog.text


async def test_text_that_is_refused_holds_up_no_other(tmp_path: Path) -> None:
    """A text that the model always fails at is put off, longer each time, and those behind it get their summaries."""
    model = Summing()
    model.refused = {"zebra"}
    async with summarised(tmp_path, defaults=MODEL, makers=makers(model)) as slots:
        for name in ("zebra", "heron", "otter"):
            await slots.write(name, name)
        await slots.until(lambda: _is(slots, [2, 3, 3], "zebra", "heron", "otter"))
        assert model.asked == ["zebra", "heron", "otter"]


async def test_library_that_is_missing(tmp_path: Path) -> None:
    """Where what makes summaries is not installed, Read in view SUMMARY says what to install; short texts and writers' summaries need none."""
    off = replace(EXTRACTIVE, summary_mode=SummaryMode.OFF)
    async with summarised(tmp_path, defaults=off, makers={SummarySource.EXTRACTIVE: Missing()}) as slots:
        await slots.write("long", "zebra")
        await slots.write("short", "heron", 100)
        await slots.write("sent", "otter", summary="On otters.")
        with pytest.raises(IndexNotEnabled, match="pip install"):
            await slots.summary("long")
        assert (await slots.summary("short")).text == long_text("heron", 100)
        assert (await slots.summary("sent")).text == "On otters."


class Missing(Summing):
    """Stands for a library that is not there."""

    def summarise(self, text: str, max_chars: int) -> str:
        """Says so."""
        raise SummariserMissing("pip install it")


async def test_unforeseen_failure_holds_up_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A library that fails at a text in a way that nobody foresaw fails at that text alone, and the log tells where, but no text."""
    making = Breaking()
    async with summarised(tmp_path, makers={SummarySource.EXTRACTIVE: making}) as slots:
        await slots.write("zebra", "zebra")
        await slots.write("heron", "heron")
        await slots.until(lambda: _is(slots, [0, 2], "zebra", "heron"))
        assert await slots.summary("zebra") == slot_pb2.Summary()
    assert "ValueError" in caplog.text
    assert "zebra" not in caplog.text


class Breaking(Summing):
    """Fails at one text, which it quotes."""

    def summarise(self, text: str, max_chars: int) -> str:
        """The first word and the length, but for zebras."""
        if text.startswith("zebra"):
            raise ValueError(text)
        return super().summarise(text, max_chars)


async def test_slow_model_holds_up_no_other_namespace(tmp_path: Path) -> None:
    """Summaries without a model are made while the model is busy elsewhere."""
    model = Summing()
    model.open.clear()
    async with summarised(tmp_path, makers=makers(model)) as slots:
        await slots.configure("acme/model", summary_mode="SUMMARY_MODE_MODEL")
        await slots.write("x", "zebra", namespace="acme/model")
        await slots.until(lambda: _asked(model))
        await slots.write("x", "heron")
        await slots.until(lambda: _is(slots, [2]))


async def _asked(model: Summing) -> bool:
    return bool(model.asked)


async def test_another_mode_makes_them_anew(tmp_path: Path) -> None:
    """When a namespace turns to the model, its summaries stay until the model's take their place, and back again."""
    async with summarised(tmp_path) as slots:
        await slots.write("x", "zebra")
        await slots.until(lambda: _is(slots, [2]))
        await slots.configure(summary_mode="SUMMARY_MODE_MODEL")
        await slots.until(lambda: _is(slots, [3]))
        await slots.configure(summary_mode="SUMMARY_MODE_EXTRACTIVE")
        await slots.until(lambda: _is(slots, [2]))


async def test_stops_while_the_model_thinks(tmp_path: Path) -> None:
    """A server that stops does not wait for a model that does not answer."""
    model = Summing()
    model.open.clear()
    async with summarised(tmp_path, defaults=MODEL, makers=makers(model)) as slots:
        await slots.write("x", "zebra")
        await slots.until(lambda: _asked(model))
    assert model.closed
