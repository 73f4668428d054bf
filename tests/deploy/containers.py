"""Real containers of the image, run by podman as a platform would run them."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.system.process import PATIENCE_S, eventually

CHECK = "deploy/check"
ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
IMAGE = os.environ.get("IMAGE", "")
UID, GID = 12345, 54321
"""A user whom the image does not know."""
DATA, SOCKETS = "/var/lib/memslot", "/run/memslot"
RESTRICTED = (
    "--read-only", "--read-only-tmpfs=false", "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
    "--memory", "384m", "--pids-limit", "128",
)  # fmt: skip


def podman(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs podman to its end."""
    done = subprocess.run(
        ["podman", *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE_S * 2, check=False
    )
    assert not check or done.returncode == 0, f"podman {arguments}: {done.stderr}"
    return done


def of_group(path: Path) -> Path:
    """A new directory of the pod's group alone, as the kubelet makes a volume with `fsGroup`."""
    path.mkdir(parents=True)
    os.chown(path, 0, GID)
    path.chmod(0o2770)
    return path


class Container:
    """A container that runs until it is stopped; nothing of it stays."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def state(self) -> dict[str, Any]:
        """What podman says of it."""
        return json.loads(podman("inspect", self.name).stdout)[0]["State"]

    @property
    def told(self) -> str:
        """What it wrote to standard error and output so far."""
        done = podman("logs", self.name)
        return done.stdout + done.stderr

    def memslot(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command of memslot in it, without a shell."""
        return podman("exec", self.name, "memslot", *arguments, check=check)

    def healthy(self) -> bool:
        """Runs the image's own health check."""
        return podman("healthcheck", "run", self.name, check=False).returncode == 0

    def ready(self) -> Container:
        """Waits until it is healthy."""
        eventually(lambda: self.healthy() or not self.state["Running"], "it is healthy")
        assert self.state["Running"], self.told
        return self

    def stop(self, grace_s: int = 40) -> int:
        """Sends the image's stop signal, waits for the grace; returns the exit code (137 when it had to be killed)."""
        podman("stop", "--time", grace_s, self.name)
        return int(self.state["ExitCode"])


@contextmanager
def container(*options: object, command: Sequence[str] = ()) -> Iterator[Container]:
    """Starts a container of the image. It has no network but what ``options`` give it."""
    name = f"memslot-{uuid.uuid4().hex[:12]}"
    network = () if "--network" in options else ("--network", "none")
    podman("run", "--detach", "--name", name, *network, *options, IMAGE, *command)
    try:
        yield Container(name)
    finally:
        podman("rm", "--force", "--time", 0, "--volumes", name, check=False)


class Agent:
    """A second container that shares nothing with memslot's but the socket: it runs tests/deploy/agent.py under another user of the same
    group, and answers a line of JSON with a line of JSON."""

    def __init__(self, sockets: Path) -> None:
        volumes = (
            "--volume",
            f"{sockets}:{SOCKETS}",
            "--volume",
            f"{Path(__file__).with_name('agent.py')}:/agent.py:ro",
        )
        user = ("--user", f"{UID + 1}:{GID}", "--entrypoint", "/opt/memslot/bin/python")
        self._process = subprocess.Popen(
            [
                "podman",
                "run",
                "--rm",
                "--interactive",
                "--network",
                "none",
                *RESTRICTED,
                *user,
                *volumes,
                IMAGE,
                "/agent.py",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream
            stream.close()
        self._process.wait(PATIENCE_S)

    def ask(self, **request: Any) -> Any:
        """What it answers."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())
