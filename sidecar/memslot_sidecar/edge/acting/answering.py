"""Answers to call ids, in the form of the provider that asked: hosted APIs refuse a call that stays unanswered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memslot_sidecar.parsing import Reply


@dataclass(frozen=True, slots=True)
class Told:
    """A receipt, the call it answers, and whether it tells of a failure."""

    call_id: str
    line: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One message, as JSON. ``form`` is ``openai``, ``anthropic``, or empty."""

    call_id: str
    form: str
    message_json: str


def answers(replies: Iterable[Reply], told: Iterable[Told], otherwise: str) -> Sequence[Answer]:
    """One answer for each call id, with all lines of that call; ``otherwise`` where there is none."""
    by_id: dict[str, list[Told]] = {}
    for one in told:
        by_id.setdefault(one.call_id, []).append(one)
    return [_answer(reply, by_id.get(reply.call_id, []), otherwise) for reply in replies]


def _answer(reply: Reply, told: Sequence[Told], otherwise: str) -> Answer:
    content = "\n".join(one.line for one in told) or otherwise
    if reply.form == "anthropic":
        message: dict[str, object] = {"type": "tool_result", "tool_use_id": reply.call_id, "content": content}
        if not told or any(one.failed for one in told):
            message["is_error"] = True
    else:
        message = {"role": "tool", "tool_call_id": reply.call_id, "content": content}
    form = reply.form if reply.form in ("openai", "anthropic") else ""
    return Answer(reply.call_id, form, json.dumps(message, ensure_ascii=False))
