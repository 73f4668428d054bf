"""Operations that are made for a call, each with an audit event and a count of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from memslot_sidecar.call import Call

T = TypeVar("T")
Work = Callable[[Call], Awaitable[T]]
Handler = Callable[[Any, Call], Awaitable[Any]]
Wrap = Callable[[str, Handler], Handler]
"""Puts around a handler of ``Service/Method`` what is around every call."""
OPERATIONS = ("Write", "Read", "Forget", "Lookup", "Search")


class Inner:
    """Runs operations of SlotService for another call. ``wrap`` is what every call from outside is wrapped in too."""

    def __init__(self, wrap: Wrap) -> None:
        self._handlers = {name: wrap(f"SlotService/{name}", _work) for name in OPERATIONS}

    async def run(self, call: Call, work: Work[T]) -> T:
        """What ``work`` gives for ``call``, which one of OPERATIONS names. Raises what it raises."""
        result: T = await self._handlers[call.operation](work, call)
        return result


def unwrapped(_method: str, handler: Handler) -> Handler:
    """Nothing around a handler."""
    return handler


async def _work(work: Work[Any], call: Call) -> Any:
    return await work(call)
