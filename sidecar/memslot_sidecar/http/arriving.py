"""A request's body on its way in: whole, unpacked, and no larger than it may be."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from memslot_sidecar.http.refusals import BadRequest, Gone, MessageTooLarge, UnknownEncoding

Receive = Callable[[], Awaitable[dict[str, Any]]]

_GZIP_WINDOW = 31
_PATIENCE = 4
"""So many times the limit is taken in and thrown away, so that the sender of too much reads why, and not of a broken connection."""


async def body_of(receive: Receive, headers: Mapping[bytes, bytes], limit_bytes: int) -> bytes:
    """The body. Raises MessageTooLarge, BadRequest, UnknownEncoding, and Gone when the rest does not come."""
    raw = await _received(receive, limit_bytes)
    encoding = headers.get(b"content-encoding", b"identity").strip().lower()
    if encoding == b"identity":
        return raw
    if encoding != b"gzip":
        raise UnknownEncoding(
            "the body's content-encoding is not known here: send gzip or none", (b"accept-encoding", b"gzip")
        )
    # In a thread, since few bytes may hold many; the library lets others run meanwhile.
    return await asyncio.to_thread(_unzipped, raw, limit_bytes)


async def _received(receive: Receive, limit_bytes: int) -> bytes:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        size += len(message["body"])
        if size <= limit_bytes:
            parts.append(message["body"])
        elif size > _PATIENCE * limit_bytes:
            raise too_large(limit_bytes, (b"connection", b"close"))
        if not message["more_body"]:
            break
    if size > limit_bytes:
        raise too_large(limit_bytes)
    return b"".join(parts)


def too_large(limit_bytes: int, *headers: tuple[bytes, bytes]) -> MessageTooLarge:
    """The refusal of what is larger than a number of bytes."""
    return MessageTooLarge(
        f"the message is larger than {limit_bytes} bytes, which is what this server takes: split it", *headers
    )


def _unzipped(raw: bytes, limit_bytes: int) -> bytes:
    """What a gzip holds; stops at the limit, whatever it promises."""
    unzip = zlib.decompressobj(_GZIP_WINDOW)
    try:
        whole = unzip.decompress(raw, limit_bytes + 1)
    except zlib.error:
        raise BadRequest("the body is not gzip, as its content-encoding says") from None
    if len(whole) > limit_bytes:
        raise too_large(limit_bytes)
    if not unzip.eof or unzip.unused_data:
        raise BadRequest("the body is no whole gzip, or has something behind it")
    return whole
