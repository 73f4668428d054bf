"""The measured processes: started for real, watched from outside, ended by signal."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
from grpc import RpcError, aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

ROOT = Path(__file__).parents[2]
READY_LIMIT_S = 120.0
STOP_LIMIT_S = 120.0
_POLL_S = 0.003
_Check = aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]
_EAGER = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.use_local_subchannel_pool", 1)]


@dataclass(frozen=True, slots=True)
class Running:
    """A process that answers at ``target``."""

    target: str
    pid: int
    started_in_s: float

    def resident_bytes(self) -> int:
        """Resident memory of the process and all of its children."""
        return sum(process.memory_info().rss for process in self._tree())

    async def cpu_share(self, seconds: float) -> float:
        """The share of one core that the process and its children take over a time."""
        before, begin = self.cpu_s(), time.perf_counter()
        await asyncio.sleep(seconds)
        return (self.cpu_s() - before) / (time.perf_counter() - begin)

    def cpu_s(self) -> float:
        """Seconds of CPU that the process and its children took so far."""
        return sum(times.user + times.system for times in (process.cpu_times() for process in self._tree()))

    def _tree(self) -> list[psutil.Process]:
        process = psutil.Process(self.pid)
        return [process, *process.children(recursive=True)]


def free_address(work_dir: Path, *, unix: bool) -> str:
    """An address that nobody listens on, in the form that gRPC and ``--listen`` take."""
    if unix:
        return f"unix:{work_dir / f'{time.monotonic_ns():x}.sock'}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


@asynccontextmanager
async def echo_server(
    work_dir: Path, *, unix: bool, module: str = "tests.benchmarks.echo_server"
) -> AsyncIterator[Running]:
    """A bare echo while the block runs."""
    target = free_address(work_dir, unix=unix)
    command = [sys.executable, "-m", module, target]
    begin = time.perf_counter()
    process = _spawn(command, subprocess.PIPE)
    try:
        assert process.stdout is not None
        if await asyncio.to_thread(process.stdout.readline) != b"listening\n":
            raise RuntimeError("the echo server did not start")
        yield Running(target, process.pid, time.perf_counter() - begin)
    finally:
        await asyncio.to_thread(_end, process)


@asynccontextmanager
async def sidecar(data_dir: Path, work_dir: Path, *options: str, unix: bool) -> AsyncIterator[Running]:
    """A served sidecar over ``data_dir``, with its audit file in it, from SERVING to the end of the block.

    ``options`` are those of `memslot serve` that differ from the defaults.
    """
    target = free_address(work_dir, unix=unix)
    command = [
        str(Path(sys.executable).with_name("memslot")), "serve", "--data-dir", str(data_dir),
        "--listen", target, "--audit-file", str(data_dir / "audit.jsonl"), *options,
    ]  # fmt: skip
    log = work_dir / f"{data_dir.name}.log"
    begin = time.perf_counter()
    with log.open("ab") as output:
        process = _spawn(command, output)
    try:
        await _until_serving(target, process, log)
        yield Running(target, process.pid, time.perf_counter() - begin)
    finally:
        await asyncio.to_thread(_end, process)


async def _until_serving(target: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.perf_counter() + READY_LIMIT_S
    while not _accepts(target):
        _check(process, log, deadline)
        await asyncio.sleep(_POLL_S)
    async with aio.insecure_channel(target, options=_EAGER) as channel:
        check: _Check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        while not await _is_serving(check):
            _check(process, log, deadline)
            await asyncio.sleep(_POLL_S)


async def _is_serving(check: _Check) -> bool:
    try:
        reply = await check(HealthCheckRequest(), timeout=5)
    except RpcError:
        return False
    return reply.status == HealthCheckResponse.SERVING


def _accepts(target: str) -> bool:
    """Whether a connection is taken: asked with a bare socket, since a channel waits a second after its first failure."""
    family, address = _socket_address(target)
    with socket.socket(family) as probe:
        return probe.connect_ex(address) == 0


def _socket_address(target: str) -> tuple[socket.AddressFamily, str | tuple[str, int]]:
    if target.startswith("unix:"):
        return socket.AF_UNIX, target.removeprefix("unix:")
    host, port = target.rsplit(":", 1)
    return socket.AF_INET, (host, int(port))


def _check(process: subprocess.Popen[bytes], log: Path, deadline: float) -> None:
    if process.poll() is not None or time.perf_counter() > deadline:
        raise RuntimeError(f"memslot serve did not come up:\n{_tail(log)}")


def _tail(log: Path, lines: int = 20) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


def _spawn(command: list[str], output: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Not by asyncio: uvloop forks, which gRPC's threads object to, where the standard library uses vfork."""
    errors = None if output == subprocess.PIPE else output
    return subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=errors)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
