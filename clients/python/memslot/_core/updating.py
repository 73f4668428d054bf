"""Compare-and-set: read, decide, write if nobody came first."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from memslot import values
from memslot._core import slots, writing
from memslot._core.binding import Binding
from memslot._core.steps import Pause, Steps
from memslot.errors import RevisionMismatch, SlotExists, SlotNotFound
from memslot.expiry import Seconds
from memslot.results import Receipt, Slot
from memslot.values import Value

ATTEMPTS = 20
_FIRST_PAUSE_S = 0.005
_LONGEST_PAUSE_S = 0.5


class _Absent:
    """Says that a missing slot is an error."""


ABSENT: Final = _Absent()


def update(
    at: Binding,
    name: str,
    change: Callable[[Any], Value],
    *,
    initial: Any = ABSENT,
    attempts: int = ATTEMPTS,
    timeout: Seconds | None = None,
) -> Steps[Receipt]:
    """Replace a slot's value by ``change(value)``, and try anew when another writer came between.

    ``change`` gets the value as ``slot.value`` gives it and returns the new one; it may run several times, and must not block in the
    async client. The slot's content type stays where the new value fits it. A missing slot is created from ``change(initial)`` if
    ``initial`` is given. Pauses between attempts grow from 5 ms to 0.5 s, with jitter; ``timeout`` is for each call.

    Raises SlotNotFound, RevisionMismatch or SlotExists when ``attempts`` attempts all lost, and whatever ``change`` or ``write`` raise.
    """
    if attempts < 1:
        raise ValueError("update needs at least one attempt")
    for attempt in range(attempts):
        if attempt:
            yield Pause(random.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**attempt)))
        # Beside the write alone: what ``change`` raises is its own, also where it speaks of a revision.
        writing_it = yield from _decided(at, name, change, initial, timeout)
        try:
            return (yield from writing_it)
        except (RevisionMismatch, SlotExists):
            if attempt + 1 == attempts:
                raise
    raise AssertionError("the last attempt has returned or raised")


def _decided(
    at: Binding, name: str, change: Callable[[Any], Value], initial: Any, timeout: Seconds | None
) -> Steps[Steps[Receipt]]:
    """The write that is to be tried."""
    slot: Slot | None = None
    try:
        slot = yield from slots.read(at, name, timeout=timeout)
    except SlotNotFound:
        if initial is ABSENT:
            raise
    if slot is None:
        return writing.write(at, name, change(initial), if_absent=True, timeout=timeout)
    body, content_type = _encoded(change(slot.value), slot)
    return writing.write(at, name, body, content_type=content_type, if_revision=slot.revision, timeout=timeout)


def _encoded(value: Value, slot: Slot) -> tuple[bytes, str]:
    """The slot keeps its content type when the new value can be stored under it."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value), values.BINARY if values.media_type(slot.content_type).startswith(
            "text/"
        ) else slot.content_type
    if values.is_json(slot.content_type):
        return values.encode_json(value), slot.content_type
    body, content_type = values.encode(value)
    keeps = content_type == values.TEXT and values.media_type(slot.content_type).startswith("text/")
    return body, slot.content_type if keeps else content_type
