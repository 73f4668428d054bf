"""Tokens and TLS, on each face that has them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.drivers import Driver
from tests.conformance.faces import FACES, Face
from tests.conformance.tls_server import certificate, openssl_missing, serving

TOKEN = "token-that-nobody-prints"
INFO = {"op": "call", "client": "s", "method": "memslot.v1.AdminService/GetServerInfo", "request": {}}

pytestmark = [
    pytest.mark.parametrize("face", [face for face in FACES if not face.partial], ids=lambda face: face.name),
]


@pytest.fixture
def driver(face: Face, driver_of: Callable[[Face], Driver]) -> Driver:
    """The face's driver."""
    return _here(face.missing()) or driver_of(face)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """Two certificates that have nothing to do with each other."""
    _here(openssl_missing())
    folder = tmp_path_factory.mktemp("tls")
    return [certificate(folder, name) for name in ("ours", "theirs")]


def _here(missing: str) -> None:
    if missing:
        assert os.environ.get("CI") != "true", missing
        pytest.skip(missing)


def _asked(driver: Driver, target: str, token: str = TOKEN, **said: str) -> dict[str, Any]:
    """What comes of opening a client with a token and asking by it."""
    answer = driver.ask(op="open", client="s", target=target, token=token, timeout_ms=5000, **said)
    if answer.get("ok"):
        answer = driver.ask(**INFO)
        driver.ask(op="close", client="s")
    return answer


def test_a_token_arrives_over_tls(driver: Driver, certificates: list[tuple[Path, Path]]) -> None:
    """Whoever trusts the server's CA reaches it, and each call carries the token."""
    key, made = certificates[0]
    with serving(key, made) as target:
        assert _asked(driver, target, ca_file=str(made))["reply"]["version"] == f"Bearer {TOKEN}"


def test_a_server_of_another_ca_is_not_spoken_to(driver: Driver, certificates: list[tuple[Path, Path]]) -> None:
    """A certificate of another CA is UNAVAILABLE, and no error tells the token."""
    key, made = certificates[0]
    with serving(key, made) as target:
        answer = _asked(driver, target, ca_file=str(certificates[1][1]))
    assert answer["error"]["code"] == "UNAVAILABLE"
    assert TOKEN not in str(answer)


def test_a_token_stays_on_the_machine_in_plain_text(driver: Driver) -> None:
    """A loopback address gets the token without TLS; any other is refused before anything is sent, and the error does not tell it."""
    with serving() as target:
        assert _asked(driver, target)["reply"]["version"] == f"Bearer {TOKEN}"
    answer = _asked(driver, "192.0.2.1:7420")
    assert "error" in answer
    assert answer["error"]["code"] not in ("UNAVAILABLE", "DEADLINE_EXCEEDED")
    assert TOKEN not in str(answer)


@pytest.mark.parametrize("around", ["{}\n", " {}", "{}é", "{}\0"], ids=["line-end", "space", "letter", "null"])
def test_a_token_that_no_header_holds_is_refused(driver: Driver, around: str) -> None:
    """Nothing is trimmed: it is refused before anything is sent, in the same words, which do not tell it."""
    answer = _asked(driver, "127.0.0.1:1", token=around.format(TOKEN))
    assert answer["error"]["code"] == "INVALID_ARGUMENT"
    assert "a token is printable ASCII without spaces around it, such as the line end of a file" in str(answer)
    assert TOKEN not in str(answer)


def test_no_log_tells_the_token(driver: Driver) -> None:
    """What a driver wrote to standard error does not hold it."""
    assert TOKEN not in driver.written()
