"""How a core function becomes a method, sync or async, with its signature and docstring."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from memslot._core.binding import Binding
from memslot._core.drive import AsyncTransport, Transport, iterate, iterate_async, run, run_async
from memslot._core.steps import Flow, Scoped, Steps
from memslot.details import WriteDetails

P = ParamSpec("P")
T = TypeVar("T")
CallT = TypeVar("CallT", bound=Callable[..., Any])
_DETAILS = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation.__forward_arg__)
    for name, annotation in inspect.get_annotations(WriteDetails).items()
]


class Face(Protocol):
    """An object whose methods block."""

    _binding: Binding
    _transport: Transport


class AsyncFace(Protocol):
    """An object whose methods are awaited."""

    _binding: Binding
    _transport: AsyncTransport


def method(steps: Callable[Concatenate[Binding, P], Steps[T]]) -> Callable[Concatenate[Face, P], T]:
    """Return the blocking method for a call."""

    @wraps(steps)
    def call(self: Face, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return run(steps(self._binding, *args, **kwargs), self._transport)

    return _shown(call, steps)


def iterator(flow: Callable[Concatenate[Binding, P], Flow[T]]) -> Callable[Concatenate[Face, P], Iterator[T]]:
    """Return the method that iterates, calling as it goes."""

    @wraps(flow)
    def call(self: Face, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return iterate(flow(self._binding, *args, **kwargs), self._transport)

    return _shown(call, flow, "Iterator")


def scope(
    steps: Callable[Concatenate[Binding, P], Steps[Scoped[T]]],
) -> Callable[Concatenate[Face, P], AbstractContextManager[T]]:
    """Return the method for a ``with`` block, which calls when the block begins."""

    @wraps(steps)
    @contextmanager
    def call(self: Face, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        scoped = run(steps(self._binding, *args, **kwargs), self._transport)
        try:
            yield scoped.value
        finally:
            scoped.leave()

    return _shown(call, steps, "AbstractContextManager")


def async_method(
    steps: Callable[Concatenate[Binding, P], Steps[T]],
) -> Callable[Concatenate[AsyncFace, P], Coroutine[Any, Any, T]]:
    """Return the method to await for a call."""

    @wraps(steps)
    async def call(self: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await run_async(steps(self._binding, *args, **kwargs), self._transport)

    return _shown(call, steps)


def async_iterator(
    flow: Callable[Concatenate[Binding, P], Flow[T]],
) -> Callable[Concatenate[AsyncFace, P], AsyncIterator[T]]:
    """Return the method that iterates with ``async for``, calling as it goes."""

    @wraps(flow)
    def call(self: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        return iterate_async(flow(self._binding, *args, **kwargs), self._transport)

    return _shown(call, flow, "AsyncIterator")


def async_scope(
    steps: Callable[Concatenate[Binding, P], Steps[Scoped[T]]],
) -> Callable[Concatenate[AsyncFace, P], AbstractAsyncContextManager[T]]:
    """Return the method for an ``async with`` block, which calls when the block begins."""

    @wraps(steps)
    @asynccontextmanager
    async def call(self: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        scoped = await run_async(steps(self._binding, *args, **kwargs), self._transport)
        try:
            yield scoped.value
        finally:
            scoped.leave()

    return _shown(call, steps, "AbstractAsyncContextManager")


def _shown(call: CallT, core: Callable[..., Any], iterated: str = "") -> CallT:
    """Let ``help`` show the method as it is called: every keyword by name, and what comes out in place of the generator."""
    signature = inspect.signature(core)
    itself, *parameters = signature.parameters.values()
    if parameters[-1:] and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
        parameters[-1:] = _DETAILS
    result = str(signature.return_annotation).partition("[")[2][:-1].removeprefix("Scoped[")
    result = result.removesuffix("]") if iterated.endswith("Manager") else result
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[itself.replace(name="self", annotation=inspect.Parameter.empty), *parameters],
        return_annotation=f"{iterated}[{result}]" if iterated else result,
    )
    return call
