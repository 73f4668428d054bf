"""The answer to a mutation, which whoever waits for it cannot take back."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


class Answer(asyncio.Future[T]):
    """A future that stays when its waiter is cancelled: the waiter is told so only when the mutation has ended.

    (A task that is cancelled asks the future it waits for; one that declines is waited for, and then the task is cancelled.)
    """

    def cancel(self, msg: Any = None) -> bool:  # noqa: ARG002 - the signature of a future
        """Declines."""
        return False
