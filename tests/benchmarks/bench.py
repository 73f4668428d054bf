"""The servers that the cases share, each started when it is first asked for and stopped with the bench."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType

from tests.benchmarks.connection import Echo, Sidecar, connected, connected_echo
from tests.benchmarks.corpus import Corpus
from tests.benchmarks.dataset import filling
from tests.benchmarks.load import Filling, fill
from tests.benchmarks.plan import Plan
from tests.benchmarks.processes import echo_server, sidecar
from tests.benchmarks.searching import caught_up, to_be_found

SMALL_SLOTS = 1_000


class Bench:
    """Starts and connects what is measured. ``stores_dir`` keeps the filled stores, ``work_dir`` everything else."""

    def __init__(self, plan: Plan, work_dir: Path, stores_dir: Path) -> None:
        self.plan = plan
        self.work_dir = work_dir
        self.stores_dir = stores_dir
        self.small_dir = stores_dir / f"slots-{SMALL_SLOTS}"
        self.large_dir = stores_dir / f"slots-{plan.slots}"
        stores_dir.mkdir(parents=True, exist_ok=True)
        self._stack = AsyncExitStack()
        self._echo: Echo | None = None
        self._filled: dict[Path, tuple[AsyncExitStack, Sidecar]] = {}
        self._empties = 0
        self.filled_in_s: dict[Path, float] = {}
        """How long it took to fill a store, of those that were filled in this run from the beginning."""

    async def __aenter__(self) -> Bench:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for data_dir in list(self._filled):
            await self._stop(data_dir)
        await self._stack.aclose()

    async def echo(self) -> Echo:
        """The bare echo."""
        if self._echo is None:
            running = await self._stack.enter_async_context(echo_server(self.work_dir, unix=self.plan.unix))
            self._echo = await self._stack.enter_async_context(connected_echo(running))
        return self._echo

    async def small(self) -> Sidecar:
        """A sidecar with 1,000 slots."""
        return await self._serving(self.small_dir, filling(SMALL_SLOTS))

    async def large(self) -> Sidecar:
        """The sidecar with the slots of the plan, a million unless told otherwise."""
        return await self._serving(self.large_dir, filling(self.plan.slots))

    async def found(self, corpus: Corpus, kind: str) -> Sidecar:
        """A sidecar with the slots of a corpus, of which words and vectors are indexed; ``kind`` is what compares vectors."""
        return await self._serving(
            self.found_dir(corpus),
            to_be_found(corpus),
            *("--index-mode", "hybrid", "--vector-index", kind),
            ready=lambda sidecar: caught_up(sidecar, corpus),
        )

    def found_dir(self, corpus: Corpus) -> Path:
        """The data directory of the slots of a corpus."""
        return self.stores_dir / f"found-{corpus.slots}"

    async def stop_large(self) -> Path:
        """Stops the large sidecar and returns its data directory, filled."""
        await self.large()
        await self._stop(self.large_dir)
        return self.large_dir

    def empty_dir(self) -> Path:
        """A new data directory."""
        self._empties += 1
        data_dir = self.work_dir / f"empty-{self._empties}"
        data_dir.mkdir()
        return data_dir

    async def _serving(
        self, data_dir: Path, slots: Filling, *options: str, ready: Callable[[Sidecar], Awaitable[None]] | None = None
    ) -> Sidecar:
        if data_dir not in self._filled:
            async with AsyncExitStack() as stack:
                running = await stack.enter_async_context(
                    sidecar(data_dir, self.work_dir, *options, unix=self.plan.unix)
                )
                client = await stack.enter_async_context(connected(running))
                begin = time.perf_counter()
                missing = await fill(client, slots)
                if ready is not None:
                    await ready(client)
                if missing == slots.slots:
                    self.filled_in_s[data_dir] = time.perf_counter() - begin
                self._filled[data_dir] = (stack.pop_all(), client)
        return self._filled[data_dir][1]

    async def _stop(self, data_dir: Path) -> None:
        stack, _ = self._filled.pop(data_dir)
        await stack.aclose()
