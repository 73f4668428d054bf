"""DiagnoseTurn: request to command, and a diagnosis to a reply."""

from __future__ import annotations

from collections.abc import Sequence

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.diagnosis.evidence import Finding, Step
from memslot_sidecar.edge.diagnosis.wording import say, whole
from memslot_sidecar.edge.language import Language
from memslot_sidecar.operations.diagnose_turn import DiagnoseCommand, Diagnosis, verdict_of


def diagnose_command(request: pb.DiagnoseTurnRequest) -> DiagnoseCommand:
    """The command of a diagnosis."""
    return DiagnoseCommand(
        namespace=request.namespace,
        turn=request.turn,
        conversation=request.conversation,
        name=request.name,
        output=request.output,
        prompt=request.prompt,
        answer=request.answer,
    )


def diagnosis_reply(diagnosis: Diagnosis, language: Language) -> pb.DiagnoseTurnResponse:
    """Reply of DiagnoseTurn."""
    worst = diagnosis.worst
    return pb.DiagnoseTurnResponse(
        steps=[_step(step, findings, language) for step, findings in diagnosis.steps],
        first_broken=pb.TurnStep.ValueType(diagnosis.first_broken or 0),
        summary=whole(language) if worst is None else say(worst, language),
        turn=diagnosis.turn,
        revision=diagnosis.revision,
    )


def _step(step: Step, findings: Sequence[Finding], language: Language) -> pb.DiagnosedStep:
    return pb.DiagnosedStep(
        step=pb.TurnStep.ValueType(step),
        verdict=pb.StepVerdict.ValueType(verdict_of(findings)),
        findings=[
            pb.Finding(
                verdict=pb.StepVerdict.ValueType(finding.verdict),
                reason=finding.reason,
                text=say(finding, language),
                name=finding.name,
                revision=finding.revision,
            )
            for finding in findings
        ],
    )
