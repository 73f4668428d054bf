"""Durable unary Write of 1 KiB of words: with each written word found by the next search, against keys only."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import islice

from tests.benchmarks.alternate import Series, Spread, in_turns
from tests.benchmarks.bench import Bench
from tests.benchmarks.connection import Sidecar, connected
from tests.benchmarks.corpus import sentence, word_of
from tests.benchmarks.cpu import cpu_figure
from tests.benchmarks.dataset import BODY_BYTES
from tests.benchmarks.figures import Figure, Outcome, at_least
from tests.benchmarks.measure import Turn, take_turn
from tests.benchmarks.processes import sidecar
from tests.benchmarks.writing import NAMESPACE, Writes

from memslot.v1.slot_service_pb2 import SEARCH_MODE_FULLTEXT, SearchRequest

MODES = ("keys", "fulltext")
CALLERS = (32, 64)
_SEARCHED = 200


async def run(bench: Bench) -> Outcome:
    """Throughput at 32 and 64 callers; afterwards the last written words are searched, and every slot is read and compared."""
    async with AsyncExitStack() as stack:
        written = {mode: await _Written.prepared(bench, stack, mode) for mode in MODES}
        figures: list[Figure] = []
        turns: dict[str, Series] = {}
        for callers in CALLERS:
            taken = await in_turns({mode: written[mode].turn_of(bench, callers) for mode in MODES}, bench.plan.rounds)
            series = {mode: Series(tuple(turns)) for mode, turns in taken.items()}
            figures += _figures(series, callers)
            turns |= {f"{mode}, {callers} callers": one for mode, one in series.items()}
        cpu = [
            await cpu_figure(
                f"server CPU a Write, {mode}, 64 callers", one.sidecar.running, one.writes, bench.plan, callers=64
            )
            for mode, one in written.items()
        ]
        behind = Spread.of([seconds * 1e3 for seconds in written["fulltext"].behind_s])
        await found(written["fulltext"].sidecar, written["fulltext"].writes)
        for one in written.values():
            await one.writes.verify()
    return Outcome((*figures, Figure.of("the index behind the last Write of a turn", behind, "ms"), *cpu), turns)


class _Written:
    """A served sidecar that is written to. In the time of a turn stands how long the index then needs to catch up."""

    def __init__(self, sidecar: Sidecar, writes: Writes, *, indexed: bool) -> None:
        self.sidecar = sidecar
        self.writes = writes
        self._indexed = indexed
        self.behind_s: list[float] = []

    @classmethod
    async def prepared(cls, bench: Bench, stack: AsyncExitStack, mode: str) -> _Written:
        """A new sidecar of an index mode."""
        running = await stack.enter_async_context(
            sidecar(bench.empty_dir(), bench.work_dir, "--index-mode", mode, unix=bench.plan.unix)
        )
        client = await stack.enter_async_context(connected(running))
        writes = await Writes.prepared(client, callers=max(CALLERS), body_of=_body_of)
        return cls(client, writes, indexed=mode != "keys")

    def turn_of(self, bench: Bench, callers: int) -> Callable[[], Awaitable[Turn]]:
        """A turn of the writes."""

        async def turn() -> Turn:
            plan = bench.plan
            taken = await take_turn(self.writes, callers=callers, seconds=plan.round_s, warm_s=plan.warm_s)
            begin = time.perf_counter()
            if self._indexed:
                await self.sidecar.slots.Search(SearchRequest(namespace=NAMESPACE, text=word_of(0)))
            self.behind_s.append(time.perf_counter() - begin)
            return replace(taken, per_s=taken.calls / (taken.calls / taken.per_s + self.behind_s[-1]))

        return turn


async def found(client: Sidecar, writes: Writes) -> None:
    """Raises AssertionError unless slots are found by the words that were written last, and by these alone."""
    for name, seed in islice(reversed(writes.last.items()), _SEARCHED):
        request = SearchRequest(namespace=NAMESPACE, text=word_of(seed), mode=SEARCH_MODE_FULLTEXT)
        reply = await client.slots.Search(request)
        if [hit.name for hit in reply.hits] != [name]:
            raise AssertionError(f"the word that {name} was written with last finds {reply.hits}")


def _body_of(seed: int) -> bytes:
    return sentence(seed, BODY_BYTES).encode()


def _figures(series: dict[str, Series], callers: int) -> list[Figure]:
    keys, fulltext = series["keys"], series["fulltext"]
    ratio = fulltext.ratio(keys, "per_s")
    return [
        Figure.of(f"Write/s, full text over keys, {callers} callers", ratio, "ratio", at_least(0.6)),
        Figure.of(f"Write/s, full text, {callers} callers", fulltext.spread("per_s"), "1/s"),
        Figure.of(f"Write/s, keys only, {callers} callers", keys.spread("per_s"), "1/s"),
    ]
