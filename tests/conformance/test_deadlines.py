"""What is told of a call to which no answer came in time, on each face."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from tests.conformance.drivers import Driver
from tests.conformance.faces import FACES, Face

pytestmark = [
    pytest.mark.parametrize("face", [face for face in FACES if not face.partial], ids=lambda face: face.name),
]


GIVEN_UP = "the upstream gave up"


class _Silent(grpc.GenericRpcHandler):
    """Takes every call and answers none before it is told to, but Read, for which it plays a proxy that is out of patience."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def service(self, details: Any) -> Any:
        """The handler of every method."""
        reads = details.method == "/memslot.v1.SlotService/Read"
        return grpc.unary_unary_rpc_method_handler(self._give_up if reads else self._wait)

    def _wait(self, _request: bytes, _context: Any) -> bytes:
        self.over.wait()
        return b""

    def _give_up(self, _request: bytes, context: Any) -> None:
        context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, GIVEN_UP)


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that never answers."""
    handler = _Silent()
    server = grpc.server(ThreadPoolExecutor(4), handlers=[handler])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    handler.over.set()
    server.stop(None).wait()


@pytest.fixture
def driver(face: Face, driver_of: Callable[[Face], Driver]) -> Driver:
    """The face's driver."""
    missing = face.missing()
    if missing:
        assert os.environ.get("CI") != "true", missing
        pytest.skip(missing)
    return driver_of(face)


def test_how_long_was_waited_and_what_to_raise_is_told(driver: Driver, silent: str) -> None:
    """In the same words; the outcome of a change stays unknown."""
    assert driver.ask(op="open", client="d", target=silent, timeout_ms=1250)["ok"]
    asked = driver.ask(op="call", client="d", method="memslot.v1.AdminService/GetServerInfo", request={})["error"]
    changed = driver.ask(op="do", client="d", verb="write", arguments={"name": "n", "kind": "text", "value": "a text"})
    driver.ask(op="close", client="d")
    assert (asked["code"], asked["reason"], asked["own_reason"]) == ("DEADLINE_EXCEEDED", "", "")
    assert "no answer within 1.25 s: raise " in asked["text"]
    assert changed["error"]["own_reason"] == "OUTCOME_UNKNOWN"
    assert "may have happened or not (no answer within 1.25 s: raise " in changed["error"]["text"]


def test_the_deadline_of_another_is_told_as_it_is(driver: Driver, silent: str) -> None:
    """A proxy that ends a call before its timeout says so in its own words: to raise the timeout would not help."""
    assert driver.ask(op="open", client="d", target=silent, timeout_ms=60_000)["ok"]
    told = driver.ask(op="do", client="d", verb="read", arguments={"name": "n"})["error"]
    driver.ask(op="close", client="d")
    assert (told["code"], told["reason"]) == ("DEADLINE_EXCEEDED", "")
    assert GIVEN_UP in told["text"]
    assert "no answer within" not in told["text"]
