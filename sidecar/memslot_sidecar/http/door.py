"""The HTTP server: uvicorn in our event loop, without its signals and its log, on sockets that we opened."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import uvicorn

from memslot_sidecar import addresses
from memslot_sidecar.errors import AddressInUse, StartupError
from memslot_sidecar.http.connection import Connection
from memslot_sidecar.http.sweeping import end_stuck

_BACKLOG = 128
_LEAST_GRACE_S = 0.1
_LOOK_S = 1.0
_LATE_S = 2.0
"""Whose request or answer is not through within this time holds up no server that closes: it would be refused anyway."""


class HttpDoor:
    """One HTTP server on some addresses. ``flag`` is what named them."""

    def __init__(self, wanted: Sequence[str], app: Any, socket_mode: int, flag: str) -> None:
        self._wanted = wanted
        self._socket_mode = socket_mode
        self._flag = flag
        self._held = ExitStack()
        self._server = _Server(_settings(app))
        self._serving: asyncio.Task[None] | None = None
        self.addresses: list[str] = []

    @property
    def connections(self) -> Collection[Connection]:
        """Those that are open."""
        held: Collection[Any] = self._server.server_state.connections
        return held

    async def open(self) -> None:
        """Listens; ``addresses`` then has the real ports. Raises AddressInUse, StartupError, UsageError."""
        if not self._wanted:
            return
        sockets = [opened for address in self._wanted for opened in self._open(address)]
        self._serving = asyncio.create_task(self._server.serve(sockets))
        up = asyncio.create_task(self._server.up.wait())
        await asyncio.wait([self._serving, up], return_when=asyncio.FIRST_COMPLETED)
        if not up.done():
            up.cancel()
            await self._serving

    async def close(self, grace_s: float) -> None:
        """Takes no connection any more; requests that are under way have ``grace_s`` before they are cut off, and those that have not
        come whole less."""
        if self._serving is not None:
            self._server.config.timeout_graceful_shutdown = max(grace_s, _LEAST_GRACE_S)  # type: ignore[assignment]
            self._server.should_exit = True
            while not self._serving.done():
                await asyncio.wait([self._serving], timeout=_LOOK_S)
                end_stuck(self.connections, arrival_s=_LATE_S, idle_s=_LATE_S)
            await self._serving
            for connection in list(self.connections):
                connection.transport.abort()
        self._held.close()

    def _open(self, address: str) -> list[socket.socket]:
        path = addresses.socket_path(address)
        if path is None:
            return self._open_port(address)
        self._held.enter_context(addresses.claimed(path, self._socket_mode))
        with addresses.protected(path, self._socket_mode):
            opened = self._bound(socket.AF_UNIX, str(path), address)
        self.addresses.append(f"unix:{path}")
        return [opened]

    def _open_port(self, address: str) -> list[socket.socket]:
        host, port = addresses.host_and_port(address)
        addresses.require_free(address)
        opened: list[socket.socket] = []
        for family, *_, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
            with contextlib.suppress(OSError) if opened else contextlib.nullcontext():
                opened.append(self._bound(family, (where[0], port), address))
                port = opened[0].getsockname()[1]
        self.addresses.append(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        return opened

    def _bound(self, family: int, where: Any, address: str) -> socket.socket:
        opened = socket.socket(family, socket.SOCK_STREAM)
        self._held.callback(opened.close)
        try:
            if family != socket.AF_UNIX:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(where)
            opened.listen(_BACKLOG)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise AddressInUse(f"{address} is in use: choose another {self._flag}") from None
            raise StartupError(f"cannot listen on {address}: {error.strerror}: choose another {self._flag}") from None
        return opened


class _Server(uvicorn.Server):
    """uvicorn's server, started by us: ``up`` is set when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens."""
        await super().startup(sockets)
        self.up.set()

    async def on_tick(self, counter: int) -> bool:
        """Once a second, looks for connections where nothing goes on."""
        if counter % 10 == 0:
            end_stuck(self.server_state.connections)  # type: ignore[arg-type]
        return await super().on_tick(counter)


def _settings(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )
