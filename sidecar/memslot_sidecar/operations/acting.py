"""Executing one action after the other, each as an operation of its own."""

from __future__ import annotations

import enum
import uuid
from dataclasses import dataclass

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.edge.acting.arguments import understood
from memslot_sidecar.edge.acting.found import FoundNames
from memslot_sidecar.edge.acting.lines import Lines
from memslot_sidecar.edge.acting.nearest import COMPARED, nearest
from memslot_sidecar.errors import ErasePending, InvalidName, MemslotError, RequestIdReused, SlotNotFound
from memslot_sidecar.model import Outcome, Receipt, StoredSlot
from memslot_sidecar.operations import kept
from memslot_sidecar.operations.acting_deeds import MODES, Doer
from memslot_sidecar.operations.acting_shown import Showing
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.inner import Inner
from memslot_sidecar.operations.once import Once
from memslot_sidecar.parsing import Action
from memslot_sidecar.stores.base import Query

_OPERATIONS = {
    "mem_write": "Write",
    "mem_append": "Write",
    "mem_patch": "Write",
    "mem_read": "Read",
    "mem_forget": "Forget",
    "mem_lookup": "Lookup",
    "mem_search": "Search",
}
_GUESSES_LIMIT = 20
"""For how many names of one output that are not there the nearest one is looked for."""


class ActionOutcome(enum.IntEnum):
    """How an action ended (values as in the contract)."""

    VALID = 1
    DONE = 2
    NOT_FOUND = 3
    REFUSED = 4


@dataclass(frozen=True, slots=True)
class Done:
    """One action and how it ended. ``name`` is the slot's, empty where the action has none that is fit to be told."""

    action: Action
    outcome: ActionOutcome
    line: str
    name: str = ""
    result: Receipt | StoredSlot | FoundNames | None = None
    error: MemslotError | None = None
    repeated: bool = False

    @property
    def failed(self) -> bool:
        """Whether it was refused."""
        return self.outcome is ActionOutcome.REFUSED

    @property
    def revision(self) -> int:
        """Of the slot that it wrote, read or forgot; 0 for none."""
        if isinstance(self.result, StoredSlot):
            return self.result.record.revision
        return self.result.revision if isinstance(self.result, Receipt) else 0


class Executor:
    """Executes the actions of one output, in the namespace and on behalf of the call that brought it."""

    def __init__(
        self,
        ctx: Context,
        call: Call,
        doer: Doer,
        lines: Lines,
        inner: Inner,
        once: Once | None,
        showing: Showing | None,
    ) -> None:
        self._ctx = ctx
        self._call = call
        self._path = call.namespace
        self._lines = lines
        self._doer = doer
        self._inner = inner
        self._once = once
        self._showing = showing
        self._mutations = 0
        self._guesses = 0

    async def executed(self, action: Action) -> Done:
        """Runs an action. What it raises is told in its line; only RequestIdReused is raised."""
        call = self._call.within(self._operation(action))
        once = self._next_once(action)

        async def work(call: Call) -> Receipt | StoredSlot | FoundNames:
            about(call, self._path)
            asked = understood(action.name, action.arguments)
            return await self._doer.do(asked, call, once)

        try:
            result = await self._inner.run(call, work)
        except RequestIdReused as error:
            raise self._reused(error) from None
        except ErasePending as error:
            outcome = Outcome.FORGOTTEN if call.repeated else Outcome[call.outcome]
            receipt = Receipt(call.names[0], outcome, call.revision)
            line = self._lines.forgotten(receipt, pending=True)
            return Done(action, ActionOutcome.DONE, line, receipt.name, receipt, error)
        except MemslotError as error:
            return await self._refused(action, call, error)
        return await self._done(action, call, result)

    def validated(self, action: Action) -> Done:
        """Checks all of an action that can be checked without executing it."""
        try:
            asked = understood(action.name, action.arguments)
            name = self._doer.checked(asked)
        except MemslotError as error:
            return self._failed(action, _shown_name(action), error)
        return Done(action, ActionOutcome.VALID, self._lines.valid(action.name, name), name)

    def _operation(self, action: Action) -> str:
        """What is done, as its audit event says."""
        searches_names = action.name == "mem_search" and self._doer.by_name
        return "Lookup" if searches_names else _OPERATIONS[action.name]

    def _next_once(self, action: Action) -> Once | None:
        """The request id of a mutation: the same one whenever the output is sent again under its own id."""
        if self._once is None or action.name not in (*MODES, "mem_forget"):
            return None
        derived = uuid.uuid5(uuid.UUID(self._once.request_id), str(self._mutations))
        self._mutations += 1
        return Once(str(derived), self._once.content, kept.encode)

    def _reused(self, error: RequestIdReused) -> RequestIdReused:
        """The same of the id that the caller sent."""
        if self._once is None:
            return error
        problem = f"request_id {self._once.request_id} was used for another request: make a new id for each call"
        return RequestIdReused(problem, field="request_id")

    async def _done(self, action: Action, call: Call, result: Receipt | StoredSlot | FoundNames) -> Done:
        match result:
            case Receipt():
                line = await self._receipt_line(action, result)
                return Done(action, ActionOutcome.DONE, line, result.name, result, repeated=call.repeated)
            case StoredSlot():
                name = result.record.name
                how = "read" if self._showing is None else await self._showing.show(result)
                line = self._lines.read(name, how)
                return Done(action, ActionOutcome.DONE, line, name, result)
            case FoundNames():
                line = self._lines.found_names(action.name, result)
                return Done(action, ActionOutcome.DONE, line, "", result)

    async def _receipt_line(self, action: Action, receipt: Receipt) -> str:
        if action.name != "mem_forget":
            return self._lines.stored(action.name, receipt)
        absent = receipt.outcome is Outcome.ABSENT
        return self._lines.forgotten(receipt, await self._nearest(receipt.name) if absent else "")

    async def _refused(self, action: Action, call: Call, error: MemslotError) -> Done:
        name = call.names[0] if call.names else _shown_name(action)
        guess = await self._nearest(name) if isinstance(error, SlotNotFound) else ""
        return self._failed(action, name, error, guess)

    def _failed(self, action: Action, name: str, error: MemslotError, guess: str = "") -> Done:
        outcome = ActionOutcome.NOT_FOUND if isinstance(error, SlotNotFound) else ActionOutcome.REFUSED
        line = self._lines.refused(action.name, name, error, guess)
        return Done(action, outcome, line, name, error=error)

    async def _nearest(self, name: str) -> str:
        self._guesses += 1
        if self._guesses > _GUESSES_LIMIT:
            return ""
        page = await self._ctx.store.lookup(Query(self._path, limit=COMPARED))
        return nearest(name, (item.name for item in page.items))


def _shown_name(action: Action) -> str:
    """The slot's name where it is one."""
    slot = action.arguments.get("slot")
    try:
        return names.slot_name(slot, "slot") if isinstance(slot, str) else ""
    except InvalidName:
        return ""
