"""Where a token may go. That it arrives, by TLS too, is shown in tests/conformance/test_security.py."""

from __future__ import annotations

from pathlib import Path

import pytest

import memslot
from memslot import aio
from memslot._transport.security import Security, is_local

TOKEN = "token-of-nobody"


@pytest.mark.parametrize("connect", [memslot.connect, aio.connect])
def test_a_token_leaves_the_machine_encrypted_or_not_at_all(connect: object) -> None:
    """In plain text a token goes to this machine only; the error says what to do and not the token."""
    assert callable(connect)
    with pytest.raises(ValueError, match="tls=") as raised:
        connect("memory.example:7420", token=TOKEN)
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize(
    ("target", "local"),
    [
        ("127.0.0.1:7420", True), ("127.8.8.8:1", True), ("[::1]:7420", True), ("localhost:7420", True),
        ("unix:/run/s", True), ("ipv4:127.0.0.1:7420", True), ("dns:///localhost:7420", True), ("ipv6:[::1]:7420", True),
        ("10.0.0.1:7420", False), ("localhost.example:7420", False), ("dns:///memory:7420", False), ("0.0.0.0:1", False),
        ("[fe80::1]:7420", False), ("ipv4:127.0.0.1:1,10.0.0.1:1", False),
    ],
)  # fmt: skip
def test_which_targets_are_this_machine(target: str, local: bool) -> None:
    """Loopback addresses and Unix sockets, however they are written; a name that resolves to one is not trusted."""
    assert is_local(target) is local


@pytest.mark.parametrize("token", ["", " spaced", "line\nbreak", "ü"])
def test_a_token_that_no_header_holds_is_refused(token: str) -> None:
    """It is refused at once, and not repeated."""
    with pytest.raises(ValueError, match="printable ASCII"):
        memslot.connect("127.0.0.1:1", token=token)


def test_a_token_may_be_renewed() -> None:
    """A function is asked for the token of each call."""
    tokens = iter(["one", "two"])
    security = Security(token=lambda: next(tokens))
    assert [dict(security.metadata())["authorization"] for _ in range(2)] == ["Bearer one", "Bearer two"]


def test_a_ca_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    """Without its CA a client does not fall back to plain text."""
    with pytest.raises(ValueError, match="CA file"):
        memslot.connect("memory.example:7420", token=TOKEN, tls=tmp_path / "ca.pem")


def test_nothing_prints_a_token() -> None:
    """Neither the client nor its settings show it."""
    with memslot.connect("127.0.0.1:1", token=TOKEN) as memory:
        assert TOKEN not in repr(memory) + repr(vars(memory)) + repr(Security(token=TOKEN))
