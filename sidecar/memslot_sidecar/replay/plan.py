"""What a replay does with one run: which tool result goes to which slot, and the line that stands in the history instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import memslot
from memslot_sidecar import names
from memslot_sidecar.errors import InvalidName
from memslot_sidecar.operations.metadata import DESCRIPTION_LIMIT_CHARACTERS
from memslot_sidecar.replay.messages import Message, Run, ToolCall
from memslot_sidecar.replay.traces import TraceError


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A tool result that is kept in a slot. ``position`` is its message's, from 0; ``model_call`` that of the call that asked, from 1."""

    position: int
    slot: str
    body: bytes
    content_type: str
    description: str
    model_call: int

    @property
    def receipt(self) -> str:
        """The line that the model sees in place of the result."""
        return f"stored {self.slot} ({len(self.body)} bytes)"


@dataclass(frozen=True, slots=True)
class Plan:
    """One run, the namespace of its own, and its tool results in order."""

    run: Run
    namespace: str
    results: Sequence[KeptResult]

    @property
    def largest_body_bytes(self) -> int:
        """Size of the largest result; 0 when there is none."""
        return max((len(result.body) for result in self.results), default=0)


def plan_run(run: Run, parent: str) -> Plan:
    """The plan of a run, in the namespace ``parent/<trace_id>``. Raises TraceError for a trace_id that is too long for a namespace."""
    try:
        namespace = f"{parent}/{memslot.namespace(run.trace_id)}"
    except ValueError as error:
        raise TraceError(f"{run.where or 'the file'}: trace_id cannot name a namespace: {error}") from None
    results: list[KeptResult] = []
    asked: dict[str, ToolCall] = {}
    model_calls = 0
    for position, message in enumerate(run.messages):
        model_calls += message.is_model_call
        asked.update((call.id, call) for call in message.tool_calls)
        if message.is_tool_result:
            call = asked.get(message.tool_call_id, ToolCall("", message.name or "result", ""))
            results.append(_kept(message, position, call, len(results) + 1, model_calls))
    return Plan(run, namespace, results)


def _kept(message: Message, position: int, call: ToolCall, number: int, model_call: int) -> KeptResult:
    body, content_type = _body(message.text)
    return KeptResult(
        position=position,
        slot=_slot(message.name or call.function, number),
        body=body,
        content_type=content_type,
        description=_one_line(f"result of {call.function} {call.arguments}"),
        model_call=model_call,
    )


def _slot(function: str, number: int) -> str:
    """``get_order-3``: the function, and the how-manieth result of the run."""
    try:
        return names.slot_name(f"{function}-{number}")
    except InvalidName:
        return f"result-{number}"


def _body(text: str) -> tuple[bytes, str]:
    try:
        return text.encode(), "text/plain"
    except UnicodeEncodeError:
        # JSON can carry half a surrogate pair, which is no text.
        return text.encode("utf-8", "surrogatepass"), "application/octet-stream"


def _one_line(text: str) -> str:
    shown = "".join(character if character.isprintable() else " " for character in text)
    shown = " ".join(shown.split())
    return shown if len(shown) <= DESCRIPTION_LIMIT_CHARACTERS else shown[: DESCRIPTION_LIMIT_CHARACTERS - 1] + "…"
