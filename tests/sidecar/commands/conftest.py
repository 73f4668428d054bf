"""The commands, run in this process against a served sidecar."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess

import memslot
from memslot_sidecar.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int
    raw: bytes
    errors: str

    @property
    def text(self) -> str:
        """What was printed to standard output."""
        return self.raw.decode()

    @property
    def json(self) -> Any:
        """The one JSON object that was printed."""
        (line,) = self.text.splitlines()
        return json.loads(line)


Command = Callable[..., Done]


@pytest.fixture(scope="session")
def sidecar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SidecarProcess]:
    """A `memslot serve`, with a namespace for each test."""
    with SidecarProcess(tmp_path_factory.mktemp("cli")) as process:
        yield process


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> str:
    """A namespace of this test's own."""
    return memslot.namespace("cli", request.node.name[:60])


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `memslot` with arguments, and bytes on standard input."""

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Done(code, out, err.decode())

    return run


@pytest.fixture
def cli(command: Command, sidecar: SidecarProcess, namespace: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The same, with the sidecar and the namespace in the environment."""
    monkeypatch.setenv("MEMSLOT_TARGET", sidecar.target)
    monkeypatch.setenv("MEMSLOT_NAMESPACE", namespace)
    return command
