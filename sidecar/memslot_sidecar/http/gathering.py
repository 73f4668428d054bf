"""Answers leave together: what is written for one request goes out in one piece, behind what was computed for all that came with it.

A write is a system call that wakes the reader, which on a virtual machine costs as much as the rest of a call. The server library
writes head and body one after the other, at once.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Leaving:
    """What one loop has to write before it looks for requests again."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: list[Gathering] = []

    def add(self, transport: Gathering) -> None:
        """Writes what a transport has gathered, after the tasks that are ready to run now."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(transport)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for transport in waiting:
            transport.flush()


class Gathering:
    """Stands before a transport and gathers what is written. Whatever else is asked of it, the transport answers."""

    def __init__(self, transport: asyncio.Transport, leaving: Leaving) -> None:
        self._transport = transport
        self._leaving = leaving
        self._gathered: list[bytes] = []
        self.is_closing = transport.is_closing
        self.get_extra_info = transport.get_extra_info

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Writes soon."""
        if not self._gathered:
            self._leaving.add(self)
        self._gathered.append(data)

    def flush(self) -> None:
        """Writes now."""
        gathered, self._gathered = self._gathered, []
        if gathered and not self.is_closing():
            self._transport.write(b"".join(gathered))

    def close(self) -> None:
        """Closes, once everything is written."""
        self.flush()
        self._transport.close()
