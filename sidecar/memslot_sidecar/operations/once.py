"""Request ids: a mutation that is repeated answers as it did the first time, and changes nothing.

The answer is kept in the mutation's own transaction, for ten minutes and through a crash, with a keyed digest of the request instead of
the request, so that no body (nor an unkeyed hash of one) outlives its slot there.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, RequestIdReused
from memslot_sidecar.model import StoredAnswer
from memslot_sidecar.stores.base import Store, Transaction

KEPT_MS = 600_000
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


@dataclass(slots=True)
class Once:
    """A request that may come again. ``content`` is its serialised form without the id; ``encode`` serialises its answer.

    ``reply`` is the serialised answer, once there is one.
    """

    request_id: str
    content: bytes
    encode: Callable[[Any], bytes]
    reply: bytes = b""

    def __post_init__(self) -> None:
        # Not uuid.UUID, which takes any number of hyphens: the id is kept with the answer and in the change feed.
        if not _UUID.fullmatch(self.request_id):
            raise InvalidField(
                "request_id is not a UUID: send 36 characters such as 6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11, or leave it out",
                field="request_id",
            )

    def recall(self, tx: Transaction, store: Store, call: Call) -> Repeated | None:
        """The first answer, if there was one. Raises RequestIdReused when the id came with other content."""
        kept = tx.answer(call.caller.id, self.request_id)
        if kept is None:
            return None
        if kept.method != call.operation or kept.digest != self._digest(store):
            raise RequestIdReused(
                f"request_id {self.request_id} was used for another request: make a new id for each call",
                field="request_id",
            )
        return Repeated(kept.reply)

    def keep(self, tx: Transaction, store: Store, call: Call, result: Any) -> None:
        """Keeps the answer with the transaction."""
        self.reply = self.encode(result)
        tx.keep_answer(
            StoredAnswer(
                caller=call.caller.id,
                request_id=self.request_id,
                method=call.operation,
                digest=self._digest(store),
                reply=self.reply,
                expire_ms=tx.now_ms + KEPT_MS,
            )
        )

    def _digest(self, store: Store) -> bytes:
        return hashlib.blake2b(self.content, key=store.digest_key[:64], digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Repeated:
    """The serialised first answer to a request that came again."""

    reply: bytes


class InFlight:
    """Lets the repeat of a request that takes several transactions wait for the first to end."""

    def __init__(self) -> None:
        self._entered: dict[tuple[str, str], _Entered] = {}

    @asynccontextmanager
    async def alone(self, call: Call, once: Once | None) -> AsyncIterator[None]:
        """Holds off other calls of the same caller with the same request id."""
        if once is None:
            yield
            return
        key = (call.caller.id, once.request_id)
        entered = self._entered.setdefault(key, _Entered())
        entered.calls += 1
        try:
            async with entered.lock:
                yield
        finally:
            entered.calls -= 1
            if not entered.calls:
                del self._entered[key]


@dataclass(slots=True)
class _Entered:
    """How many calls of one id are here, the waiting ones included."""

    calls: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
