"""Measures the image that `deploy/check` made: its size, and how long it takes until it serves, given a whole core and a tenth of one.

source tests/deploy/prepare/environment.sh && .venv/bin/python -m tests.deploy.measure
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import grpc
import psutil
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.deploy.containers import DATA, GID, IMAGE, RESTRICTED, SOCKETS, UID, container, of_group, podman

import memslot

RUNS = 3
READING_S = 4.0
CORES = (1.0, 0.1)
MEGABYTE = 1_000_000


def serving_at(socket: Path) -> float:
    """When the sidecar at a socket said SERVING, by asking every ten milliseconds from outside of its container."""
    # Anew each time: a channel that was refused once waits for a second.
    options = [("grpc.default_authority", "localhost"), ("grpc.use_local_subchannel_pool", 1)]
    while True:
        with suppress(grpc.RpcError), grpc.insecure_channel(f"unix:{socket}", options) as channel:
            reply = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
            if reply.status == health_pb2.HealthCheckResponse.SERVING:
                return time.time()
        time.sleep(0.01)


@dataclass(frozen=True)
class Start:
    """Seconds from the start of the container until it served an empty store, the megabytes that it then took, and reads a second."""

    after_s: float
    rss_mb: float
    reads_per_s: float


def start(cores: float, directory: Path) -> Start:
    """Starts a container once."""
    sockets = of_group(directory / "sockets")
    volumes = ("--volume", f"{of_group(directory / 'data')}:{DATA}", "--volume", f"{sockets}:{SOCKETS}")
    with container("--user", f"{UID}:{GID}", *RESTRICTED, *volumes, "--cpus", cores) as served_by:
        served = serving_at(sockets / "memslot.sock")
        process = psutil.Process(served_by.state["Pid"])
        rss = process.memory_info().rss / MEGABYTE
        # As the engine says: what the kernel knows of a process's start is counted from a time of whole seconds.
        begun = datetime.fromisoformat(f"{served_by.state['StartedAt'][:26]}+00:00").timestamp()
        return Start(served - begun, rss, reads_per_s(sockets / "memslot.sock"))


def reads_per_s(socket: Path) -> float:
    """How often one client after the other reads a slot of 1 KiB."""
    with memslot.connect(f"unix:{socket}") as memory:
        memory.write("a", "x" * 1024)
        begin, count = time.monotonic(), 0
        while time.monotonic() - begin < READING_S:
            memory.read("a")
            count += 1
        return count / (time.monotonic() - begin)


def compressed() -> int:
    """Bytes of the image's layers as a registry keeps them (gzip)."""
    with subprocess.Popen(["podman", "save", "--format", "docker-archive", IMAGE], stdout=subprocess.PIPE) as saving:
        packed = subprocess.run(["gzip", "-6", "-c"], stdin=saving.stdout, capture_output=True, check=True).stdout
    return len(packed)


def main() -> None:
    """Prints one JSON object."""
    size = int(json.loads(podman("image", "inspect", IMAGE).stdout)[0]["Size"])
    found: dict[str, object] = {
        "image_mb": round(size / MEGABYTE),
        "image_compressed_mb": round(compressed() / MEGABYTE),
    }
    for cores in CORES:
        with tempfile.TemporaryDirectory() as directory:
            runs = [start(cores, Path(directory) / str(number)) for number in range(RUNS)]
        found[f"cores_{cores:g}"] = {
            "serving_after_s": round(statistics.median(run.after_s for run in runs), 2),
            "idle_rss_mb": round(statistics.median(run.rss_mb for run in runs)),
            "reads_per_s": round(statistics.median(run.reads_per_s for run in runs)),
        }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
