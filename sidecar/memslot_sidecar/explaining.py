"""What may be told of an exception: its text might quote a body, so that only the texts of errors which are known not to are told.

Our own code logs exceptions in this form. Whoever embeds the store has a log of their own, which would tell everything of an ``exc_info``.
"""

from __future__ import annotations

import asyncio
import traceback

from memslot_sidecar.errors import MemslotError, StartupError

_HARMLESS = (MemslotError, StartupError, OSError, asyncio.TimeoutError)
_FRAMES = 25


def explained(error: BaseException) -> str:
    """Types, places and harmless texts of an exception and those that led to it, the first one first."""
    told: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        told.append(_one(current))
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\nled to\n".join(reversed(told))


def _one(error: BaseException) -> str:
    kind = type(error)
    text = f": {error}" if isinstance(error, _HARMLESS) else ""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join([f"{kind.__module__}.{kind.__qualname__}{text}", *places])
