"""Read of 1 KiB by HTTP, audit on, against the bare ASGI server answering the same bytes."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from tests.benchmarks.alternate import Series, alternate
from tests.benchmarks.bench import SMALL_SLOTS, Bench
from tests.benchmarks.connection import connected
from tests.benchmarks.cpu import cpu_figure
from tests.benchmarks.dataset import NAMESPACE, body_of, filling, name_of
from tests.benchmarks.figures import Figure, Outcome, at_least
from tests.benchmarks.http_callers import HttpCallers, request
from tests.benchmarks.load import fill
from tests.benchmarks.measure import Operation
from tests.benchmarks.processes import Running, echo_server, free_address, sidecar

from memslot.v1.slot_service_pb2 import ReadRequest

CALLERS = 32
_READ = "/memslot.v1.SlotService/Read"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read: the request for a slot, and the body as it stands in the answer."""

    name: str
    request: Callable[[int], bytes]
    told: Callable[[bytes], bytes]


def _simple(number: int) -> bytes:
    return request("GET", f"/mem/read?slot={name_of(number)}", memslot_namespace=NAMESPACE)


def _json(number: int) -> bytes:
    body = json.dumps({"namespace": NAMESPACE, "name": name_of(number)}).encode()
    return request("POST", _READ, body, content_type="application/json")


def _proto(number: int) -> bytes:
    body = ReadRequest(namespace=NAMESPACE, name=name_of(number)).SerializeToString()
    return request("POST", _READ, body, content_type="application/proto")


WAYS = (
    Way("GET /mem/read", _simple, bytes),
    Way("Read, JSON", _json, base64.b64encode),
    Way("Read, protobuf", _proto, bytes),
)


async def run(bench: Bench) -> Outcome:
    """Throughput at 32 callers, by each of the ways to read."""
    address = free_address(bench.work_dir, unix=False)
    options = ("--http-listen", address)
    async with (
        sidecar(bench.empty_dir(), bench.work_dir, *options, unix=bench.plan.unix) as running,
        connected(running) as client,
        echo_server(bench.work_dir, unix=False, module="tests.benchmarks.bare_asgi") as bare,
        HttpCallers(address, CALLERS) as callers,
        HttpCallers(bare.target, CALLERS) as bare_callers,
    ):
        await fill(client, filling(SMALL_SLOTS))
        figures: list[Figure] = []
        turns: dict[str, Series] = {}
        for way in WAYS:
            measured, series = await _measured(bench, way, running, (callers, bare_callers))
            figures += measured
            turns |= series
    return Outcome(tuple(figures), turns)


async def _measured(
    bench: Bench, way: Way, running: Running, both: tuple[HttpCallers, HttpCallers]
) -> tuple[list[Figure], dict[str, Series]]:
    callers, bare_callers = both
    numbers = count()

    async def ours(caller: int) -> None:
        number = next(numbers) * 7919 % SMALL_SLOTS
        answer = await callers.call(caller, way.request(number))
        if way.told(body_of(number)) not in answer:
            raise AssertionError(f"slot {number} has another body than was written")

    expected = await callers.call(0, way.request(0))
    await bare_callers.call(0, request("PUT", "/", expected))

    async def bare(caller: int) -> None:
        number = next(numbers) * 7919 % SMALL_SLOTS
        answer = await bare_callers.call(caller, way.request(number))
        if way.told(body_of(0)) not in answer:
            raise AssertionError("the bare server answers something else")

    contenders: dict[str, Operation] = {"bare": bare, "ours": ours}
    series = await alternate(contenders, bench.plan, callers=CALLERS)
    cpu = await cpu_figure(f"server CPU, {way.name}", running, ours, bench.plan, callers=CALLERS)
    return [
        Figure.of(
            f"{way.name}/s over bare/s, {CALLERS} callers",
            series["ours"].ratio(series["bare"], "per_s"),
            "ratio",
            at_least(0.5),
        ),
        Figure.of(f"{way.name}/s", series["ours"].spread("per_s"), "1/s"),
        Figure.of(f"bare/s beside {way.name}", series["bare"].spread("per_s"), "1/s"),
        Figure.of(f"p50, {way.name}", series["ours"].spread("p50_ms"), "ms"),
        cpu,
    ], {f"{way.name}: {name}": one for name, one in series.items()}
