"""deploy/compose, run by podman-compose, which reads the same file as Docker's."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator

import pytest
from tests.deploy.containers import DEPLOY, IMAGE
from tests.system.process import eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]


class Project:
    """A project of its own."""

    def __init__(self) -> None:
        self._name = f"memslot-check-{uuid.uuid4().hex[:8]}"

    def __call__(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command of compose to its end."""
        command = [
            "podman-compose",
            "-f",
            str(DEPLOY / "compose/compose.yaml"),
            "-p",
            self._name,
            "--profile",
            "example",
        ]
        env = {**os.environ, "MEMSLOT_IMAGE": IMAGE}
        return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120, check=check, env=env)

    def up(self) -> None:
        """Starts memslot, and waits until it is healthy."""
        self("up", "--no-build", "--detach", "memslot")
        eventually(
            lambda: self("exec", "-T", "memslot", "memslot", "health", check=False).returncode == 0, "it is healthy"
        )

    def agent(self, *arguments: str) -> str:
        """What the example prints, given a command of memslot."""
        return self("run", "--rm", "-T", "--no-deps", "agent", *arguments).stdout


@pytest.fixture
def compose() -> Iterator[Project]:
    """Taken down at the end, with its volumes."""
    project = Project()
    yield project
    project("down", "--volumes", check=False)


def test_memory_outlives_the_container(compose: Project) -> None:
    """The example agent writes by the socket; after down and up, which make new containers, another one reads."""
    compose.up()
    assert "created greeting" in compose.agent("write", "greeting", "good morning")
    compose("down")
    compose.up()
    assert compose.agent("read", "greeting").startswith("good morning")
