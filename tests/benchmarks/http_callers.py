"""Callers of an HTTP server that cost as little as can be: one connection each, bytes in, bytes out."""

from __future__ import annotations

import asyncio
from types import TracebackType


class HttpCallers:
    """Connections that are kept alive, one a caller."""

    def __init__(self, target: str, callers: int) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._callers = callers
        self._ends: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def __aenter__(self) -> HttpCallers:
        for _ in range(self._callers):
            self._ends.append(await asyncio.open_connection(self._host, self._port, limit=2**20))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, writer in self._ends:
            writer.close()

    async def call(self, caller: int, request: bytes) -> bytes:
        """The body of the answer. Raises AssertionError unless that is 200."""
        reader, writer = self._ends[caller]
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise AssertionError(f"the answer is {head[:40]!r}")
        begin = head.index(b"content-length: ") + 16
        return await reader.readexactly(int(head[begin : head.index(b"\r", begin)]))


def request(verb: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of a request; a header's ``_`` is a hyphen."""
    said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"{verb} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{said}content-length: {len(body)}\r\n\r\n".encode() + body
