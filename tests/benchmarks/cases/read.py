"""Read of 1 KiB, audit on, against the bare echo of 1 KiB."""

from __future__ import annotations

import asyncio
from itertools import count

from tests.benchmarks.alternate import alternate
from tests.benchmarks.audit_lines import count_lines
from tests.benchmarks.bench import SMALL_SLOTS, Bench
from tests.benchmarks.connection import Sidecar
from tests.benchmarks.cpu import cpu_figure
from tests.benchmarks.dataset import BODY_BYTES, NAMESPACE, body_of, name_of
from tests.benchmarks.figures import Figure, Outcome, at_least, at_most
from tests.benchmarks.measure import Operation

from memslot.v1.slot_service_pb2 import ReadRequest

ECHOED = bytes(BODY_BYTES)


async def run(bench: Bench) -> Outcome:
    """Throughput at 32 callers, latency at one, and whether each Read left its event."""
    echo, small = await bench.echo(), await bench.small()
    reads = Reads(small, SMALL_SLOTS)
    before = count_lines(bench.small_dir, "Read")
    contenders: dict[str, Operation] = {"echo": lambda _: echo.echo(ECHOED), "read": reads}
    at_32 = await alternate(contenders, bench.plan, callers=32)
    at_1 = await alternate(contenders, bench.plan, callers=1)
    cpu = [
        await cpu_figure("server CPU a Read, 32 callers", small.running, reads, bench.plan, callers=32),
        await cpu_figure("server CPU an echo, 32 callers", echo.running, contenders["echo"], bench.plan, callers=32),
    ]
    events = await _events(bench, before + reads.made) - before
    return Outcome(
        (
            Figure.of(
                "Read/s over echo/s, 32 callers", at_32["read"].ratio(at_32["echo"], "per_s"), "ratio", at_least(0.75)
            ),
            Figure.of(
                "Read p50 over echo p50, 1 caller", at_1["read"].ratio(at_1["echo"], "p50_ms"), "ratio", at_most(1.35)
            ),
            Figure.of("Read/s, 32 callers", at_32["read"].spread("per_s"), "1/s"),
            Figure.of("echo/s, 32 callers", at_32["echo"].spread("per_s"), "1/s"),
            Figure.of("Read p50, 1 caller", at_1["read"].spread("p50_ms"), "ms"),
            Figure.of("echo p50, 1 caller", at_1["echo"].spread("p50_ms"), "ms"),
            Figure.of("Read p99, 32 callers", at_32["read"].spread("p99_ms"), "ms"),
            *cpu,
            Figure("audit events per Read", events / reads.made, "ratio", at_least(1)),
        ),
        {f"{name}, 32 callers": series for name, series in at_32.items()}
        | {f"{name}, 1 caller": series for name, series in at_1.items()},
    )


class Reads:
    """Reads slot after slot in a scattered order, and verifies each body."""

    def __init__(self, sidecar: Sidecar, slots: int) -> None:
        self._read = sidecar.slots.Read
        self._slots = slots
        self._turns = count()
        self.made = 0

    async def __call__(self, _caller: int) -> None:
        """Reads the next slot. Raises AssertionError on another body than was written."""
        number = next(self._turns) * 7919 % self._slots
        reply = await self._read(ReadRequest(namespace=NAMESPACE, name=name_of(number)))
        if reply.slot.body != body_of(number):
            raise AssertionError(f"slot {number} has another body than was written")
        self.made += 1


async def _events(bench: Bench, expected: int, limit_s: float = 5.0) -> int:
    """The Read events in the audit file, once all have come or none comes any more."""
    for _ in range(int(limit_s / 0.25)):
        if (found := count_lines(bench.small_dir, "Read")) >= expected:
            return found
        await asyncio.sleep(0.25)
    return count_lines(bench.small_dir, "Read")
