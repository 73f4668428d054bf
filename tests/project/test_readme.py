"""README.md shows the truth: its commands are run as they stand there."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memslot_sidecar.config import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = ("pip install", "make ", "memslot serve", "curl ")
"""Commands that other tests and CI run: the wheel in a clean environment, the Makefile's targets, the server of the fixture, what is
asked by HTTP (tests/system/test_http_commands.py)."""


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language, in order."""
    return [text for kind, text in BLOCK.findall(README) if kind == language]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a new user with a running sidecar, on a free port instead of 7420."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = os.environ | {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "MEMSLOT_LISTEN": f"127.0.0.1:{port}",
        "MEMSLOT_TARGET": f"127.0.0.1:{port}",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    server = subprocess.Popen(["memslot", "serve"], env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    while "serving" not in (line := server.stderr.readline()).lower():
        assert line, "the sidecar ended before it served"
    yield env | {"PORT": str(port)}
    server.send_signal(signal.SIGTERM)
    server.communicate()


def test_shell_blocks(environment: dict[str, str]) -> None:
    """Every shell command of the README works, in the order in which it stands there."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]
    commands = [line for line in lines if not line.startswith(ELSEWHERE)]
    assert len(commands) >= 4
    script = "set -euo pipefail\n" + "\n".join(commands)
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


def test_python_blocks(environment: dict[str, str], tmp_path: Path) -> None:
    """Every Python example of the README runs."""
    examples = blocks("python")
    assert examples
    for example in examples:
        code = example.replace("127.0.0.1:7420", f"127.0.0.1:{environment['PORT']}")
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stderr}"


def test_settings_files(tmp_path: Path) -> None:
    """Every settings file of the README is one that `memslot serve` takes."""
    files = blocks("toml")
    assert files
    for text in files:
        path = tmp_path / "memslot.toml"
        path.write_text(text)
        assert load(["--config", str(path)], {}).rules


def test_make_targets() -> None:
    """Every `make` target that the README names exists."""
    targets = set(re.findall(r"`make ([a-z-]+)", README)) | set(re.findall(r"^make ([a-z-]+)", README, re.MULTILINE))
    defined = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets
    assert targets <= defined


def test_settings_are_those_of_the_server(environment: dict[str, str]) -> None:
    """Every flag that the README names is one that some command knows."""
    named = set(re.findall(r"`(?:memslot [a-z ]+)?(--[a-z-]+)", README))
    texts = [
        subprocess.run(
            ["memslot", *command, "--help"], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for command in (["serve"], ["write"], ["lookup"], ["forget"], ["namespaces", "set"], ["replay"], ["report"])
    ]
    known = set(re.findall(r"--[a-z-]+", "\n".join(texts)))
    assert named <= known | {"--json"}
