"""Booking turns, and the report on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.histories import messages_of, plain
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.accounting import Amount, SavingProblem, TokenReport, TurnAccount, Usage
from memslot.enums import Language, MissingSaving, Verdict
from memslot.expiry import Seconds
from memslot.v1 import agent_service_pb2 as pb

Spoken: TypeAlias = Language | Literal["en", "zh"]
_COMPACT = (",", ":")
_USAGE = ("prompt_tokens", "cached_tokens", "completion_tokens")


def record_turn(
    at: Binding,
    prompt: str | Iterable[object],
    output: object = "",
    *,
    turn: str = "",
    schemas: str | Iterable[object] = "",
    card: str = "",
    usage: object = None,
    token_counter: str = "",
    timeout: Seconds | None = None,
) -> Steps[TurnAccount]:
    """Book one call of the model, and return its books: sizes only, no text is kept.

    ``prompt`` is what the model got, as text or as messages (dicts, or objects of a provider's SDK), ``output`` what it answered, as text
    or as the provider's message. ``turn`` is by default that of ``with memory.turn(...)``; one that was booked before is booked anew.
    ``schemas`` are the tools that were sent, ``card`` the prompt card, if it is not the one that the server keeps for the conversation.
    ``usage`` is what the provider said: its own object or dict, or a Usage. ``token_counter`` (``chars``, ``estimate``, ``o200k``,
    ``cl100k``) is by default the server's.

    Raises InvalidField: no turn, a card that the prompt does not hold, an unknown counter.
    """
    said = None if usage is None else Usage.of(usage)
    request = pb.RecordTurnRequest(
        namespace=at.namespace,
        turn=encode.text(turn, "turn"),
        output=sent_text(output),
        schemas_json=sent_text(schemas),
        card=sent_text(card),
        token_counter=encode.text(token_counter, "token_counter"),
    )
    if isinstance(prompt, str):
        request.prompt = sent_text(prompt)
    else:
        request.messages_json = sent_text(messages_of(prompt))
    if said is not None:
        request.usage.MergeFrom(pb.ProviderUsage(**encode.given(**{name: getattr(said, name) for name in _USAGE})))
    return _account((yield from ask(at, methods.RECORD_TURN, request, timeout)).account)


def token_report(
    at: Binding,
    *,
    conversation: str = "",
    limit: int = 100,
    language: Spoken = Language.EN,
    timeout: Seconds | None = None,
) -> Steps[TokenReport]:
    """Return what the latest recorded turns cost, and whether memory outside the prompt pays.

    ``conversation`` is by default the client's, and without one all turns of the namespace are added up; ``limit`` (at most 1000) bounds
    them. ``language`` is that of the verdict. Raises InvalidField.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}: ask for one turn at least")
    request = pb.GetTokenReportRequest(
        namespace=at.namespace,
        conversation=encode.text(conversation, "conversation"),
        limit=limit,
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
    )
    reply = yield from ask(at, methods.TOKEN_REPORT, request, timeout)
    return TokenReport(
        turns=tuple(map(_account, reply.turns)),
        total=_account(reply.total) if reply.HasField("total") else None,
        saved=_amount(reply.saved),
        ratio=reply.ratio,
        verdict=Verdict(reply.verdict),
        verdict_text=reply.verdict_text,
        problems=tuple(SavingProblem(MissingSaving(one.cause), one.text, tuple(one.turns)) for one in reply.problems),
        mixed_counters=reply.mixed_counters,
        revision=reply.revision,
    )


def sent_text(value: object) -> str:
    """A text as it is, anything else as JSON without white space, as every client counts it; halves of surrogate pairs, which no message can carry, are escaped or replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, Mapping) else value
    text = json.dumps(listed, ensure_ascii=False, separators=_COMPACT, default=plain)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(listed, separators=_COMPACT, default=plain)
    return text


def _account(message: pb.TurnAccount) -> TurnAccount:
    return TurnAccount(
        turn=message.turn,
        conversation=message.conversation,
        time=decode.moment(message.time),
        prompt=_amount(message.prompt),
        output=_amount(message.output),
        instruction=_amount(message.instruction),
        actions=_amount(message.actions),
        receipts=_amount(message.receipts),
        injected=_amount(message.injected),
        leaked=_amount(message.leaked),
        inlined=_amount(message.inlined),
        slots=message.slots,
        body_bytes_outside=message.body_bytes_outside,
        usage=_usage(message.usage),
        token_counter=message.token_counter,
    )


def _amount(message: pb.Amount) -> Amount:
    return Amount(message.characters, message.tokens)


def _usage(message: pb.ProviderUsage) -> Usage:
    return Usage(
        message.prompt_tokens if message.HasField("prompt_tokens") else None,
        message.cached_tokens if message.HasField("cached_tokens") else None,
        message.completion_tokens if message.HasField("completion_tokens") else None,
    )
