"""The one writer: a thread that takes all waiting mutations into one transaction, and answers them when it is durable.

So one sync serves all that wait, and nothing ever finds the database locked. A mutation that raises leaves the rest of its group as
it is. When the changes of a group cannot be applied or committed, the group is rolled back and its members run one by one, so that
only the guilty one fails.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import apsw

from memslot_sidecar.errors import StoreUnavailable
from memslot_sidecar.model import FeedRecord
from memslot_sidecar.stores.base import Decide
from memslot_sidecar.stores.clock import MonotoneClock
from memslot_sidecar.stores.sqlite.checkpoints import Checkpoints
from memslot_sidecar.stores.sqlite.failures import failure
from memslot_sidecar.stores.sqlite.group import GroupRows, State
from memslot_sidecar.stores.sqlite.work import Alone, Chore, Committed, Mutation, Outcome, Work
from memslot_sidecar.stores.unit_of_work import BufferedTransaction

T = TypeVar("T")

_GROUP_LIMIT = 256


class Writer:
    """Owns the connection that writes. ``deliver`` is called in the loop's thread, once a commit, in order."""

    def __init__(
        self, connection: apsw.Connection, clock: Callable[[], int], deliver: Callable[[Committed], None]
    ) -> None:
        self._connection = connection
        self._rows = GroupRows(connection)
        self._clock = MonotoneClock(clock)
        self._clock.committed(self._rows.state.time_ms)
        self._checkpoints = Checkpoints(connection)
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Work] = []
        self._ready = threading.Condition()
        self._handed: list[Work] = []
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="memslot-writer", daemon=True)

    def start(self) -> State:
        """Starts the thread; answers where the store stands."""
        state = self._rows.state
        self._thread.start()
        return state

    def mutate(self, decide: Decide[T]) -> asyncio.Future[T]:
        """Queues a mutation."""
        return self._submit(Mutation(decide, self._loop.create_future()))

    def chore(self, run: Callable[[GroupRows], T]) -> asyncio.Future[T]:
        """Queues work on the rows that takes no revision."""
        return self._submit(Chore(run, self._loop.create_future()))

    def alone(self, run: Callable[[apsw.Connection], T]) -> asyncio.Future[T]:
        """Queues work outside of any transaction; what was queued before it is done before it."""
        return self._submit(Alone(run, self._loop.create_future()))

    async def close(self) -> None:
        """Finishes what was queued and ends the thread; idempotent."""
        self._hand_over(closing=True)
        await self._loop.run_in_executor(None, self._thread.join)

    def _submit(self, work: Work) -> asyncio.Future[Any]:
        if self._closing:
            raise StoreUnavailable("the store is shutting down: repeat the call", retry_after_ms=1000)
        if not self._waiting:
            self._loop.call_soon(self._hand_over)
        self._waiting.append(work)
        return work.answer

    def _hand_over(self, *, closing: bool = False) -> None:
        """Gives the thread in one piece what this turn of the loop brought."""
        with self._ready:
            self._handed += self._waiting
            self._closing = self._closing or closing
            self._ready.notify()
        self._waiting.clear()

    def _run(self) -> None:
        while True:
            with self._ready:
                while not (self._handed or self._closing):
                    self._ready.wait()
                handed, self._handed = self._handed, []
            if not handed:
                return
            self._work(handed)
            self._checkpoints.after_commit()

    def _work(self, handed: list[Work]) -> None:
        group: list[Mutation | Chore] = []
        for work in handed:
            if isinstance(work, Alone):
                self._commit(group)
                group = []
                self._exclusively(work)
                continue
            group.append(work)
            if len(group) == _GROUP_LIMIT:
                self._commit(group)
                group = []
        self._commit(group)

    def _commit(self, group: list[Mutation | Chore]) -> None:
        if not group:
            return
        try:
            committed = self._attempt(group)
        except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
            self._roll_back()
            if len(group) > 1:
                for work in group:
                    self._commit([work])
                return
            self._checkpoints.note(error)
            committed = Committed(self._rows.state, [Outcome(group[0].answer, error=failure(error))])
        self._loop.call_soon_threadsafe(self._deliver, committed)

    def _attempt(self, group: list[Mutation | Chore]) -> Committed:
        rows, now_ms = self._rows, self._clock.now_ms()
        outcomes: list[Outcome] = []
        feed: list[FeedRecord] = []
        touched: set[tuple[str, str]] = set()
        erase = False
        self._connection.execute("BEGIN IMMEDIATE")
        for work in group:
            if isinstance(work, Chore):
                outcomes.append(Outcome(work.answer, work.run(rows)))
                continue
            tx = BufferedTransaction(rows, now_ms, rows.state.revision)
            try:
                result = work.decide(tx)
                changes = tx.finish()
            except apsw.Error:
                raise
            except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
                outcomes.append(Outcome(work.answer, error=error))
                continue
            erase = erase or changes.erase
            if not changes.empty:
                rows.apply(changes)
                feed += changes.feed
                touched.update((change.record.namespace, change.record.name) for change in changes.slots)
            outcomes.append(Outcome(work.answer, result))
        self._end(now_ms)
        return Committed(rows.state, outcomes, feed, touched, erase)

    def _end(self, now_ms: int) -> None:
        if self._rows.dirty:
            self._rows.flush(now_ms)
            self._connection.execute("COMMIT")
            self._rows.committed()
            self._clock.committed(now_ms)
        else:
            self._connection.execute("ROLLBACK")

    def _roll_back(self) -> None:
        self._rows.forget()
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except apsw.Error as error:
                self._checkpoints.note(error)

    def _exclusively(self, work: Alone) -> None:
        try:
            outcome = Outcome(work.answer, work.run(self._connection))
        except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
            outcome = Outcome(work.answer, error=failure(error))
        self._loop.call_soon_threadsafe(self._deliver, Committed(self._rows.state, [outcome]))
