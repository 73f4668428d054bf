"""The columns of the table in which memslot stands beside other stores: durable writes, reads, 50 names and the bytes they move."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.benchmarks.alternate import Series, alternate
from tests.benchmarks.bench import SMALL_SLOTS, Bench
from tests.benchmarks.cases.read import Reads
from tests.benchmarks.connection import Sidecar, connected
from tests.benchmarks.counting_proxy import counting
from tests.benchmarks.figures import Figure, Outcome, at_least, at_most
from tests.benchmarks.looking_up import BY_RANK, Lookups
from tests.benchmarks.processes import sidecar
from tests.benchmarks.writing import Writes

DAPR_SQLITE_WRITES_PER_S = 1_188
ETCD_KEYS_ONLY_MS = 0.60
"""Both measured apart from this harness, on two cores that server and client shared; on another machine they say little."""

_COUNTED_CALLS = 50


async def run(bench: Bench) -> Outcome:
    """Measures memslot alone, in the setting of the peers' figures: one client, 1 KiB bodies, every answer verified."""
    small = await bench.small()
    writes, written = await _writes(bench)
    reads = Reads(small, SMALL_SLOTS)
    read_32 = (await alternate({"read": reads}, bench.plan, callers=32))["read"]
    read_1 = (await alternate({"read": reads}, bench.plan, callers=1))["read"]
    names_1 = (await alternate({"names": Lookups(small, BY_RANK)}, bench.plan, callers=1))["names"]
    moved = await _bytes_moved(small)
    return Outcome(
        (
            Figure.of(
                "durable Write/s, 32 callers", writes.spread("per_s"), "1/s", at_least(2 * DAPR_SQLITE_WRITES_PER_S)
            ),
            Figure("slots read back after the writes", written, "slots"),
            Figure.of("Read/s, 32 callers", read_32.spread("per_s"), "1/s"),
            Figure.of("Read p50, 1 caller", read_1.spread("p50_ms"), "ms"),
            Figure.of("50 names p50, 1 caller", names_1.spread("p50_ms"), "ms", at_most(1.25 * ETCD_KEYS_ONLY_MS)),
            Figure("50 names, bytes moved both ways", moved, "bytes"),
        ),
        {
            "write, 32 callers": writes,
            "read, 32 callers": read_32,
            "read, 1 caller": read_1,
            "names, 1 caller": names_1,
        },
    )


async def _writes(bench: Bench) -> tuple[Series, int]:
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(sidecar(bench.empty_dir(), bench.work_dir, unix=bench.plan.unix))
        client = await stack.enter_async_context(connected(running))
        writes = await Writes.prepared(client, callers=32)
        series = (await alternate({"write": writes}, bench.plan, callers=32))["write"]
        return series, await writes.verify()


async def _bytes_moved(client: Sidecar) -> float:
    """Bytes on the socket per lookup of 50 names, once the connection is set up, HTTP/2 and gRPC framing included."""
    async with counting(client.running.target) as proxy, connected(client.running, proxy.address) as through:
        lookups = Lookups(through, BY_RANK)
        for _ in range(_COUNTED_CALLS):
            await lookups(0)
        before = proxy.bytes_moved
        for _ in range(_COUNTED_CALLS):
            await lookups(0)
        return (proxy.bytes_moved - before) / _COUNTED_CALLS
