"""RecordTurn and GetTokenReport: requests to commands, and results to replies."""

from __future__ import annotations

from typing import Any, cast

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.accounting.report import Report
from memslot_sidecar.edge.accounting.wording import problem_text, verdict_text
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.notes import AccountNote, Usage
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.record_turn import RecordCommand, Recorded
from memslot_sidecar.services.moments import fill_timestamp

_AMOUNTS = ("prompt", "output", "instruction", "actions", "receipts", "injected", "leaked", "inlined")
_TOKENS_MOST = 10**12
"""More than any call uses; so many turns can be added up within 64 bits."""
_USAGE = ("prompt_tokens", "cached_tokens", "completion_tokens")


def record_command(request: pb.RecordTurnRequest) -> RecordCommand:
    """The command of RecordTurn. Raises InvalidField."""
    if not request.prompt and not request.messages_json:
        raise InvalidField("neither prompt nor messages_json is set: send what the model got", field="prompt")
    return RecordCommand(
        namespace=request.namespace,
        turn=request.turn,
        prompt=request.prompt,
        messages_json=request.messages_json,
        output=request.output,
        schemas_json=request.schemas_json,
        card=request.card,
        usage=_usage(request.usage),
        token_counter=request.token_counter,
    )


def recorded_reply(recorded: Recorded) -> pb.RecordTurnResponse:
    """Reply of RecordTurn."""
    reply = pb.RecordTurnResponse(revision=recorded.revision)
    _fill_account(reply.account, recorded.account)
    reply.account.turn, reply.account.conversation = recorded.key.turn, recorded.key.conversation
    return reply


def report_reply(report: Report, language: Language, revision: int) -> pb.GetTokenReportResponse:
    """Reply of GetTokenReport."""
    reply = pb.GetTokenReportResponse(
        ratio=report.ratio,
        verdict=cast(Any, int(report.verdict)),
        verdict_text=verdict_text(report, language),
        mixed_counters=report.mixed_counters,
        revision=revision,
    )
    for booked in report.turns:
        message = reply.turns.add(turn=booked.key.turn, conversation=booked.key.conversation)
        _fill_account(message, booked.account)
    if report.total is not None:
        _fill_account(reply.total, report.total)
        _fill_amount(reply.saved, report.saved)
    for problem in report.problems:
        text = problem_text(report, problem, language)
        reply.problems.add(cause=cast(Any, int(problem.cause)), text=text, turns=problem.turns)
    return reply


def _usage(message: pb.ProviderUsage) -> Usage:
    said = {name: getattr(message, name) for name in _USAGE if message.HasField(cast(Any, name))}
    for name, value in said.items():
        if not 0 <= value <= _TOKENS_MOST:
            problem = f"usage.{name} is {value}: a provider counts from 0, and to {_TOKENS_MOST} at most"
            raise InvalidField(problem, field=f"usage.{name}")
    return Usage(**said)


def _fill_account(message: pb.TurnAccount, account: AccountNote) -> None:
    fill_timestamp(message.time, account.time_ms)
    for name in _AMOUNTS:
        _fill_amount(getattr(message, name), getattr(account, name))
    message.slots, message.body_bytes_outside = account.slots, account.body_bytes_outside
    message.token_counter = account.token_counter
    for name in _USAGE:
        value = getattr(account.usage, name)
        if value is not None:
            setattr(message.usage, name, value)


def _fill_amount(message: pb.Amount, amount: Any) -> None:
    message.characters, message.tokens = amount.characters, amount.tokens
