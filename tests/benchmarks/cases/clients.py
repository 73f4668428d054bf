"""Read of 1 KiB by each client that can run here, against the same client at a bare echo of 1 KiB."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tests.benchmarks.alternate import Spread, in_turns
from tests.benchmarks.bench import Bench
from tests.benchmarks.dataset import BODY_BYTES, NAMESPACE, name_of
from tests.benchmarks.figures import Figure, Outcome, at_least
from tests.benchmarks.processes import echo_server
from tests.conformance.drivers import Driver
from tests.conformance.faces import FACES, Face

_METHOD = "memslot.v1.SlotService/Read"
_REQUESTS = {
    "read": {"namespace": NAMESPACE, "name": name_of(0)},
    "echo": {"namespace": NAMESPACE, "name": "n" * BODY_BYTES},
}
_FIRST_CALLS = 500
_LIMIT = 0.75

Measured = dict[str, float]


async def run(bench: Bench) -> Outcome:
    """Throughput at 32 callers and latency at one, of each face; plain HTTP has a case of its own."""
    small = await bench.small()
    figures: list[Figure] = []
    module = "tests.benchmarks.cases.clients_echo"
    async with echo_server(bench.work_dir, unix=bench.plan.unix, module=module) as echo:
        targets = {"read": small.running.target, "echo": echo.target}
        for face in FACES:
            if not (face.partial or face.missing()):
                figures += await _figures(bench, face, targets)
    return Outcome(tuple(figures))


async def _figures(bench: Bench, face: Face, targets: dict[str, str]) -> list[Figure]:
    with Driver(face.command, face.environment(), bench.work_dir / f"{face.name}.log") as driver:
        driver.await_started()
        for client, target in targets.items():
            await asyncio.to_thread(driver.ask, op="open", client=client, target=target)
        at_32 = await _alternated(bench, driver, 32)
        at_1 = await _alternated(bench, driver, 1)
    per_second, p50 = _pairs(at_32, "per_second"), _pairs(at_1, "p50_ms")
    ratio = Spread.of([read / echo for read, echo in per_second])
    speed = Spread.of([echo / read for read, echo in p50])
    return [
        Figure.of(f"{face.name}: Read/s over echo/s, 32 callers", ratio, "ratio", at_least(_LIMIT)),
        Figure.of(f"{face.name}: echo p50 over Read p50, 1 caller", speed, "ratio", at_least(_LIMIT)),
        Figure.of(f"{face.name}: Read/s, 32 callers", Spread.of([read for read, _ in per_second]), "1/s"),
        Figure.of(f"{face.name}: Read p50, 1 caller", Spread.of([read for read, _ in p50]), "ms"),
    ]


async def _alternated(bench: Bench, driver: Driver, callers: int) -> dict[str, list[Measured]]:
    """Each contender's turns, of so many calls that one takes about as long as the plan says."""
    turns: dict[str, Callable[[], Awaitable[Measured]]] = {}
    for client in _REQUESTS:
        first = await _turn(driver, client, callers, _FIRST_CALLS)
        calls = max(_FIRST_CALLS, int(first["per_second"] * bench.plan.round_s))
        turns[client] = partial(_turn, driver, client, callers, calls)
    return await in_turns(turns, bench.plan.rounds)


async def _turn(driver: Driver, client: str, callers: int, calls: int) -> Measured:
    asked: dict[str, Any] = {"client": client, "method": _METHOD, "request": _REQUESTS[client]}
    answer = await asyncio.to_thread(driver.ask, op="measure", concurrency=callers, calls=calls, **asked)
    if "result" not in answer:
        raise AssertionError(answer)
    result: Measured = answer["result"]
    return result


def _pairs(turns: dict[str, list[Measured]], of: str) -> list[tuple[float, float]]:
    """What both contenders measured, turn by turn."""
    return [(read[of], echo[of]) for read, echo in zip(turns["read"], turns["echo"], strict=True)]
