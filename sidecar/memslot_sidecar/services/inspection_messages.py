"""InspectPrompt: request to command, and what was found to a reply."""

from __future__ import annotations

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.inspection.findings import Found, Inspection
from memslot_sidecar.operations.inspect_prompt import InspectCommand


def inspect_command(request: pb.InspectPromptRequest) -> InspectCommand:
    """The command of an inspection."""
    return InspectCommand(request.namespace, request.prompt, request.messages_json, request.turn, request.token_counter)


def inspection_reply(found: Inspection) -> pb.InspectPromptResponse:
    """Reply of InspectPrompt."""
    return pb.InspectPromptResponse(
        findings=[_finding(one) for one in found.findings],
        characters=found.characters,
        leaked_characters=found.leaked_characters,
        slots=found.slots,
        incomplete=found.incomplete,
        token_counter=found.token_counter,
        revision=found.revision,
    )


def _finding(found: Found) -> pb.PromptFinding:
    return pb.PromptFinding(
        name=found.name,
        revision=found.revision,
        message_index=found.message_index,
        field=found.field,
        span=pb.Span(start=found.start, end=found.end),
        characters=found.characters,
        tokens=found.tokens,
        whole=found.whole,
        injection_id=found.injection_id,
    )
