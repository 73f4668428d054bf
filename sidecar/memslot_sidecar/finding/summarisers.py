"""What makes summaries, in threads: one for those that somebody waits for, and one for each way to make them in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from memslot_index.summaries.base import Summariser, SummariserError
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.summary import SummarySource, length_for

_log = logging.getLogger(__name__)

Open = Callable[[], Summariser]
"""Makes a summariser. Raises SummariserError."""


class Summarisers:
    """Summarisers by how they work, each opened when it is first needed and tried again while it cannot be."""

    def __init__(self, openers: Mapping[SummarySource, Open]) -> None:
        self._openers = openers
        self._open: dict[SummarySource, Summariser] = {}
        self._asking = ThreadPoolExecutor(1, "memslot-summary")
        self._making = {source: ThreadPoolExecutor(1, "memslot-summaries") for source in openers}

    async def at_once(self, text: str) -> str:
        """A summary without a model. Raises SummariserError."""
        (made,) = await self._in(self._asking, SummarySource.EXTRACTIVE, [text])
        if isinstance(made, SummariserError):
            raise made
        return made

    async def in_background(self, source: SummarySource, texts: Sequence[str]) -> list[str | SummariserError]:
        """A summary of each text, or why there is none."""
        return await self._in(self._making[source], source, texts)

    async def check(self, source: SummarySource) -> None:
        """Raises SummariserError when a way to make summaries cannot be had here. Loads its library, and asks no service."""
        if source not in self._open:
            await asyncio.get_running_loop().run_in_executor(self._making[source], self._opened, source)

    async def close(self) -> None:
        """Closes all of them. What is under way may fail; somewhere else it may take long, and is not waited for."""
        for summariser in self._open.values():
            summariser.close()
        self._open.clear()
        for pool in (self._asking, *self._making.values()):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _in(
        self, pool: ThreadPoolExecutor, source: SummarySource, texts: Sequence[str]
    ) -> list[str | SummariserError]:
        return await asyncio.get_running_loop().run_in_executor(pool, self._made, source, texts)

    def _made(self, source: SummarySource, texts: Sequence[str]) -> list[str | SummariserError]:
        try:
            found = self._opened(source)
        except SummariserError as error:
            return [error for _ in texts]
        return [_one(found, text) for text in texts]

    def _opened(self, source: SummarySource) -> Summariser:
        return self._open.get(source) or self._open.setdefault(source, self._openers[source]())


def _one(summariser: Summariser, text: str) -> str | SummariserError:
    try:
        return summariser.summarise(text, length_for(text))
    except SummariserError as error:
        return error
    except Exception as error:  # noqa: BLE001 - a supervisor: any text meets a foreign library, and others wait behind it
        _log.error("a text could not be summarised: %s", explained(error))
        return SummariserError("something unforeseen went wrong; the server's log tells what it was")
