"""GetPromptCard and GetToolSchemas: requests to commands, and results to replies."""

from __future__ import annotations

from collections.abc import Mapping

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.card.drawing import CardForm
from memslot_sidecar.edge.schemas import ToolForm
from memslot_sidecar.operations.prompt_card import CardAnswer, CardCommand
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.languages import LANGUAGES

FORMS: Mapping[int, ToolForm] = {0: ToolForm.OPENAI} | {int(form): form for form in ToolForm}


def card_command(request: pb.GetPromptCardRequest) -> CardCommand:
    """The command of a card. Raises InvalidField."""
    form = CardForm(
        language=known(LANGUAGES, request.language, "language"),
        max_chars=request.max_chars,
        max_tokens=request.max_tokens,
        token_counter=request.token_counter,
        with_schemas=request.with_schemas,
    )
    return CardCommand(request.namespace, form, request.renew)


def card_reply(answer: CardAnswer) -> pb.GetPromptCardResponse:
    """Reply of GetPromptCard."""
    return pb.GetPromptCardResponse(
        card=answer.card.text,
        tail=answer.tail,
        listed=len(answer.card.names),
        slots=answer.slots,
        card_revision=answer.card.revision,
        renewed=answer.renewed,
        tokens=answer.tokens,
        token_counter=answer.token_counter,
        revision=answer.revision,
    )
