"""A model's output: what is sent of it, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.histories import spoken
from memslot._core.pending import Pending, ask, mutate, new_request_id
from memslot._core.steps import Steps
from memslot.acting import Acted, Action, FoundNames, InjectedSlot, Reject
from memslot.enums import ActionOutcome, Language, OnRead, Origin
from memslot.expiry import Seconds
from memslot.v1 import agent_service_pb2 as pb

Output: TypeAlias = str | Mapping[str, Any] | Sequence[Any] | object
Spoken: TypeAlias = Language | Literal["en", "zh"]
Reads: TypeAlias = OnRead | Literal["application", "show_once"]


def act(
    at: Binding,
    output: Output,
    *,
    lenient: bool = False,
    validate_only: bool = False,
    on_read: Reads = OnRead.APPLICATION,
    turn: str | None = None,
    language: Spoken = Language.EN,
    own_prefixes: Iterable[str] = (),
    max_injected_chars: int = 0,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Acted]:
    """Execute the memory actions in a model's raw output, in their order, and return what to tell the model.

    ``output`` is a text, or the provider's message: a dict, a list, or an object of the provider's SDK. ``lenient`` also takes what has
    exactly one reading once it is mended. ``validate_only`` executes nothing. ``on_read="show_once"`` puts what the model reads into
    ``injection`` too, at most ``max_injected_chars`` (0: 16,000) characters of it. ``turn`` is the turn that this belongs to (by default
    that of ``with memory.turn(...)``), ``language`` that of the receipts. ``own_prefixes`` are prefixes under which the host offers the
    actions, such as ``mcp__memslot__``. ``request_id`` (a UUID, by default a fresh one) makes the call safe to repeat for ten minutes:
    what changes something is executed once.

    An action that fails is told in ``actions``, and the others go on. Raises InvalidField for what is no output, RequestIdReused,
    OutcomeUnknown; TypeError for an output that is neither text nor JSON.
    """
    text = spoken(output)
    request = pb.ActRequest(
        namespace=at.namespace,
        mode=pb.ACT_MODE_LENIENT if lenient else pb.ACT_MODE_STRICT,
        validate_only=validate_only,
        turn=encode.text(turn or "", "turn"),
        on_read=pb.OnRead.ValueType(encode.member(OnRead, on_read, "on_read")),
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
        own_prefixes=encode.strings(own_prefixes, "own_prefixes"),
        max_injected_chars=max_injected_chars,
        **_written(text),
    )
    finish = partial(_acted, characters=len(text))
    if validate_only:
        return finish((yield from ask(at, methods.ACT, request, timeout)))
    request.request_id = request_id or new_request_id()
    acted: Acted = yield from mutate(at, Pending(methods.ACT, request.request_id, request, finish), timeout)
    return acted


def _written(text: str) -> dict[str, Any]:
    """The output as a field of the request: as bytes where a message cannot hold it as text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return {"raw_output": text.encode("utf-8", "surrogatepass")}
    return {"output": text}


def _acted(reply: pb.ActResponse, characters: int) -> Acted:
    return Acted(
        actions=tuple(map(_action, reply.actions)),
        rejects=tuple(Reject(one.reason, _span(one.span), one.hint, one.call_id) for one in reply.rejects),
        model_text=reply.model_text,
        tool_messages=_messages(reply.tool_messages),
        user_text=reply.user_text,
        injection=reply.injection,
        injected=tuple(map(injected_slot, reply.injected)),
        revision=reply.revision,
        characters=characters,
    )


def _action(message: pb.ActionResult) -> Action:
    result = message.WhichOneof("result")
    return Action(
        action=message.action,
        arguments_json=message.arguments_json,
        span=_span(message.span),
        outcome=ActionOutcome(message.outcome),
        line=message.line,
        repaired=tuple(message.repaired),
        call_id=message.call_id,
        shape=message.shape,
        receipt=decode.receipt(message.receipt) if result == "receipt" else None,
        slot=decode.slot(message.slot) if result == "slot" else None,
        found=FoundNames(tuple(message.found.names), message.found.more) if result == "found" else None,
        error=decode.status_error(message.error) if message.HasField("error") else None,
    )


def _messages(answers: Iterable[pb.ToolMessage]) -> tuple[dict[str, Any], ...]:
    """Messages of OpenAI's form as they are; content blocks of Anthropic's together in one message."""
    messages: list[dict[str, Any]] = []
    blocks: list[Any] = []
    for answer in answers:
        told = json.loads(answer.message_json)
        (blocks if answer.form == pb.TOOL_FORM_ANTHROPIC else messages).append(told)
    return (*messages, *([{"role": "user", "content": blocks}] if blocks else []))


def injected_slot(message: pb.InjectedSlot) -> InjectedSlot:
    """Return a slot that an injection shows."""
    return InjectedSlot(
        name=message.name,
        revision=message.revision,
        summarised=message.summarised,
        origin=Origin(message.origin),
        untrusted=message.untrusted,
        injection_id=message.injection_id,
        characters=message.characters,
    )


def _span(span: pb.Span) -> tuple[int, int]:
    return span.start, span.end
