"""What a closed client says of a call that comes too late, or was under way."""

from __future__ import annotations

import asyncio

from memslot.errors import ClientClosed

_REMEDY = "open a new one with memslot.connect or memslot.embedded"


def closed() -> ClientClosed:
    """Return the exception for a call on a closed client: nothing was sent."""
    return ClientClosed(f"the client is closed: {_REMEDY}")


def closed_under_way() -> ClientClosed:
    """Return the exception for a call that closing cut off, which the server may have received."""
    error = ClientClosed(f"the client was closed while the call was under way: {_REMEDY}")
    error._sent = True
    return error


def cancelled_by_caller() -> bool:
    """Whether somebody cancelled the present task. Python 3.10 cannot tell, and a cancellation must not be lost."""
    cancelling = getattr(asyncio.current_task(), "cancelling", None)
    return cancelling is None or cancelling() > 0
