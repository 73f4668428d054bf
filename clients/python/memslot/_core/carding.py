"""What a model is told of its memory: the prompt card, and the tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from memslot._core import encode, methods
from memslot._core.acting import Spoken
from memslot._core.binding import Binding
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.cards import PromptCard
from memslot.enums import Language
from memslot.expiry import Seconds
from memslot.v1 import agent_service_pb2 as pb

ToolForm: TypeAlias = Literal["openai", "anthropic", "mcp"]
_FORMS = {
    "openai": pb.TOOL_FORM_OPENAI,
    "anthropic": pb.TOOL_FORM_ANTHROPIC,
    "mcp": pb.TOOL_FORM_MCP,
}


def prompt_card(
    at: Binding,
    *,
    language: Spoken = Language.EN,
    max_chars: int = 0,
    max_tokens: int = 0,
    token_counter: str = "",
    with_schemas: bool = False,
    renew: bool = False,
    timeout: Seconds | None = None,
) -> Steps[PromptCard]:
    """Return the text for the system prompt: how to use memory, and the slots by rank with their descriptions.

    It stays the same, byte for byte, for a conversation (``connect(conversation=...)``) and these arguments until ``renew``, so that a
    provider's prompt cache holds; ``tail`` says what changed since. The server keeps the cards of the conversations that asked last, and none
    over a restart: ``renewed`` tells that a card was made anew. ``max_chars`` (0: 4,000; at least 700) and ``max_tokens`` (0: no bound), counted
    by ``token_counter``, bound the text. ``with_schemas`` leaves out how an action is written as text, for a model that is given
    :meth:`tool_schemas`.

    Raises InvalidField when a bound is too small for the instructions, or there is no such counter.
    """
    request = pb.GetPromptCardRequest(
        namespace=at.namespace,
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
        max_chars=max_chars,
        max_tokens=max_tokens,
        token_counter=encode.text(token_counter, "token_counter"),
        with_schemas=with_schemas,
        renew=renew,
    )
    reply = yield from ask(at, methods.PROMPT_CARD, request, timeout)
    return PromptCard(
        text=reply.card,
        tail=reply.tail,
        listed=reply.listed,
        slots=reply.slots,
        card_revision=reply.card_revision,
        renewed=reply.renewed,
        tokens=reply.tokens,
        token_counter=reply.token_counter,
        revision=reply.revision,
    )


def tool_schemas(
    at: Binding,
    form: ToolForm = "openai",
    *,
    language: Spoken = Language.EN,
    actions: Iterable[str] = (),
    timeout: Seconds | None = None,
) -> Steps[list[dict[str, Any]]]:
    """Return the memory actions as tools, to be sent as ``tools`` of a hosted API: all seven, or only ``actions``.

    ``form`` is ``openai`` (Chat Completions and what is compatible), ``anthropic`` or ``mcp``. What the model calls goes to :meth:`act`.
    Raises InvalidField for an action that there is not.
    """
    if form not in _FORMS:
        raise ValueError(f"form is one of {', '.join(_FORMS)}, not {form!r}")
    request = pb.GetToolSchemasRequest(
        form=_FORMS[form],
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
        actions=encode.strings(actions, "actions"),
    )
    reply = yield from ask(at, methods.TOOL_SCHEMAS, request, timeout)
    tools: list[dict[str, Any]] = json.loads(reply.schemas_json)
    return tools
