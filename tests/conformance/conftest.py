"""What a worker keeps from item to item: the sidecars, and one driver for each face."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.conformance.drivers import Driver
from tests.conformance.faces import Face
from tests.conformance.places import Places


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    """Real sidecars of this worker's own."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONFORMANCE_KEY", "of nobody")
        with Places(tmp_path_factory.mktemp("places")) as started:
            yield started


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run see."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "conformance"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def driver_of(tmp_path_factory: pytest.TempPathFactory, shared_folder: Path) -> Iterator[Callable[[Face], Driver]]:
    """The driver of a face, started when it is first asked for. One worker at a time builds."""
    logs = tmp_path_factory.mktemp("drivers")
    started: dict[str, Driver] = {}
    failed: dict[str, str] = {}
    with ExitStack() as stack:

        def driver(face: Face) -> Driver:
            assert face.name not in failed, failed[face.name]
            if face.name not in started:
                with (shared_folder / "building.lock").open("w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    new = stack.enter_context(Driver(face.command, face.environment(), logs / f"{face.name}.log"))
                    try:
                        new.await_started()
                    except AssertionError as error:
                        failed[face.name] = f"the driver of {face.name} does not start: {error}"
                        raise
                    started[face.name] = new
            return started[face.name]

        yield driver
