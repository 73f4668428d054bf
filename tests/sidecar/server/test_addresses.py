"""Addresses: which are allowed, and that nobody's socket is taken away."""

from __future__ import annotations

import socket
import stat
from contextlib import closing
from pathlib import Path

import pytest

from memslot_sidecar import addresses
from memslot_sidecar.errors import AddressInUse, StartupError, UsageError


@pytest.mark.parametrize(
    "address", ["127.0.0.1:7420", "127.9.9.9:0", "[::1]:7420", "localhost:7420", "unix:/run/m.sock"]
)
def test_loopback_is_allowed(address: str) -> None:
    """Addresses that only this machine reaches need no more words."""
    addresses.require_loopback(address)


@pytest.mark.parametrize("address", ["0.0.0.0:7420", "[::]:7420", "10.0.0.1:7420", "example.org:7420"])
def test_other_addresses_need_to_be_asked_for(address: str) -> None:
    """An address that others may reach is refused, and the error says with which flag it is not."""
    with pytest.raises(UsageError, match="--insecure-listen"):
        addresses.require_loopback(address)


@pytest.mark.parametrize(
    "address", ["", "7420", ":7420", "localhost", "localhost:", "a:b", "::1:7420", "h:65536", "unix:"]
)
def test_what_is_no_address_is_told(address: str) -> None:
    """An address that cannot be understood is an error that shows how to write one."""
    with pytest.raises(UsageError, match=r"write .*unix:PATH"):
        addresses.require_loopback(address)


def test_long_socket_path_is_told() -> None:
    """A socket path above 107 bytes is an error that says so, in bytes."""
    assert addresses.socket_path("unix:" + "a" * 107) == Path("a" * 107)
    with pytest.raises(UsageError, match="is 108 bytes long, and the system allows 107"):
        addresses.socket_path("unix:" + "é" * 54)


def test_both_spellings_of_a_socket_are_one() -> None:
    """``unix:///PATH`` is ``unix:/PATH``."""
    assert (
        addresses.socket_path("unix:///run/m.sock") == addresses.socket_path("unix:/run/m.sock") == Path("/run/m.sock")
    )
    assert addresses.socket_path("127.0.0.1:1") is None


def test_port_in_use_is_told() -> None:
    """A port where somebody listens is an error of its own kind."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(AddressInUse, match="is in use"):
            addresses.require_free(address)
    addresses.require_free(address)


def test_foreign_address_is_told() -> None:
    """An address that this machine does not have is an error."""
    with pytest.raises(StartupError, match=r"cannot listen on 192\.0\.2\.1:7420"):
        addresses.require_free("192.0.2.1:7420")


def test_socket_of_a_dead_server_is_replaced(tmp_path: Path) -> None:
    """A socket file where nobody answers makes way."""
    path = tmp_path / "m.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with addresses.claimed(path, 0o600):
        assert not path.exists()


def test_socket_of_a_live_server_is_left_alone(tmp_path: Path) -> None:
    """A socket where somebody answers is not stolen, whoever it is."""
    path = tmp_path / "m.sock"
    with closing(socket.socket(socket.AF_UNIX)) as live:
        live.bind(str(path))
        live.listen()
        with pytest.raises(AddressInUse, match="in use by another server"), addresses.claimed(path, 0o600):
            pass
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))


def test_claimed_socket_is_left_alone_before_it_answers(tmp_path: Path) -> None:
    """A path that another sidecar has claimed is not stolen, though nobody answers there yet."""
    path = tmp_path / "m.sock"
    with (
        addresses.claimed(path, 0o600),
        pytest.raises(AddressInUse, match="in use by another sidecar"),
        addresses.claimed(path, 0o600),
    ):
        pass
    with addresses.claimed(path, 0o600):
        pass
    assert list(tmp_path.iterdir()) == []


def test_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    """A file that is no socket is never removed."""
    path = tmp_path / "precious"
    path.write_text("data")
    with pytest.raises(StartupError, match="is no socket"), addresses.claimed(path, 0o600):
        pass
    assert path.read_text() == "data"


def test_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A socket in no directory is an error that says what to make, not a traceback."""
    with (
        pytest.raises(StartupError, match="make its folder"),
        addresses.claimed(tmp_path / "no" / "s", 0o600),
    ):
        pass


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o666])
def test_socket_is_protected_from_its_first_moment(tmp_path: Path, mode: int) -> None:
    """A socket never has more permissions than were asked for, and in the end exactly those."""
    path = tmp_path / "m.sock"
    with socket.socket(socket.AF_UNIX) as made:
        with addresses.protected(path, mode):
            made.bind(str(path))
            assert stat.S_IMODE(path.stat().st_mode) & ~mode == 0
        assert stat.S_IMODE(path.stat().st_mode) == mode
