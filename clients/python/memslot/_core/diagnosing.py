"""Asking what went wrong in a turn."""

from __future__ import annotations

from memslot._core import encode, methods
from memslot._core.accounting import Spoken, sent_text
from memslot._core.binding import Binding
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.diagnosis import DiagnosedStep, Diagnosis, DiagnosisFinding
from memslot.enums import Language, StepVerdict, TurnStep
from memslot.expiry import Seconds
from memslot.v1 import agent_service_pb2 as pb


def diagnose(
    at: Binding,
    turn: str = "",
    *,
    conversation: str = "",
    slot: str = "",
    output: object = "",
    prompt: object = "",
    answer: str = "",
    language: Spoken = Language.EN,
    timeout: Seconds | None = None,
) -> Steps[Diagnosis]:
    """Return what is known of a turn in five steps (output, parse, store, prompt, tokens), and the first that broke.

    ``turn`` and ``conversation`` are by default the client's, or else the latest turn. ``slot`` is the one that matters, by default those
    of the turn's actions. What is given besides is looked at as well: ``output`` is what the model wrote, ``prompt`` what it got next (as
    text or messages), ``answer`` what the user was told. No body is quoted.

    Raises TurnNotFound (nothing is known of it, and nothing is given), InvalidName, InvalidField.
    """
    request = pb.DiagnoseTurnRequest(
        namespace=at.namespace,
        turn=encode.text(turn, "turn"),
        conversation=encode.text(conversation, "conversation"),
        name=encode.text(slot, "slot"),
        output=sent_text(output),
        prompt=sent_text(prompt),
        answer=sent_text(answer),
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
    )
    reply = yield from ask(at, methods.DIAGNOSE_TURN, request, timeout)
    return Diagnosis(
        steps=tuple(map(_step, reply.steps)),
        first_broken=TurnStep(reply.first_broken) if reply.first_broken else None,
        summary=reply.summary,
        turn=reply.turn,
        revision=reply.revision,
    )


def _step(message: pb.DiagnosedStep) -> DiagnosedStep:
    findings = (
        DiagnosisFinding(StepVerdict(one.verdict), one.reason, one.text, one.name, one.revision)
        for one in message.findings
    )
    return DiagnosedStep(TurnStep(message.step), StepVerdict(message.verdict), tuple(findings))
