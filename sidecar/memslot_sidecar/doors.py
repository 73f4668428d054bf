"""The gRPC servers: one for the services, and one with health alone where probes come by another address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import grpc
import grpc.aio

from memslot_sidecar import addresses
from memslot_sidecar.app import Sidecar
from memslot_sidecar.binding import Table
from memslot_sidecar.config import Config
from memslot_sidecar.errors import AddressInUse, StartupError
from memslot_sidecar.health import Health
from memslot_sidecar.routes import Route
from memslot_sidecar.traffic import Traffic


class Door:
    """One gRPC server on some addresses, which answers what its table says."""

    def __init__(self, wanted: Sequence[str], table: Table, message_limit_bytes: int, socket_mode: int) -> None:
        self._wanted = wanted
        self._socket_mode = socket_mode
        self._held = ExitStack()
        self._server = grpc.aio.server(handlers=[table], options=_options(message_limit_bytes))
        self.addresses: list[str] = []

    async def open(self) -> None:
        """Listens; ``addresses`` then has the real ports. Raises AddressInUse, StartupError, UsageError."""
        for address in self._wanted:
            path = addresses.socket_path(address)
            self.addresses.append(self._open_port(address) if path is None else self._open_socket(path))
        await self._server.start()

    async def close(self, grace_s: float) -> None:
        """Ends all connections; calls that are still under way have ``grace_s`` before they are cut off."""
        await self._server.stop(grace_s)
        self._held.close()

    def _open_port(self, address: str) -> str:
        addresses.require_free(address)
        host, _ = addresses.host_and_port(address)
        port = self._bind(address)
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def _open_socket(self, path: Path) -> str:
        self._held.enter_context(addresses.claimed(path, self._socket_mode))
        with addresses.protected(path, self._socket_mode):
            self._bind(f"unix:{path}")
        return f"unix:{path}"

    def _bind(self, address: str) -> int:
        try:
            return self._server.add_insecure_port(address)
        except RuntimeError as error:
            if "in use" in str(error):
                raise AddressInUse(f"{address} is in use: choose another --listen") from None
            raise StartupError(f"cannot listen on {address}: choose another --listen") from error


def services_door(config: Config, table: Table) -> Door:
    """The server of all services. Raises UsageError for an address that other machines may reach."""
    for address in config.listen:
        addresses.require_loopback(address)
    return Door(config.addresses, table, config.message_limit_bytes, config.socket_mode)


def probes_door(config: Config, health: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> Door:
    """The server of health alone; it may have no address."""
    return Door(config.health_listen, Table(health), config.message_limit_bytes, config.socket_mode)


class Face(Protocol):
    """A second face of the sidecar beside gRPC, with doors of its own."""

    @property
    def addresses(self) -> Sequence[str]:
        """Where it answers calls."""

    @property
    def metrics_addresses(self) -> Sequence[str]:
        """Where it answers scrapers alone."""

    async def open(self) -> None:
        """Listens; calls are UNAVAILABLE. Raises AddressInUse, StartupError, UsageError."""

    def answer(self, routes: Sequence[Route]) -> None:
        """From now on calls take these routes."""

    def leave(self, routes: Sequence[Route]) -> None:
        """From now on calls take these routes, and each answer asks its caller to close the connection."""

    async def close(self, grace_s: float) -> None:
        """Ends all connections; calls that are under way have ``grace_s`` before they are cut off."""


class NoFace:
    """The face of a sidecar that speaks gRPC alone."""

    addresses: Sequence[str] = ()
    metrics_addresses: Sequence[str] = ()

    async def open(self) -> None:
        """Does nothing, and so do the others."""

    def answer(self, routes: Sequence[Route]) -> None:
        """Does nothing."""

    def leave(self, routes: Sequence[Route]) -> None:
        """Does nothing."""

    async def close(self, grace_s: float) -> None:
        """Does nothing."""


def http_face(config: Config, sidecar: Sidecar, health: Health, traffic: Traffic) -> Face:
    """HTTP, if it is wanted. Raises StartupError without its libraries, UsageError for an address that other machines may reach."""
    if not (config.http_listen or config.metrics_listen):
        return NoFace()
    try:
        from memslot_sidecar.http.face import HttpFace  # noqa: PLC0415 - an extra, and memory
    except ImportError as error:
        raise StartupError(
            f"HTTP needs a library that is not installed ({error.name}): pip install 'memslot[http]'"
        ) from None
    return HttpFace(config, sidecar, health, traffic)


def _options(message_limit_bytes: int) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", message_limit_bytes),
        ("grpc.max_send_message_length", message_limit_bytes),
        # A client that is gone without a word is noticed within some two minutes; clients may ping every ten seconds.
        ("grpc.keepalive_time_ms", 120_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ]
