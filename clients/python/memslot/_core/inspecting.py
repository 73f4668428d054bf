"""Looking for stored bodies in a prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memslot._core import encode, methods
from memslot._core.binding import Binding
from memslot._core.histories import messages_of, plain
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.expiry import Seconds
from memslot.inspections import Inspection, PromptFinding
from memslot.v1 import agent_service_pb2 as pb


def inspect_prompt(
    at: Binding,
    prompt: str | Iterable[object] | Mapping[str, Any],
    *,
    turn: str | None = None,
    token_counter: str = "",
    timeout: Seconds | None = None,
) -> Steps[Inspection]:
    """Find what a prompt holds of stored bodies: whatever is in ``leaked`` of the result came back without an injection of this turn.

    ``prompt`` is a text, or messages of any provider (dicts, or objects of its SDK). Found is each part of at least 40 characters of a body,
    and each shorter body of at least 12 as a whole, also with other white space and with JSON's escapes. ``turn`` is the turn whose
    injections are allowed (by default that of ``with memory.turn(...)``), ``token_counter`` (``chars``, ``estimate``, ``o200k``, ``cl100k``)
    by default the server's.

    The first call for a namespace reads all its bodies; what cannot be compared within ``timeout`` is told in ``incomplete``.
    Raises InvalidField; TypeError for messages that are no JSON.
    """
    request = pb.InspectPromptRequest(
        namespace=at.namespace,
        turn=encode.text(turn or "", "turn"),
        token_counter=encode.text(token_counter, "token_counter"),
    )
    if isinstance(prompt, str):
        # Halves of surrogate pairs, which no message can carry, become question marks: places stay what they are.
        request.prompt = prompt.encode("utf-8", "replace").decode()
    else:
        messages = [prompt] if isinstance(prompt, Mapping) else messages_of(prompt)
        request.messages_json = json.dumps(messages, default=plain)
    return _inspection((yield from ask(at, methods.INSPECT_PROMPT, request, timeout)))


def _inspection(reply: pb.InspectPromptResponse) -> Inspection:
    return Inspection(
        findings=tuple(map(_finding, reply.findings)),
        characters=reply.characters,
        leaked_characters=reply.leaked_characters,
        slots=reply.slots,
        incomplete=reply.incomplete,
        token_counter=reply.token_counter,
        revision=reply.revision,
    )


def _finding(message: pb.PromptFinding) -> PromptFinding:
    return PromptFinding(
        name=message.name,
        revision=message.revision,
        message_index=message.message_index,
        field=message.field,
        start=message.span.start,
        end=message.span.end,
        characters=message.characters,
        tokens=message.tokens,
        whole=message.whole,
        injection_id=message.injection_id or None,
    )
