"""Services over a store whose slots have summaries, and something to make them that the test holds in its hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.sidecar.services.served import Clock, Served, store_maker

from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_index.index import Index
from memslot_index.ranking import Decay
from memslot_index.summaries.base import Summariser, SummariserError
from memslot_index.vectors.choice import VectorSettings
from memslot_sidecar.finding.finder import Finder, FinderSettings
from memslot_sidecar.finding.models import Models
from memslot_sidecar.finding.summaries import Summaries
from memslot_sidecar.finding.summarisers import Summarisers
from memslot_sidecar.finding.summary import SummarySource
from memslot_sidecar.model import EffectiveSettings, SummaryMode
from memslot_sidecar.operations.context import Context
from memslot_sidecar.rules import Rules

SPACE = "acme/notes"
EXTRACTIVE = EffectiveSettings(
    summary_mode=SummaryMode.EXTRACTIVE, summary_above_bytes=1000, slot_limit=10_000, body_limit_bytes=100_000
)


class Summing:
    """Summarises by the first word and the length of a text; counts, waits and fails as the test wants.

    ``asked`` are the first words of the texts so far. Nothing is answered while ``open`` is not set.
    """

    name = "summing"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open = threading.Event()
        self.open.set()
        self.failing = False
        self.refused: set[str] = set()
        self.closed = False

    def summarise(self, text: str, max_chars: int) -> str:
        """The first word and the length."""
        word = text.split(maxsplit=1)[0]
        self.asked.append(word)
        assert self.open.wait(20)
        if self.failing or word in self.refused:
            raise SummariserError("the test says so")
        return f"{word}, {len(text)} characters"[:max_chars]

    def close(self) -> None:
        """Waits for nothing any more."""
        self.closed = True
        self.open.set()


class Slots:
    """Calls of one sidecar, shortened."""

    def __init__(self, served: Served, summaries: Summaries, finder: Finder) -> None:
        self.served = served
        self.summaries = summaries
        self.finder = finder

    async def write(self, name: str, word: str, size: int = 2000, namespace: str = SPACE, **fields: Any) -> int:
        """Writes a slot whose body begins with a word; returns its revision."""
        fields.setdefault("never", True)
        if "ttl" in fields:
            del fields["never"]
        body = fields.pop("body", long_text(word, size).encode())
        reply = await self.served(pb.WriteRequest(namespace=namespace, name=name, body=body, **fields))
        revision: int = reply.receipt.revision
        return revision

    async def summary(self, name: str, namespace: str = SPACE) -> slot_pb2.Summary:
        """What Read tells in view SUMMARY."""
        reply = await self.served(pb.ReadRequest(namespace=namespace, name=name, view=pb.READ_VIEW_SUMMARY))
        assert reply.slot.body == b""
        found: slot_pb2.Summary = reply.summary
        return found

    async def described(self, *names: str, namespace: str = SPACE) -> list[pb.DescribeResult]:
        """What Describe tells with summaries."""
        reply = await self.served(pb.DescribeRequest(namespace=namespace, names=names, summaries=True))
        return list(reply.results)

    async def texts(self, *names: str, namespace: str = SPACE) -> list[str]:
        """The texts of the summaries that are at hand; empty for those that are not."""
        return [result.summary.text for result in await self.described(*names, namespace=namespace)]

    async def configure(self, namespace: str = SPACE, **settings: Any) -> None:
        """Sets settings of a namespace."""
        wanted = spaces.NamespaceSettings(**settings)
        await self.served(spaces.UpdateNamespaceRequest(namespace=namespace, settings=wanted))

    async def settled(self) -> None:
        """Waits until the index has all that was written, and nothing is due."""
        while True:
            desk = self.finder.index
            assert desk is not None
            await self.finder.ready(SPACE, self.served.store.revision, 0, None, vectors=False)
            if not await desk.read(partial(_due, now_ms=self.served.clock.now_ms)):
                return
            await asyncio.sleep(0.005)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Waits for what an awaited condition finds."""
        while not (found := await condition()):
            await asyncio.sleep(0.005)
        return found


def _due(index: Index, now_ms: int) -> bool:
    return any(index.summaries.due(source, now_ms, 1)[0] for source in (2, 3))


def long_text(word: str, size: int = 2000) -> str:
    """A text that begins with a word."""
    return (f"{word} " + "It was a long day at the sea. " * (size // 30 + 1))[:size]


def told(word: str, size: int = 2000) -> str:
    """The summary of such a text."""
    return f"{word}, {size} characters"


@asynccontextmanager
async def summarised(
    directory: Path,
    kind: str = "ram",
    *,
    defaults: EffectiveSettings = EXTRACTIVE,
    makers: Mapping[SummarySource, Summariser] | None = None,
    limit_bytes: int = 1 << 20,
    clock: Clock | None = None,
) -> AsyncIterator[Slots]:
    """Services whose slots have summaries by ``makers``, as long as the block."""
    clock = clock or Clock()
    store = store_maker(kind, directory)(clock)
    makers = makers or {SummarySource.EXTRACTIVE: Summing(), SummarySource.MODEL: Summing()}
    summarisers = Summarisers({source: lambda found=found: found for source, found in makers.items()})
    summaries = Summaries(store, summarisers, Decay(), limit_bytes)
    place = None if kind == "ram" else directory / "data"
    wanted = defaults.summary_mode is not SummaryMode.OFF
    finder = Finder(store, FinderSettings(place, wanted, repr(defaults), VectorSettings()), Models({}), summaries)
    ctx = Context(store, Rules(defaults), Decay(), finder=finder)
    await store.start()
    try:
        await finder.start()
        try:
            yield Slots(Served(ctx, clock), summaries, finder)
        finally:
            await finder.stop()
    finally:
        await store.close()
