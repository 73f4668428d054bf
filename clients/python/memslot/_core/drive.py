"""The two drivers: they perform what a core function asks for, one with blocking calls, one with awaits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

from memslot._core.steps import Effect, Emit, Flow, Steps
from memslot.errors import MemslotError

T = TypeVar("T")


class Transport(Protocol):
    """A way to a sidecar."""

    def perform(self, effect: Effect) -> Any:
        """Perform one effect and return its answer. Raises MemslotError."""

    def close(self) -> None:
        """Let go of the connection; idempotent."""


class AsyncTransport(Protocol):
    """A way to a sidecar from an event loop."""

    async def perform(self, effect: Effect) -> Any:
        """Perform one effect and return its answer. Raises MemslotError."""

    async def close(self) -> None:
        """Let go of the connection; idempotent."""


def run(steps: Steps[T], transport: Transport) -> T:
    """Drive a call to its result."""
    advance = partial(next, steps)
    while True:
        try:
            effect = advance()
        except StopIteration as stop:
            result: T = stop.value
            return result
        try:
            answer = transport.perform(effect)
        except MemslotError as error:
            advance = partial(steps.throw, error)
        else:
            advance = partial(steps.send, answer)


def iterate(flow: Flow[T], transport: Transport) -> Iterator[T]:
    """Drive a call that hands out items; nothing is called before the first item is asked for."""
    advance = partial(next, flow)
    while True:
        try:
            effect = advance()
        except StopIteration:
            return
        if isinstance(effect, Emit):
            yield from effect.items
            advance = partial(next, flow)
            continue
        try:
            answer = transport.perform(effect)
        except MemslotError as error:
            advance = partial(flow.throw, error)
        else:
            advance = partial(flow.send, answer)


async def run_async(steps: Steps[T], transport: AsyncTransport) -> T:
    """Drive a call to its result."""
    advance = partial(next, steps)
    while True:
        try:
            effect = advance()
        except StopIteration as stop:
            result: T = stop.value
            return result
        try:
            answer = await transport.perform(effect)
        except MemslotError as error:
            advance = partial(steps.throw, error)
        else:
            advance = partial(steps.send, answer)


async def iterate_async(flow: Flow[T], transport: AsyncTransport) -> AsyncIterator[T]:
    """Drive a call that hands out items; nothing is called before the first item is asked for."""
    advance = partial(next, flow)
    while True:
        try:
            effect = advance()
        except StopIteration:
            return
        if isinstance(effect, Emit):
            for item in effect.items:
                yield item
            advance = partial(next, flow)
            continue
        try:
            answer = await transport.perform(effect)
        except MemslotError as error:
            advance = partial(flow.throw, error)
        else:
            advance = partial(flow.send, answer)
