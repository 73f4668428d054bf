"""Passes that wipe freed bytes: one at a time, shared by all who wait, and tried again by themselves after a failure."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence

from memslot_sidecar.errors import ErasePending, MemslotError
from memslot_sidecar.explaining import explained
from memslot_sidecar.stores.base import Wipe

FIRST_RETRY_S = 1.0
LAST_RETRY_S = 60.0

_log = logging.getLogger(__name__)


class Passes(ABC):
    """The passes over one store; a backend says how one wipes the store's own files.

    ``pending`` is the revision of a request that was not served before the start, ``before`` what each pass awaits first: it
    serves requests that were committed before it began, so that what is derived from the store is wiped for each of them.
    """

    def __init__(self, pending: int = 0, before: Sequence[Wipe] = ()) -> None:
        self._pending = pending
        self._before = before
        self._current: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._retry_s = FIRST_RETRY_S
        self._closed = False

    @abstractmethod
    async def wipe_store(self, asked: int) -> None:
        """Wipes the store's own files, and notes that requests up to the revision ``asked`` are served. Raises MemslotError, OSError."""

    @property
    def pending(self) -> bool:
        """Whether freed bytes wait to be wiped."""
        return self._pending > 0

    def start(self) -> None:
        """Lets passes begin, and begins one if a request waits."""
        self._closed = False
        if self._pending:
            self.resume()

    def requested(self, revision: int) -> None:
        """Notes that a commit asked for a pass."""
        self._pending = revision

    def resume(self) -> None:
        """Starts a pass that nobody waits for."""
        if not self._closed and self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._pass())
            self._next.add_done_callback(_seen)

    async def erase(self) -> None:
        """Answers when a pass that began after the call is done. Raises ErasePending."""
        self.resume()
        if self._next is None:
            raise still_pending("the store is shutting down")
        await asyncio.shield(self._next)

    async def close(self) -> None:
        """Lets a pass that runs come to its end, and starts no other."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
        running = [task for task in (self._current, self._next) if task is not None]
        if running:
            await asyncio.wait(running)

    async def _pass(self) -> None:
        if self._current is not None:
            await asyncio.wait([self._current])
        self._current, self._next = self._next, None
        asked = self._pending
        try:
            await self._wipe_derived()
            await self.wipe_store(asked)
        except (MemslotError, OSError) as error:
            self._retry_later()
            raise error if isinstance(error, ErasePending) else still_pending("the store's files are busy") from error
        finally:
            self._current = None
        self._retry_s = FIRST_RETRY_S
        if self._pending <= asked:
            self._pending = 0

    async def _wipe_derived(self) -> None:
        for wipe in self._before:
            try:
                await wipe()
            except Exception as error:  # a supervisor: the pass is tried again
                _log.warning("what is derived from the store cannot be wiped: %s", explained(error))
                raise still_pending("what was derived from them could not be wiped") from error

    def _retry_later(self) -> None:
        if self._closed:
            return
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(self._retry_s, self.resume)
        self._retry_s = min(self._retry_s * 2, LAST_RETRY_S)


def still_pending(why: str) -> ErasePending:
    """The error of a pass that has to be tried again."""
    return ErasePending(
        f"the slots are forgotten, but {why}: wiping their bytes goes on by itself",
        retry_after_ms=int(FIRST_RETRY_S * 1000),
    )


def _seen(task: asyncio.Task[None]) -> None:
    """A failure was told to whoever waited, and is tried again anyway."""
    if not task.cancelled():
        task.exception()
