"""From a request's headers to a call, and through a route with its deadline."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Mapping
from typing import TypeVar

from memslot_sidecar.http.refusals import BadRequest, TooSlow

T = TypeVar("T")
Said = list[tuple[str, str | bytes]]

_SAID = ("memslot-agent", "memslot-conversation", "memslot-turn")
_KEYS = tuple((key.encode(), key) for key in (*_SAID, "traceparent"))
_BINARY_KEYS = tuple((f"{key}-bin".encode(), f"{key}-bin") for key in _SAID)
_RAW_KEYS = frozenset(raw for raw, _ in (*_KEYS, *_BINARY_KEYS))


def said_in(headers: Mapping[bytes, bytes]) -> Said:
    """What a caller says about itself, as gRPC's metadata would hold it. Headers may be UTF-8; ``-bin`` is base64, as in gRPC."""
    found: Said = []
    if headers.keys().isdisjoint(_RAW_KEYS):
        return found
    for raw, key in _KEYS:
        if raw in headers:
            value = headers[raw]
            found.append((key, value.decode() if value.isascii() else value))
    for raw, key in _BINARY_KEYS:
        if raw in headers:
            found.append((key, _unpacked(headers[raw])))
    return found


def remaining_s(headers: Mapping[bytes, bytes]) -> float | None:
    """How long the caller will wait; None when it does not say. Raises BadRequest."""
    said = headers.get(b"connect-timeout-ms")
    if said is None:
        return None
    if not said.isdigit() or len(said) > 10 or not int(said):
        raise BadRequest("connect-timeout-ms is not a whole number above 0 of at most ten digits")
    return int(said) / 1000


async def within(timeout_s: float, work: Awaitable[T]) -> T:
    """What ``work`` gives, cancelled after a time. Raises TooSlow."""
    try:
        return await asyncio.wait_for(work, timeout_s)
    except asyncio.TimeoutError:
        raise TooSlow("the call was not done within connect-timeout-ms") from None


def _unpacked(value: bytes) -> bytes:
    try:
        return base64.b64decode(value + b"=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return b""
