"""The books of a run: each of its model calls as a turn, with all that memslot would put into its prompt.

Prompts begin with the prompt card, and the schemas are sent as tools. A result is an injection in the calls that see it, and a
receipt after them. All of it happens in a store of its own, in this process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import memslot
from memslot_sidecar.replay.keeping import raise_limits
from memslot_sidecar.replay.messages import Message
from memslot_sidecar.replay.plan import KeptResult, Plan

TURNS_REPORTED = 1000
_DELIMITERS = 2_000
"""Characters that may stand around a body where it is shown, and in front of what must be escaped in it."""


@dataclass(frozen=True, slots=True)
class BookedResult:
    """A result in its slot: calls from ``hidden_from`` on see its receipt, the message that stands in its place."""

    slot: str
    characters: int
    hidden_from: int
    receipt: dict[str, Any]


class Books:
    """Keeps the books of runs, one after the other, with tokens counted by ``token_counter`` (empty: the default one)."""

    def __init__(self, memory: memslot.Memory, token_counter: str) -> None:
        self._memory = memory
        self._counter = token_counter

    def of(self, plan: Plan, visible_calls: int) -> memslot.TokenReport:
        """The report on a run, of at most its last 1000 calls. Raises MemslotError."""
        there = self._memory.namespace(plan.namespace)
        raise_limits(there, plan)
        tools = there.tool_schemas()
        results = {result.position: result for result in plan.results}
        history: list[dict[str, Any] | BookedResult] = []
        calls = 0
        for position, message in enumerate(plan.run.messages):
            if message.is_model_call:
                with there.turn(str(calls + 1)):
                    self._book(there, _sent(there, history, calls), tools, message)
                calls += 1
            if position in results:
                history.append(_stored(there, results[position], message, calls + visible_calls))
            else:
                history.append(_plain(message))
        return there.token_report(limit=TURNS_REPORTED)

    def _book(self, there: memslot.Memory, messages: Sequence[Any], tools: Sequence[Any], message: Message) -> None:
        prompt = there.prompt_card(with_schemas=True).around(messages)
        output = message.text + "".join(call.function + call.arguments for call in message.tool_calls)
        there.record_turn(prompt, output, schemas=tools, token_counter=self._counter)


@contextmanager
def books(token_counter: str) -> Iterator[Books]:
    """Books in a store in RAM. Raises ImportError without the sidecar's packages."""
    with memslot.embedded(conversation="replay") as memory:
        yield Books(memory, token_counter)


def _sent(
    there: memslot.Memory, history: Sequence[dict[str, Any] | BookedResult], calls: int
) -> Sequence[Mapping[str, Any]]:
    """The history as the next call sees it."""
    return [one if isinstance(one, dict) else _shown(there, one, calls) for one in history]


def _shown(there: memslot.Memory, result: BookedResult, calls: int) -> Mapping[str, Any]:
    if result.hidden_from <= calls:
        return result.receipt
    shown = there.inject(result.slot, max_chars=2 * result.characters + _DELIMITERS)
    return {**result.receipt, "content": f"{result.receipt['content']}\n{shown}"}


def _stored(there: memslot.Memory, result: KeptResult, message: Message, hidden_from: int) -> BookedResult:
    """Stores a result as an action, so that the line that comes back counts as a receipt. Not in a turn of the model, which wrote none."""
    action = {"action": "mem_write", "slot": result.slot, "value": message.text, "description": result.description}
    acted = there.act(json.dumps(action), turn=f"stored-{result.position}")
    return BookedResult(result.slot, len(message.text), hidden_from, {**_plain(message), "content": acted.model_text})


def _plain(message: Message) -> dict[str, Any]:
    told: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        told["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        told["tool_call_id"] = message.tool_call_id
    return told
