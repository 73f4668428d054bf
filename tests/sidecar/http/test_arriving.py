"""Bodies on their way in."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from memslot_sidecar.http.arriving import body_of
from memslot_sidecar.http.refusals import BadRequest, Gone, MessageTooLarge, UnknownEncoding

LIMIT = 1000
GZIP = {b"content-encoding": b"gzip"}


class Sender:
    """Sends parts, and counts those that were taken."""

    def __init__(self, parts: Sequence[bytes | None]) -> None:
        self.parts = list(parts)

    async def __call__(self) -> dict[str, Any]:
        """The next part; None is that the sender goes away."""
        part = self.parts.pop(0)
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": bool(self.parts)}


async def taken(*parts: bytes | None, headers: dict[bytes, bytes] | None = None) -> bytes:
    """The body of some parts."""
    return await body_of(Sender(parts), headers or {}, LIMIT)


async def test_a_body_is_put_together() -> None:
    """In one part or many, up to the limit, which it may just reach."""
    assert await taken(b"") == b""
    assert await taken(b"a" * 400, b"", b"b" * 600) == b"a" * 400 + b"b" * 600


@pytest.mark.parametrize("parts", [(b"a" * 1001,), (b"a" * 600, b"b" * 401), (b"a" * 600, b"b" * 601, b"c" * 700)])
async def test_too_much_is_taken_in_and_refused(parts: Sequence[bytes]) -> None:
    """Who sends somewhat too much reads why, since the rest is taken in; nothing of it is kept."""
    sender = Sender(parts)
    with pytest.raises(MessageTooLarge) as caught:
        await body_of(sender, {}, LIMIT)
    assert (sender.parts, caught.value.headers) == ([], ())


async def test_far_too_much_is_cut_off() -> None:
    """Nobody may send for ever: at four times the limit the connection ends."""
    sender = Sender([b"x" * 500] * 100)
    with pytest.raises(MessageTooLarge) as caught:
        await body_of(sender, {}, LIMIT)
    assert len(sender.parts) > 90
    assert caught.value.headers == ((b"connection", b"close"),)


async def test_a_sender_who_goes_away_is_noticed() -> None:
    """Half a body is none."""
    with pytest.raises(Gone):
        await taken(b"half", None)


async def test_gzip_is_undone_beside_the_loop() -> None:
    """Few bytes may hold many: nobody else waits until they are unpacked."""
    unpacking = asyncio.create_task(taken(gzip.compress(bytes(LIMIT)), headers=GZIP))
    await asyncio.sleep(0)
    assert not unpacking.done()
    assert await unpacking == bytes(LIMIT)


async def test_gzip_is_undone() -> None:
    """Connect clients may compress."""
    assert await taken(gzip.compress(b"body" * 100), headers=GZIP) == b"body" * 100


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (gzip.compress(bytes(50_000_000)), MessageTooLarge),
        (gzip.compress(b"x" * 1001), MessageTooLarge),
        (b"no gzip", BadRequest),
        (gzip.compress(b"body")[:-3], BadRequest),
        (gzip.compress(b"a") * 3, BadRequest),
        (gzip.compress(b"a") + b"tail", BadRequest),
        (zlib.compress(b"body"), BadRequest),
        (b"", BadRequest),
    ],
    # A gzip holds the time at which it was made, and workers must collect the same names.
    ids=["bomb", "larger", "no gzip", "cut", "three", "tail", "zlib", "empty"],
)
async def test_bombs_and_broken_gzip_are_refused(body: bytes, error: type[Exception]) -> None:
    """No more is unpacked than the limit, whatever a gzip promises; what is none, or has something behind it, is refused."""
    with pytest.raises(error):
        await body_of(Sender([body]), GZIP, 60_000 if len(body) > 1000 else LIMIT)


async def test_other_encodings_are_refused() -> None:
    """What is not understood is not taken for something else."""
    with pytest.raises(UnknownEncoding):
        await taken(b"x", headers={b"content-encoding": b"br"})
