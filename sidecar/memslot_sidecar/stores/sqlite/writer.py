"""The one writer: takes all waiting mutations into one transaction, and answers them when it is durable.

So one sync serves all that wait, and nothing ever finds the database locked. Only one group is open at a time. Its statements run in
the event loop's thread, where they cost a quarter of what they do in a thread that fights for the interpreter with a busy loop; the
commit, which waits for the disk, runs in the writer's thread, and so does what touches many rows. After a group of several, the next
one waits a moment until as many have come again: their number is what makes a sync cheap.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

import apsw

from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.stores.answer import Answer
from memslot_sidecar.stores.base import Decide
from memslot_sidecar.stores.sqlite.group import GroupRows, State
from memslot_sidecar.stores.sqlite.group_commit import GroupCommit
from memslot_sidecar.stores.sqlite.work import Alone, Chore, Committed, Job, Member, Mutation, Work

T = TypeVar("T")

_GROUP_LIMIT = 128
_GATHER_S = 0.005
_IDLE_S = 2.0


class Writer:
    """Queues work on the connection that writes. ``deliver`` is called in the loop's thread, once a commit, in order."""

    def __init__(
        self, connection: apsw.Connection, clock: Callable[[], int], deliver: Callable[[Committed], None]
    ) -> None:
        self._group = GroupCommit(connection, clock)
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Work] = deque()
        self._busy = False
        self._closing = False
        self._wanted = 1
        self._gathering: asyncio.TimerHandle | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._drained: asyncio.Future[None] | None = None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="memslot-writer", daemon=True)

    def start(self) -> State:
        """Starts the thread; answers where the store stands."""
        self._thread.start()
        return self._group.state

    def mutate(self, decide: Decide[T]) -> Answer[T]:
        """Queues a mutation."""
        answer: Answer[T] = Answer(loop=self._loop)
        self._submit(Mutation(decide, answer))
        return answer

    def chore(self, run: Callable[[GroupRows], T], *, bulk: bool = False) -> asyncio.Future[T]:
        """Queues work on the rows that takes no revision."""
        return self._submit(Chore(run, self._loop.create_future(), bulk))

    def alone(self, run: Callable[[apsw.Connection], T]) -> asyncio.Future[T]:
        """Queues work outside of any transaction; what was queued before it is done before it."""
        return self._submit(Alone(run, self._loop.create_future()))

    async def close(self) -> None:
        """Finishes what was queued and ends the thread; idempotent."""
        self._closing = True
        if self._resting is not None:
            self._resting.cancel()
        if self._busy:
            drained = self._drained = self._drained or self._loop.create_future()
            if self._gathering is not None:
                self._gathering.cancel()
                self._next()
            await asyncio.shield(drained)
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)

    def _submit(self, work: Work) -> asyncio.Future[Any]:
        if self._closing:
            raise StoreUnavailable("the store is shutting down: repeat the call", retry_after_ms=1000)
        self._waiting.append(work)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._next)
        elif self._gathering is not None and len(self._waiting) >= self._wanted:
            self._gathering.cancel()
            self._gathering = None
            self._loop.call_soon(self._next)
        return work.answer

    def _next(self) -> None:
        """Starts what waits longest. Only called while nothing else is under way."""
        self._gathering = None
        if not self._waiting:
            self._rest()
            return
        first = self._waiting[0]
        if isinstance(first, Alone):
            self._waiting.popleft()
            self._jobs.put(partial(self._group.exclusively, first))
        elif first.bulk:
            self._waiting.popleft()
            self._jobs.put(partial(self._group.run, [first]))
        else:
            self._run_group(self._take_group())

    def _take_group(self) -> list[Member]:
        group: list[Member] = []
        while self._waiting and len(group) < _GROUP_LIMIT:
            work = self._waiting[0]
            if isinstance(work, Alone) or work.bulk:
                break
            group.append(work)
            self._waiting.popleft()
        return group

    def _run_group(self, group: list[Member]) -> None:
        try:
            done = self._group.prepare(group)
        except BaseException as error:  # The members run again, and each is told what is wrong with it.
            self._group.roll_back()
            self._jobs.put(partial(self._group.run, group))
            if not isinstance(error, Exception):
                raise
            return
        for member in reversed(done.heavy):
            member.bulk = True
            self._waiting.appendleft(member)
        if self._group.dirty:
            self._jobs.put(partial(self._group.settle, done, group))
        else:
            self._group.commit()
            self._finish([done])

    def _work(self) -> None:
        """The thread: one job after the other. Who waited is answered before the log is copied."""
        while (job := self._jobs.get()) is not None:
            committed = job()
            if not self._group.checkpoints.due:
                self._post(self._finish, committed)
                continue
            self._post(self._tell, committed)
            self._group.checkpoints.copy()
            self._post(self._finish, ())

    def _post(self, call: Callable[[Sequence[Committed]], None], committed: Sequence[Committed]) -> None:
        try:
            self._loop.call_soon_threadsafe(call, committed)
        except RuntimeError:
            return  # The loop ended without closing the store: nobody waits any more.

    def _tell(self, committed: Sequence[Committed]) -> None:
        for done in committed:
            self._deliver(done)

    def _finish(self, committed: Sequence[Committed]) -> None:
        self._tell(committed)
        served = sum(len(done.outcomes) for done in committed)
        if served > 1 and len(self._waiting) < served and not self._closing:
            self._wanted = served
            self._gathering = self._loop.call_later(_GATHER_S, self._next)
        else:
            self._loop.call_soon(self._next)

    def _rest(self) -> None:
        self._busy = False
        if self._drained is not None:
            self._drained.set_result(None)
            self._drained = None
        if self._group.checkpoints.behind and not self._closing:
            if self._resting is not None:
                self._resting.cancel()
            self._resting = self._loop.call_later(_IDLE_S, self._tidy)

    def _tidy(self) -> None:
        """Copies the log while nobody waits, so that a start after a crash has little to do."""
        if not self._busy and not self._closing:
            self._busy = True
            self._jobs.put(self._group.tidy)
