"""Clients of three kinds of sidecar: scripted, in this process, and served by a process of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.client.sidecar_process import SidecarProcess

import memslot


@pytest.fixture
def memory() -> Iterator[memslot.EmbeddedMemory]:
    """A store in RAM in this process."""
    with memslot.embedded(namespace="acme/test") as embedded:
        yield embedded


@pytest.fixture(scope="module")
def sidecar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SidecarProcess]:
    """A `memslot serve` on SQLite, on a free port and a Unix socket."""
    with SidecarProcess(tmp_path_factory.mktemp("sidecar")) as process:
        yield process


@pytest.fixture
def served(sidecar: SidecarProcess, request: pytest.FixtureRequest) -> Iterator[memslot.Memory]:
    """A client of the served sidecar, in a namespace of this test's own."""
    with memslot.connect(sidecar.target, namespace=memslot.namespace("test", request.node.name[:60])) as connected:
        yield connected
