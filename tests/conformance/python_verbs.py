"""The verbs of the idiomatic layer, as the Python client does them."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import memslot

Arguments = Mapping[str, Any]


class _Failed(Exception):
    """What goes wrong in the body of a task that shall fail."""


def _value(arguments: Arguments) -> Any:
    value = arguments["value"]
    return base64.b64decode(value) if arguments["kind"] == "bytes" else value


def _write(memory: memslot.Memory, arguments: Arguments) -> Any:
    details = {key: arguments[key] for key in ("description", "tags", "task_type", "if_absent") if key in arguments}
    if "ttl_ms" in arguments:
        details["ttl"] = int(arguments["ttl_ms"]) / 1000
    if "if_revision" in arguments:
        details["if_revision"] = int(arguments["if_revision"])
    receipt = memory.write(arguments["name"], _value(arguments), **details)
    return {
        "outcome": receipt.outcome.name,
        "name": receipt.name,
        "version": str(receipt.version),
        "revision": str(receipt.revision),
    }


def _read(memory: memslot.Memory, arguments: Arguments) -> Any:
    slot = memory.read(arguments["name"])
    value = slot.value
    kind = "bytes" if isinstance(value, bytes) else "text" if slot.content_type.startswith("text/") else "json"
    return {
        "kind": kind,
        "value": base64.b64encode(value).decode() if kind == "bytes" else value,
        "content_type": slot.content_type,
        "revision": str(slot.revision),
    }


def _append(memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"outcome": memory.append(arguments["name"], arguments["text"]).outcome.name}


def _patch(memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"outcome": memory.patch(arguments["name"], arguments["patch"]).outcome.name}


def _forget(memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"outcome": memory.forget(arguments["name"]).outcome.name}


def _update(memory: memslot.Memory, arguments: Arguments) -> Any:
    stored: list[Any] = []

    def appended(items: list[Any]) -> list[Any]:
        for other in arguments.get("also", ()):
            _write(memory, other)
        stored[:] = [*items, arguments["append"]]
        return stored

    memory.update(arguments["name"], appended, initial=[], attempts=100)
    return {"value": stored}


def _names(memory: memslot.Memory, arguments: Arguments) -> Any:
    order = memslot.Order[arguments.get("order", "RANK")]
    entries = memory.lookup(arguments.get("prefix", ""), order=order, page_size=arguments["page_size"])
    return {"names": [entry.name for entry in entries]}


def _search(memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"names": [hit.name for hit in memory.search(arguments["text"], limit=arguments["limit"])]}


def _act(memory: memslot.Memory, arguments: Arguments) -> Any:
    with memory.turn(arguments.get("turn", "")):
        acted = memory.act(arguments["output"], lenient=arguments.get("lenient", False))
    return {
        "actions": [
            {"action": action.action, "outcome": action.outcome.name, "slot": action.name} for action in acted.actions
        ],
        "model_text": acted.model_text,
        "user_text": acted.user_text,
    }


def _history(memory: memslot.Memory, arguments: Arguments) -> Any:
    output = arguments["output"]
    acted = memory.act(output, lenient=arguments.get("lenient", False))
    return {"messages": acted.history(arguments.get("said", output))}


def _inject(memory: memslot.Memory, arguments: Arguments) -> Any:
    with memory.turn(arguments.get("turn", "")):
        return {"text": str(memory.inject(*arguments["names"]))}


def _scrub(memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"text": memory.scrub(arguments["text"])}


def _record(memory: memslot.Memory, arguments: Arguments) -> Any:
    prompt = arguments["messages"] if "messages" in arguments else arguments["prompt"]
    output, usage = arguments.get("output", ""), arguments.get("usage")
    account = memory.record_turn(prompt, output, turn=arguments["turn"], usage=usage, token_counter="chars")
    return {
        "turn": account.turn,
        "conversation": account.conversation,
        "prompt": account.prompt.characters,
        "output": account.output.characters,
        "leaked": account.leaked.characters,
        "slots": account.slots,
        "bytes": account.body_bytes_outside,
        "usage": [account.usage.prompt_tokens, account.usage.cached_tokens, account.usage.completion_tokens],
    }


def _report(memory: memslot.Memory, arguments: Arguments) -> Any:
    report = memory.token_report(conversation=arguments.get("conversation", ""))
    return {
        "turns": [account.turn for account in report],
        "verdict": report.verdict.name,
        "problems": [{"cause": one.cause.name, "turns": list(one.turns)} for one in report.problems],
        "saved": report.saved.characters,
    }


def _inspect(memory: memslot.Memory, arguments: Arguments) -> Any:
    prompt = arguments["messages"] if "messages" in arguments else arguments["prompt"]
    inspection = memory.inspect_prompt(prompt, turn=arguments.get("turn"))
    findings = [
        {
            "name": one.name,
            "message_index": one.message_index,
            "field": one.field,
            "start": one.start,
            "end": one.end,
            "whole": one.whole,
            "allowed": one.allowed,
        }
        for one in inspection.findings
    ]
    leaked = [one.name for one in inspection.leaked]
    return {"findings": findings, "leaked": leaked, "leaked_characters": inspection.leaked_characters}


def _diagnose(memory: memslot.Memory, arguments: Arguments) -> Any:
    said = {key: arguments[key] for key in ("slot", "output", "prompt", "answer") if key in arguments}
    diagnosis = memory.diagnose(arguments["turn"], **said)
    return {
        "turn": diagnosis.turn,
        "first_broken": diagnosis.first_broken.name if diagnosis.first_broken else "",
        "steps": [{"step": one.step.name, "verdict": one.verdict.name} for one in diagnosis.steps],
        "reasons": sorted(diagnosis.reasons),
    }


def _task(memory: memslot.Memory, arguments: Arguments) -> Any:
    with suppress(_Failed), memory.task(arguments["task_id"], attempt=arguments["attempt"]) as task:
        for name, text in arguments["writes"].items():
            task.memory.write(name, text)
        task.promote(*arguments.get("promote", ()))
        if arguments.get("fail"):
            raise _Failed
    return {"namespace": task.memory.namespace_path}


def _namespace(_memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"namespace": memslot.namespace(*arguments["parts"])}


def _split(_memory: memslot.Memory, arguments: Arguments) -> Any:
    return {"parts": list(memslot.split_namespace(arguments["namespace"]))}


def _commit(memory: memslot.Memory, arguments: Arguments) -> Any:
    batch = memslot.Batch()
    for name, text in arguments.get("writes", {}).items():
        batch.write(name, text)
    for name in arguments.get("forgets", ()):
        batch.forget(name)
    return {"outcomes": [receipt.outcome.name for receipt in memory.commit(batch).receipts]}


VERBS: Mapping[str, Callable[[memslot.Memory, Arguments], Any]] = {
    re.sub("^_", "", verb.__name__): verb
    for verb in (
        _write, _read, _append, _patch, _forget, _update, _names, _search, _act, _history, _inject, _scrub, _record,
        _report, _inspect, _diagnose, _task, _namespace, _split, _commit,
    )
}  # fmt: skip
