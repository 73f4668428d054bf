"""Which JSON objects are calls: the object that names one, the message of a provider's API, and what merely wraps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memslot_sidecar.parsing.concluding import decoded_object
from memslot_sidecar.parsing.model import Call
from memslot_sidecar.parsing.names import (
    ACTIONS,
    ARGUMENT_KEYS,
    BARE_TEXT,
    BESIDE_ARGUMENTS,
    NAME_KEYS,
    STRUCTURED_CHAT,
    resolve,
)

_WRAPPERS = frozenset(
    [
        "actions",
        "action",
        "command",
        "commands",
        "calls",
        "call",
        "tool_call",
        "tool_calls",
        "tool_uses",
        "function_calls",
        "tools",
        "steps",
        "operations",
    ]
)
_BODIES = ("function", "functionCall", "function_call", "toolUse")
_PARALLEL = frozenset({"multi_tool_use.parallel", "parallel", "multi_tool_use"})


@dataclass
class Reading:
    """What a JSON value holds. ``texts`` are the parts of a provider's message meant for the user."""

    calls: list[Call] = field(default_factory=list)
    texts: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    """Each as the object that holds it and the key it stands under."""
    form: str = ""
    """``openai``, ``anthropic`` or ``gemini`` for a provider's message."""
    foreign: bool = False
    """The value holds another tool's call."""
    nested: bool = False
    """An action stands deeper inside, where none is run."""


class ObjectReader:
    """Reads decoded values. ``spans`` says where each object stood."""

    def __init__(self, spans: dict[int, tuple[int, int]], shape: str, own_prefixes: tuple[str, ...]) -> None:
        self.spans = spans
        self.shape = shape
        self.own_prefixes = own_prefixes

    def read(self, value: Any) -> Reading:
        """What the value holds."""
        reading = Reading()
        if self._message(value, reading) or self._call(value, reading):
            return reading
        self._wrapped(value, reading)
        if not reading.calls and not reading.foreign:
            reading.nested = any(self._named(inner) for inner in _objects_within(value))
        return reading

    # Messages of the providers' APIs.

    def _message(self, value: Any, reading: Reading) -> bool:
        if isinstance(value, list):
            return self._blocks(value, reading) if _typed(value) else False
        if not isinstance(value, dict):
            return False
        if isinstance(value.get("choices"), list):
            reading.form = "openai"
            for choice in value["choices"]:
                self._choice(choice, reading)
            return True
        if isinstance(value.get("candidates"), list):
            reading.form = "gemini"
            for candidate in value["candidates"]:
                self._message(candidate.get("content") if isinstance(candidate, dict) else None, reading)
            return True
        return self._wrapped_message(value, reading) or self._one_message(value, reading)

    def _choice(self, choice: Any, reading: Reading) -> None:
        inner = (choice.get("message") or choice.get("delta")) if isinstance(choice, dict) else None
        if not self._one_message(inner, reading) and isinstance(choice, dict) and isinstance(choice.get("text"), str):
            reading.texts.append((choice, "text"))

    def _wrapped_message(self, value: dict[str, Any], reading: Reading) -> bool:
        if isinstance(value.get("output"), list) and _typed(value["output"]):
            return self._blocks(value["output"], reading, "openai")
        inner = value.get("message")
        if isinstance(value.get("output"), dict):
            inner = value["output"].get("message")
        if set(value) <= {"role", "parts", "content"} and isinstance(value.get("content"), dict):
            inner = value["content"]
        return isinstance(inner, dict) and self._one_message(inner, reading)

    def _one_message(self, value: Any, reading: Reading) -> bool:
        if not isinstance(value, dict):
            return False
        content, calls, legacy = value.get("content"), value.get("tool_calls"), value.get("function_call")
        if isinstance(value.get("parts"), list):
            return self._blocks(value["parts"], reading, "gemini")
        if isinstance(content, list) and (_typed(content) or "role" in value):
            self._blocks(content, reading, "openai" if isinstance(calls, list) else "anthropic")
        elif isinstance(content, str) and ("role" in value or isinstance(calls, list)):
            reading.texts.append((value, "content"))
        elif not isinstance(calls, list) and not isinstance(legacy, dict):
            return False
        reading.form = reading.form or "openai"
        for call in calls if isinstance(calls, list) else []:
            self._element(call, reading)
        if isinstance(legacy, dict):
            self._element(legacy, reading)
        return True

    def _blocks(self, blocks: list[Any], reading: Reading, form: str = "anthropic") -> bool:
        reading.form = form
        for block in blocks:
            if not isinstance(block, dict):
                continue
            kind = block["type"] if isinstance(block.get("type"), str) else ""
            inner = block.get("functionCall") or block.get("function_call") or block.get("toolUse")
            if isinstance(inner, dict):
                self._element({"id": inner.get("toolUseId", ""), "function": inner}, reading, inner)
            elif kind in {"tool_use", "function_call", "server_tool_use"}:
                self._element(block, reading)
            elif kind == "message" and isinstance(block.get("content"), list):
                self._blocks(block["content"], reading, form)
            elif isinstance(block.get("text"), str) and not block.get("thought"):
                reading.texts.append((block, "text"))
        return True

    def _element(self, element: Any, reading: Reading, at: Any = None) -> None:
        if isinstance(element, dict) and not self._call(element, reading, at):
            reading.foreign = True

    # One call.

    def _call(self, value: Any, reading: Reading, at: Any = None) -> bool:
        """Add the call that an object is. True also for another tool's call."""
        if not isinstance(value, dict) or value.get("role") in ("tool", "function"):
            return False
        body = next((value[key] for key in _BODIES if isinstance(value.get(key), dict)), value)
        names = [body[key] for key in NAME_KEYS if isinstance(body.get(key), str)]
        ours = [name for name in names if not resolve(name, self.own_prefixes).foreign]
        given = [key for key in ARGUMENT_KEYS if key in body]
        if not ours:
            return self._by_key(body, reading, at) or self._others(value, names, body, given, reading)
        call = self._made(ours[0], None, value if at is None else at, reading)
        call.call_id = _call_id(value, body)
        if len({resolve(name, self.own_prefixes).name for name in ours}) > 1:
            call.flaws.append("AMBIGUOUS_NAME")
        if len(given) > 1 or (given and any(key in body for key in ("slot", "value", "query", "name_prefix"))):
            call.flaws.append("AMBIGUOUS_ARGUMENTS")
        beside = {key for key in NAME_KEYS if body.get(key) in ours} | BESIDE_ARGUMENTS
        call.arguments = body[given[0]] if given else {key: body[key] for key in body if key not in beside}
        if given and given[0] in STRUCTURED_CHAT:
            _as_structured_chat(call, resolve(ours[0], self.own_prefixes).name)
        return True

    def _others(
        self, value: dict[str, Any], names: list[str], body: dict[str, Any], given: list[str], reading: Reading
    ) -> bool:
        if names and names[0].removeprefix("functions.") in _PARALLEL and given:
            self._merged(body[given[0]], value, reading)
        elif not (names and (given or body is not value)):
            return False
        reading.foreign = True
        return True

    def _merged(self, arguments: Any, outer: dict[str, Any], reading: Reading) -> None:
        uses = decoded_object(arguments).get("tool_uses")
        for use in uses if isinstance(uses, list) else []:
            known = len(reading.calls)
            self._call(use, reading, outer)
            for call in reading.calls[known:]:
                call.repaired.append("wrapper")
                call.call_id = _call_id(outer, outer)

    def _by_key(self, body: dict[str, Any], reading: Reading, at: Any) -> bool:
        """`{"mem_read": {"slot": ...}}`: the name is the key."""
        if not body or not all(self._ours(key) and isinstance(body[key], (dict, str, type(None))) for key in body):
            return False
        for name, arguments in body.items():
            call = self._made(name, arguments, body if at is None else at, reading)
            if len(body) > 1:
                call.repaired.append("several_names_in_one_object")
        return True

    def _made(self, name: str, arguments: Any, at: Any, reading: Reading) -> Call:
        start, end = self.spans.get(id(at), (0, 0))
        call = Call(name, arguments, start, end, reading.form or self.shape)
        reading.calls.append(call)
        return call

    def _ours(self, name: str) -> bool:
        return not resolve(name, self.own_prefixes).foreign

    # Wrappers.

    def _wrapped(self, value: Any, reading: Reading) -> None:
        if not isinstance(value, dict):
            return
        for key, member in value.items():
            for element in member if isinstance(member, list) else [member]:
                if key in _WRAPPERS and isinstance(element, dict):
                    self._call(element, reading)
        for call in reading.calls:
            call.repaired.append("wrapper")

    def _named(self, value: dict[str, Any]) -> bool:
        if any(key.lower() in NAME_KEYS and isinstance(name, str) and self._ours(name) for key, name in value.items()):
            return True
        return any(self._ours(key) and isinstance(value[key], dict) for key in value)


def _as_structured_chat(call: Call, name: str) -> None:
    """In this format a tool with one argument may be given a bare text, as in ReAct."""
    call.shape = "structured-chat"
    required = ACTIONS[name].required if name else ()
    if isinstance(call.arguments, str) and len(required) == 1 and BARE_TEXT.fullmatch(call.arguments):
        call.arguments = {required[0]: call.arguments}
        call.repaired.append("bare_argument")


def _call_id(value: dict[str, Any], body: dict[str, Any]) -> str:
    for holder in (value, body):
        for key in ("call_id", "id", "tool_call_id", "toolUseId"):
            if isinstance(holder.get(key), str) and holder[key]:
                return str(holder[key])
    return ""


def _typed(blocks: list[Any]) -> bool:
    known = {"text", "tool_use", "output_text", "function_call", "message", "thinking", "reasoning", "server_tool_use"}
    kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
    return (
        len(kinds) == len(blocks) > 0 and all(isinstance(kind, str) for kind in kinds) and not known.isdisjoint(kinds)
    )


def _objects_within(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            yield inner
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
