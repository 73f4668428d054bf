"""Writing the results of a run to slots of a namespace of its own, through the client, and reading them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import memslot
from memslot_sidecar.replay.plan import Plan


class NotKept(Exception):
    """A slot did not read back as it was written."""


@dataclass(frozen=True, slots=True)
class RaisedLimit:
    """A setting of the run's namespace that had to be raised, by its name in the contract."""

    setting: str
    before: int
    after: int


def keep_results(memory: memslot.Memory, plan: Plan, done: Callable[[], object]) -> Sequence[RaisedLimit]:
    """Writes each result to its slot and reads all back; tells which limits it raised. ``done`` is called after each write.

    Raises NotKept and :class:`memslot.MemslotError`, among them SettingAboveCap where the server does not allow what the run needs.
    """
    if not plan.results:
        return []
    there = memory.namespace(plan.namespace)
    raised = raise_limits(there, plan)
    for result in plan.results:
        with there.turn(str(result.model_call)):
            there.write(
                result.slot,
                result.body,
                content_type=result.content_type,
                description=result.description,
                tags=["tool-result"],
                origin=memslot.Origin.TOOL,
            )
        done()
    _compare(there, plan)
    return raised


def raise_limits(there: memslot.Memory, plan: Plan) -> Sequence[RaisedLimit]:
    """Raises limits of the run's namespace where its results need it; tells which."""
    namespace = there.namespaces.update()
    slots = {result.slot for result in plan.results}
    if namespace.slot_count:
        slots.update(entry.name for entry in there.lookup())
    limits = namespace.effective_settings
    needed = [
        ("slot_limit", limits.slot_limit, len(slots)),
        ("body_limit_bytes", limits.body_limit_bytes, plan.largest_body_bytes),
    ]
    raised = [
        RaisedLimit(setting, limit, need) for setting, limit, need in needed if limit is not None and limit < need
    ]
    if raised:
        after = {limit.setting: limit.after for limit in raised}
        there.namespaces.update(slot_limit=after.get("slot_limit"), body_limit_bytes=after.get("body_limit_bytes"))
    return raised


def _compare(there: memslot.Memory, plan: Plan) -> None:
    found = there.read_many(result.slot for result in plan.results)
    for result in plan.results:
        if result.slot not in found:
            raise NotKept(f"slot '{result.slot}' in '{plan.namespace}' was written and is not there any more")
        if found[result.slot].body != result.body:
            raise NotKept(
                f"slot '{result.slot}' in '{plan.namespace}' does not hold what was written: does anybody else write there?"
            )
