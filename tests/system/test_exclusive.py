"""One data directory, one socket, one port: one sidecar."""

from __future__ import annotations

import signal
import stat
from pathlib import Path

import grpc
import pytest
from tests.system.process import PATIENCE_S, Served, eventually, health_of

from memslot.v1 import slot_service_pb2

WRITE = slot_service_pb2.WriteRequest(namespace="acme", name="a", body=b"kept")
READ = slot_service_pb2.ReadRequest(namespace="acme", name="a")


def test_second_sidecar_on_a_data_directory_is_refused(tmp_path: Path) -> None:
    """A second sidecar on the same data directory ends with a clear error, and the first serves on."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as first:
        slots = first.ready().slots()
        with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as second:
            assert second.exit_code() == 3
            assert f"{tmp_path} is in use" in second.stderr
            assert "--lock-wait" in second.stderr
            assert "Traceback" not in second.stderr
        slots.Write(WRITE)
        assert first.stop() == 0


def test_second_sidecar_on_a_port_is_refused(tmp_path: Path) -> None:
    """A port that is taken is a clear error; it is never shared."""
    with Served("--data-dir", tmp_path / "a", "--listen", "127.0.0.1:0") as first:
        (address,) = first.ready().addresses()
        with Served("--data-dir", tmp_path / "b", "--listen", address) as second:
            assert second.exit_code() == 4
            assert f"{address} is in use" in second.stderr
            assert second.stderr.count("\n") == 1
        assert health_of(first.channel()) == "SERVING"


def test_second_sidecar_on_a_socket_is_refused(tmp_path: Path) -> None:
    """A socket of a live sidecar is not stolen."""
    socket = f"unix:{tmp_path}/m.sock"
    with Served("--data-dir", tmp_path / "a", "--listen", socket) as first:
        first.ready()
        with Served("--data-dir", tmp_path / "b", "--listen", socket) as second:
            assert second.exit_code() == 4
            assert "is in use by another sidecar" in second.stderr
        first.slots().Write(WRITE)
        assert first.stop() == 0
    assert not (tmp_path / "m.sock").exists()


def test_socket_of_a_killed_sidecar_is_taken_over(tmp_path: Path) -> None:
    """After kill -9 the next sidecar serves on the same socket and data directory."""
    socket = f"unix:{tmp_path}/m.sock"
    flags = ("--data-dir", tmp_path / "data", "--listen", socket)
    with Served(*flags) as first:
        first.ready().slots().Write(WRITE)
        first.signal(signal.SIGKILL)
        first.exit_code()
    assert (tmp_path / "m.sock").exists()
    with Served(*flags) as second:
        assert second.ready().slots().Read(READ).slot.body == b"kept"


@pytest.mark.parametrize(("flags", "mode"), [((), 0o600), (("--socket-mode", "0660"), 0o660)])
def test_socket_belongs_to_its_owner(tmp_path: Path, flags: tuple[str, ...], mode: int) -> None:
    """A socket is for its owner alone unless other permissions are asked for."""
    with Served("--store", "ram", "--listen", f"unix:{tmp_path}/m.sock", *flags) as served:
        served.ready()
        assert stat.S_IMODE((tmp_path / "m.sock").stat().st_mode) == mode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_waiting_sidecar_takes_over(tmp_path: Path, number: int) -> None:
    """With --lock-wait a second sidecar says NOT_SERVING and refuses calls while the first lives, and serves its slots after its end,
    whether that was orderly or not."""
    data, socket = tmp_path / "data", f"unix:{tmp_path}/second.sock"
    with Served("--data-dir", data, "--listen", "127.0.0.1:0") as first:
        first.ready().slots().Write(WRITE)
        with Served("--data-dir", data, "--listen", socket, "--lock-wait", "60s") as second:
            channel = second.channel(socket)
            assert health_of(channel) == "NOT_SERVING"
            assert health_of(channel, "memslot.v1.SlotService") == "NOT_SERVING"
            with pytest.raises(grpc.RpcError) as caught:
                second.slots(socket).Read(READ)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
            first.signal(number)
            eventually(lambda: health_of(channel) == "SERVING", "the second serves")
            assert second.slots(socket).Read(READ).slot.body == b"kept"
            assert second.stop() == 0


def test_waiting_sidecar_can_be_stopped_and_gives_up(tmp_path: Path) -> None:
    """While it waits it stops as readily as ever, and when the time is over it ends as if it had not waited."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as first:
        first.ready()
        socket = f"unix:{tmp_path}/s.sock"
        with Served("--data-dir", tmp_path, "--listen", socket, "--lock-wait", "600") as second:
            grpc.channel_ready_future(second.channel(socket)).result(PATIENCE_S)
            assert second.stop() == 0
        with Served("--data-dir", tmp_path, "--listen", socket, "--lock-wait", "200ms") as third:
            assert third.exit_code() == 3
