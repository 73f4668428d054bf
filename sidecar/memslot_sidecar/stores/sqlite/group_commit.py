"""One transaction for many mutations: begin, decide and apply each, commit; and what happens when that fails.

A mutation that raises leaves the rest of its group as it is. When the changes of a group cannot be applied or committed, the group
is rolled back and its members run one by one, so that only the guilty one fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from memslot_sidecar.stores.changes import ChangeSet, SlotPut
from memslot_sidecar.stores.clock import MonotoneClock
from memslot_sidecar.stores.sqlite.checkpoints import Checkpoints
from memslot_sidecar.stores.sqlite.failures import failure
from memslot_sidecar.stores.sqlite.group import GroupRows, State, TooLong
from memslot_sidecar.stores.sqlite.work import Alone, Chore, Committed, Member, Outcome
from memslot_sidecar.stores.unit_of_work import BufferedTransaction

_STEPS = 64
_BODY_BYTES = 256 << 10


class GroupCommit:
    """Owns the connection that writes. Its methods may be called in any thread, but only one at a time."""

    def __init__(self, connection: apsw.Connection, clock: Callable[[], int]) -> None:
        self._connection = connection
        self._rows = GroupRows(connection)
        self._clock = MonotoneClock(clock)
        self._clock.committed(self._rows.state.time_ms)
        self.checkpoints = Checkpoints(connection)

    @property
    def state(self) -> State:
        """Where the store stands."""
        return self._rows.state

    @property
    def dirty(self) -> bool:
        """Whether a prepared group changed anything."""
        return self._rows.dirty

    def prepare(self, members: Sequence[Member], *, bounded: bool = True) -> Committed:
        """Begins a transaction and runs the members in it; nothing is durable yet. A ``bounded`` run leaves heavy members out.

        Raises apsw.Error, and whatever is wrong with the changes of a member: the group then has to be rolled back.
        """
        done = Committed(self._rows.state)
        now_ms = self._clock.now_ms()
        self._connection.execute("BEGIN IMMEDIATE")
        for member in members:
            self._rows.steps_left = _STEPS if bounded else None
            try:
                self._run(member, done, now_ms, bounded=bounded)
            except TooLong:
                done.heavy.append(member)
        if self._rows.dirty:
            self._rows.flush(now_ms)
        done.state = self._rows.state
        return done

    def commit(self) -> None:
        """Makes a prepared group durable. Raises apsw.Error."""
        if not self._rows.dirty:
            self._connection.execute("ROLLBACK")
            return
        self._connection.execute("COMMIT")
        self._rows.committed()
        self._clock.committed(self._rows.state.time_ms)

    def roll_back(self) -> None:
        """Undoes a prepared group, or what there is of it."""
        self._rows.forget()
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except apsw.Error as error:
                self.checkpoints.note(error)

    def settle(self, done: Committed, members: Sequence[Member]) -> Sequence[Committed]:
        """Commits a prepared group; if that fails, runs its members one by one."""
        try:
            self.commit()
        except apsw.Error:
            self.roll_back()
            return self.run([member for member in members if member not in done.heavy])
        return [done]

    def run(self, members: Sequence[Member]) -> Sequence[Committed]:
        """Runs members one by one, each in a transaction of its own, whatever it touches."""
        return [self._alone(member) for member in members]

    def exclusively(self, work: Alone) -> Sequence[Committed]:
        """Runs work outside of any transaction."""
        try:
            outcome = Outcome(work.answer, work.run(self._connection))
        except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
            outcome = Outcome(work.answer, error=failure(error))
        return [Committed(self._rows.state, [outcome])]

    def tidy(self) -> Sequence[Committed]:
        """Copies the log."""
        self.checkpoints.copy()
        return ()

    def _alone(self, member: Member) -> Committed:
        try:
            done = self.prepare([member], bounded=False)
            self.commit()
        except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
            self.roll_back()
            self.checkpoints.note(error)
            return Committed(self._rows.state, [Outcome(member.answer, error=failure(error))])
        return done

    def _run(self, member: Member, done: Committed, now_ms: int, *, bounded: bool) -> None:
        rows = self._rows
        if isinstance(member, Chore):
            done.outcomes.append(Outcome(member.answer, member.run(rows)))
            return
        tx = BufferedTransaction(rows, now_ms, rows.state.revision)
        try:
            result = member.decide(tx)
            changes = tx.finish()
        except apsw.Error:
            raise
        except Exception as error:  # noqa: BLE001 - a supervisor: handed to whoever waits
            done.outcomes.append(Outcome(member.answer, error=error))
            return
        if bounded and _body_bytes(changes) > _BODY_BYTES:
            raise TooLong
        rows.steps_left = None
        if not changes.empty:
            rows.apply(changes)
            done.feed += changes.feed
            done.touched.update((change.record.namespace, change.record.name) for change in changes.slots)
            done.erase = done.erase or changes.erase
        done.outcomes.append(Outcome(member.answer, result))


def _body_bytes(changes: ChangeSet) -> int:
    """How many bytes of bodies, and of what was sent with them, are written anew."""
    puts = [change for change in changes.slots if isinstance(change, SlotPut)]
    return sum(len(put.body or b"") + (put.record.supplied_bytes if put.supplied else 0) for put in puts)
