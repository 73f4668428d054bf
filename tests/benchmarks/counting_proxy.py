"""A TCP relay that counts what passes: the bytes of HTTP/2 frames and headers included, as a network would carry them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_CHUNK_BYTES = 65_536


class CountingProxy:
    """Counts the payload bytes of TCP in both directions."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._relays: set[asyncio.Task[None]] = set()
        self.address = ""
        self.bytes_to_server = 0
        self.bytes_to_client = 0

    @property
    def bytes_moved(self) -> int:
        """Both directions together."""
        return self.bytes_to_server + self.bytes_to_client

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relays one connection until either side closes it."""
        if self._target.startswith("unix:"):
            onward = asyncio.open_unix_connection(self._target.removeprefix("unix:"))
        else:
            host, port = self._target.rsplit(":", 1)
            onward = asyncio.open_connection(host, int(port))
        server_reader, server_writer = await onward
        there = asyncio.create_task(self._relay(reader, server_writer, to_server=True))
        back = asyncio.create_task(self._relay(server_reader, writer, to_server=False))
        self._relays |= {there, back}

    async def close(self) -> None:
        """Ends all connections."""
        for relay in self._relays:
            relay.cancel()
        await asyncio.gather(*self._relays, return_exceptions=True)

    async def _relay(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, to_server: bool) -> None:
        try:
            while chunk := await source.read(_CHUNK_BYTES):
                if to_server:
                    self.bytes_to_server += len(chunk)
                else:
                    self.bytes_to_client += len(chunk)
                sink.write(chunk)
                await sink.drain()
        except ConnectionError:
            return
        finally:
            sink.close()


@asynccontextmanager
async def counting(target: str) -> AsyncIterator[CountingProxy]:
    """A proxy before ``target`` while the block runs; clients connect to its ``address``."""
    proxy = CountingProxy(target)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    proxy.address = f"{host}:{port}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
