"""What a core function asks of its driver.

A core function is a generator: it yields effects, receives their answers (or their errors, thrown into it), and returns its result.
It does no I/O, so one copy of it serves the sync and the async client.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from memslot._core.methods import AnyMethod

T = TypeVar("T")
Metadata = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Call a unary RPC; the answer is its reply. ``timeout_s`` None waits without bound."""

    method: AnyMethod
    request: Message = field(repr=False)
    metadata: Metadata
    timeout_s: float | None


@dataclass(frozen=True, slots=True)
class Receive:
    """Call a server-streaming RPC and give each message to ``consume``, in order and one at a time, perhaps in another thread."""

    method: AnyMethod
    request: Message = field(repr=False)
    metadata: Metadata
    timeout_s: float | None
    consume: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Emit(Generic[T]):
    """Hand out items of a sequence that is still being made."""

    items: Sequence[T] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Scoped(Generic[T]):
    """What a ``with`` block is given, and what is done when it ends, however it ends."""

    value: T
    leave: Callable[[], None]


Effect = Ask | Receive | Pause
Steps = Generator[Effect, Any, T]
"""A call that returns a T."""
Flow = Generator[Effect | Emit[T], Any, None]
"""A call that yields any number of T."""
