"""Connections: where to, how long, and what when nobody answers."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess

import memslot
from memslot import Memory, OutcomeUnknown, Unreachable, aio
from memslot._transport.channel import ChannelConfig, target_of
from memslot.errors import DeadlineExceeded, MemslotError, StoreUnavailable, Unavailable


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address where nobody listens, and nobody else will."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{reserved.getsockname()[1]}"


@pytest.mark.parametrize("wait_for_ready", [False, True])
def test_where_nobody_listens_nothing_happened(nobody: str, wait_for_ready: bool) -> None:
    """A mutation without any connection has no unknown outcome; the error says what to start."""
    memory = memslot.connect(nobody, wait_for_ready=wait_for_ready, timeout=0.3)
    with memory, pytest.raises(Unreachable, match="memslot serve"):
        memory.write("a", "b")


@pytest.mark.parametrize("wait_for_ready", [False, True])
async def test_where_nobody_listens_nothing_happened_awaited(nobody: str, wait_for_ready: bool) -> None:
    """The same holds for asyncio."""
    async with aio.connect(nobody, wait_for_ready=wait_for_ready, timeout=0.3) as memory:
        with pytest.raises(Unreachable, match="memslot serve"):
            await memory.write("a", "b")


def test_a_socket_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    """Unix sockets are treated alike."""
    with memslot.connect(f"unix:{tmp_path / 's'}") as memory, pytest.raises(Unreachable):
        memory.read("a")


def test_a_client_can_wait_for_a_sidecar_that_is_starting(tmp_path: Path) -> None:
    """With wait_for_ready the first call is answered when the sidecar serves."""
    sidecar = SidecarProcess(tmp_path)
    with memslot.connect(sidecar.socket, wait_for_ready=True, timeout=30) as memory, ThreadPoolExecutor() as pool:
        waiting = pool.submit(_serving, memory)
        with sidecar:
            assert waiting.result() == "sqlite"


def _serving(memory: Memory) -> str:
    """The store's kind, as soon as the sidecar serves: until then it answers that its store is not open."""
    while True:
        try:
            return memory.server_info().store
        except StoreUnavailable:
            time.sleep(0.01)


def test_a_client_survives_a_restart_of_the_sidecar(tmp_path: Path) -> None:
    """Calls go on after a restart on the same address, without a new client."""
    with SidecarProcess(tmp_path) as sidecar, memslot.connect(sidecar.target) as memory:
        memory.write("a", "b")
        sidecar.kill()
        sidecar.start()
        assert memory.read("a").text == "b"


def test_a_mutation_whose_sidecar_dies_has_an_unknown_outcome(tmp_path: Path) -> None:
    """Once there was a connection, a failure may hide a request that arrived."""
    with SidecarProcess(tmp_path) as sidecar, memslot.connect(sidecar.target) as memory:
        memory.write("a", "b")
        sidecar.kill()
        with pytest.raises(OutcomeUnknown):
            memory.write("a", "c")
        with pytest.raises(Unavailable):
            memory.read("a")
        sidecar.start()


def test_a_call_ends_at_its_deadline(tmp_path: Path) -> None:
    """A sidecar that hangs does not hang its clients."""
    with SidecarProcess(tmp_path) as sidecar, memslot.connect(sidecar.target, timeout=0.3) as memory:
        memory.write("a", "b", timeout=30)
        sidecar.signal(signal.SIGSTOP)
        try:
            with pytest.raises(DeadlineExceeded):
                memory.read("a")
            with pytest.raises(OutcomeUnknown):
                memory.write("a", "b")
        finally:
            sidecar.signal(signal.SIGCONT)


def test_both_kinds_of_address_lead_to_the_same_store(sidecar: SidecarProcess) -> None:
    """What was written over TCP is read over the Unix socket."""
    with memslot.connect(sidecar.target) as one, memslot.connect(sidecar.socket) as other:
        one.write("a", "über beide")
        assert other.read("a").text == "über beide"


def test_the_target_comes_from_the_caller_the_environment_or_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this order; the namespace too."""
    assert target_of(None) == "127.0.0.1:7420"
    monkeypatch.setenv("MEMSLOT_TARGET", "unix:/run/memslot.sock")
    monkeypatch.setenv("MEMSLOT_NAMESPACE", "acme/env")
    assert target_of(None) == "unix:/run/memslot.sock"
    assert target_of("localhost:1") == "localhost:1"
    assert memslot.connect("127.0.0.1:1").namespace_path == "acme/env"
    assert memslot.connect("127.0.0.1:1", namespace="acme").namespace_path == "acme"


def test_a_socket_path_that_is_too_long_is_refused() -> None:
    """The system cannot take more than 107 bytes, and the error says so."""
    assert target_of("unix:/" + "x" * 106)
    with pytest.raises(ValueError, match="107"):
        target_of("unix:/" + "x" * 107)


@pytest.mark.parametrize(
    "target",
    [
        "127.0.0.1",
        "localhost",
        "/run/memslot.sock",
        "memslot:7420x",
        "127.0.0.1:99999",
        "127.0.0.1:",
        "::1:7420",
        ":7420",
        "tcp://memslot:7420",
        "[::1]",
        "::1",
    ],
)
def test_what_is_no_target_is_told_at_once(target: str) -> None:
    """It would be looked up as a host's name until the deadline, and a write would end as one that may have happened."""
    with pytest.raises(ValueError, match="write host:port"):
        memslot.connect(target)


@pytest.mark.parametrize(
    "target", ["memslot:1", "[::1]:7420", "unix:here.sock", "dns:///memslot:1", "ipv4:127.0.0.1:1"]
)
def test_all_that_grpc_resolves_is_a_target(target: str) -> None:
    """Names, addresses, sockets, and resolvers that are named."""
    assert target_of(target) == target


def test_a_target_that_is_no_text_is_told_so() -> None:
    """A port alone, say, which is a mistake of types."""
    with pytest.raises(TypeError, match="a target is a str, not int"):
        memslot.connect(7420)  # type: ignore[arg-type]


def test_only_failed_calls_are_retried() -> None:
    """Whatever else was caught has no request to repeat."""
    with memslot.connect() as memory, pytest.raises(ValueError, match="call the method again"):
        memory.retry(KeyError("x"))  # type: ignore[arg-type]


def test_one_setting_bounds_messages_both_ways() -> None:
    """The message limit holds for sending and receiving."""
    options = dict(ChannelConfig("127.0.0.1:1", message_limit_bytes=1000).options())
    assert options["grpc.max_send_message_length"] == options["grpc.max_receive_message_length"] == 1000


def test_a_request_above_the_message_limit_is_refused(sidecar: SidecarProcess) -> None:
    """It is an error with a definite outcome, not a retry, and says both sizes and what to do."""
    memory = memslot.connect(sidecar.target, message_limit_bytes=10_000)
    with memory, pytest.raises(MemslotError) as raised:
        memory.write("a", b"x" * 20_000)
    assert raised.value.code == "RESOURCE_EXHAUSTED"
    assert "10000): split it, a body has 3,900,000 bytes at most" in str(raised.value)


def test_twenty_threads_share_a_client(served: Memory) -> None:
    """Appends, updates and reads of 20 threads on one connection all arrive."""
    served.write("count", 0)
    barrier = threading.Barrier(20)

    def work(number: int) -> Any:
        barrier.wait()
        served.append("log", f"{number},")
        served.update("count", lambda value: value + 1, attempts=200)
        return served.read("log").text

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(20)))
    assert sorted(served.read("log").text.strip(",").split(","), key=int) == [str(number) for number in range(20)]
    assert served.read("count").value == 20


@pytest.mark.parametrize("target", ["http://127.0.0.1:7420", "https://memslot", "grpc://localhost:7420"])
def test_a_web_address_is_no_target(target: str) -> None:
    """It would only be found out by the resolver, after all retries; the error says what to write."""
    with pytest.raises(ValueError, match="host:port"):
        memslot.connect(target)
